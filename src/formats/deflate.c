/* deflate.c: bytes compressed and decompressed by zlib. */
#define ZLIB_CONST
#include <stdint.h>
#include <stdlib.h>
#include <zlib.h>

#include "formats/deflate.h"

enum { PART = 1 << 15 };  /* bytes sent at a time */

struct deflate_stream {
	z_stream z;
	unsigned char part[PART];
};

bool deflate_begin(struct deflate *d)
{
	enum { WINDOW = 15, MEMORY = 8 };  /* zlib's defaults */
	struct deflate_stream *s = calloc(1, sizeof *s);

	d->stream = s;
	if (!s)
		return false;
	s->z.next_out = s->part;
	s->z.avail_out = PART;
	return deflateInit2(&s->z, d->level, Z_DEFLATED, WINDOW, MEMORY,
			    d->runs ? Z_RLE : Z_DEFAULT_STRATEGY) == Z_OK;
}

static void send_part(struct deflate *d)
{
	struct deflate_stream *s = d->stream;

	d->send(d->to, s->part, PART - s->z.avail_out);
	s->z.next_out = s->part;
	s->z.avail_out = PART;
}

void deflate_bytes(struct deflate *d, const void *bytes, size_t n)
{
	struct deflate_stream *s = d->stream;

	if (!s)
		return;
	s->z.next_in = bytes;
	s->z.avail_in = (uInt)n;
	while (deflate(&s->z, Z_NO_FLUSH) == Z_OK && !s->z.avail_out)
		send_part(d);
}

void deflate_drop(struct deflate *d)
{
	if (d->stream)
		deflateEnd(&d->stream->z);
	free(d->stream);
	d->stream = NULL;
}

void deflate_end(struct deflate *d)
{
	struct deflate_stream *s = d->stream;

	while (s && deflate(&s->z, Z_FINISH) == Z_OK)
		send_part(d);
	if (s)
		send_part(d);
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
