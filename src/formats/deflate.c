/* deflate.c: bytes compressed and decompressed by zlib. */
#define ZLIB_CONST
#include <stdint.h>
#include <stdlib.h>
#include <zlib.h>

#include "formats/deflate.h"

enum { PART = 8192 };  /* bytes sent at a time */

bool deflate_begin(struct deflate *d)
{
	enum { WINDOW = 15, MEMORY = 8 };  /* zlib's defaults */

	d->stream = calloc(1, sizeof(z_stream));
	return d->stream &&
	       deflateInit2((z_stream *)d->stream, d->level, Z_DEFLATED, WINDOW,
			    MEMORY, d->runs ? Z_RLE : Z_DEFAULT_STRATEGY) ==
		       Z_OK;
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

void deflate_drop(struct deflate *d)
{
	if (d->stream)
		deflateEnd(d->stream);
	free(d->stream);
	d->stream = NULL;
}

void deflate_end(struct deflate *d)
{
	if (d->stream)
		take(d, "", 0, Z_FINISH);
	deflate_drop(d);
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
	d->short_of_memory = result == Z_MEM_ERROR;
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
