/* deflate.c: bytes compressed and decompressed by zlib. */
#define ZLIB_CONST
#include <stdint.h>
#include <stdlib.h>
#include <zlib.h>

#include "formats/deflate.h"

enum { PART = 4096 };  /* bytes sent at a time */

bool deflate_begin(struct deflate *d)
{
	d->stream = calloc(1, sizeof(z_stream));
	return d->stream &&
	       deflateInit((z_stream *)d->stream, Z_BEST_COMPRESSION) == Z_OK;
}

static void take(struct deflate *d, const void *bytes, size_t n, int flush)
{
	z_stream *z = d->stream;
	unsigned char part[PART];

	z->next_in = bytes;
	z->avail_in = (uInt)n;
	do {
		z->next_out = part;
		z->avail_out = sizeof part;
		deflate(z, flush);
		d->send(d->to, part, sizeof part - z->avail_out);
	} while (!z->avail_out);
}

void deflate_bytes(struct deflate *d, const void *bytes, size_t n)
{
	if (d->stream)
		take(d, bytes, n, Z_NO_FLUSH);
}

void deflate_end(struct deflate *d)
{
	if (d->stream) {
		take(d, "", 0, Z_FINISH);
		deflateEnd(d->stream);
	}
	free(d->stream);
}

bool inflate_begin(struct inflate *d)
{
	*d = (struct inflate){ .stream = calloc(1, sizeof(z_stream)) };
	return d->stream && inflateInit2((z_stream *)d->stream, -15) == Z_OK;
}

size_t inflate_bytes(struct inflate *d, const void *from, size_t *n, void *to,
		     size_t room)
{
	z_stream *z = d->stream;
	int result;

	z->next_in = from;
	z->avail_in = (uInt)*n;
	z->next_out = to;
	z->avail_out = (uInt)room;
	result = inflate(z, Z_NO_FLUSH);
	*n = (size_t)((const unsigned char *)z->next_in -
		      (const unsigned char *)from);
	if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR)
		return SIZE_MAX;
	return (size_t)((unsigned char *)z->next_out - (unsigned char *)to);
}

void inflate_end(struct inflate *d)
{
	if (d->stream)
		inflateEnd(d->stream);
	free(d->stream);
}

unsigned long crc_add(unsigned long crc, const void *bytes, size_t n)
{
	return crc32(crc, bytes, (uInt)n);
}

const char *deflate_version(void)
{
	return zlibVersion();
}
