/* deflate.c: bytes compressed by zlib. */
#define ZLIB_CONST
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

const char *deflate_version(void)
{
	return zlibVersion();
}
