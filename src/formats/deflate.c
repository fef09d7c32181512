/* deflate.c: bytes compressed and decompressed by zlib, or by ISA-L. */
#define ZLIB_CONST
#include <stdint.h>
#include <stdlib.h>
#include <zlib.h>

#include "table/never.h"
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

enum { FLUSH_ROOM = 32 };  /* what ends a part, and its first block */

size_t deflate_room(size_t n)
{
	return compressBound((uLong)n) + FLUSH_ROOM;
}

/* What is at the start of a part's memory; zlib's own follows. */
struct part {
	z_stream z;
	size_t used;
};

/* Memory for zlib that costs no thread a heap of its own. */
static voidpf take_memory(voidpf memory, uInt n, uInt size)
{
	enum { LINE = 64 };
	struct part *p = memory;
	const size_t at = p->used;

	p->used += ((size_t)n * size + LINE - 1) / LINE * LINE;
	return NEVER(p->used > DEFLATE_MEMORY) ? NULL : (char *)memory + at;
}

static void leave_memory(voidpf memory, voidpf part)
{
	(void)memory;
	(void)part;
}

bool deflate_parts_begin(struct deflate_parts *d)
{
	struct error why = { 0 };

	if (d->level <= DEFLATE_FAST && !isal_load(&d->isal, &why))
		d->isal = (struct isal){ 0 };
	return !why.memory;
}

static void begin_zlib(const struct deflate_parts *d, void *memory,
		       unsigned char *to, size_t room)
{
	enum { RAW = -15, MEMORY = 8 };
	struct part *p = memory;

	*p = (struct part){
		.z = { .next_out = to, .avail_out = (uInt)room,
		       .zalloc = take_memory, .zfree = leave_memory,
		       .opaque = memory },
		.used = 4 * sizeof *p,
	};
	deflateInit2(&p->z, d->level, Z_DEFLATED, RAW, MEMORY,
		     d->filtered ? Z_FILTERED : Z_DEFAULT_STRATEGY);
}

void deflate_part_begin(const struct deflate_parts *d, void *memory,
			unsigned char *to, size_t n)
{
	if (d->isal.deflate)
		isal_begin(&d->isal, memory, to, deflate_room(n));
	else
		begin_zlib(d, memory, to, deflate_room(n));
}

void deflate_part_before(const struct deflate_parts *d, void *memory,
			 const void *bytes, size_t n)
{
	struct part *p = memory;

	if (d->isal.deflate)
		isal_before(&d->isal, memory, bytes, n);
	else
		deflateSetDictionary(&p->z, bytes, (uInt)n);
}

static void add_to_part(struct part *p, const void *bytes, size_t n, int flush)
{
	p->z.next_in = bytes;
	p->z.avail_in = (uInt)n;
	deflate(&p->z, flush);
}

void deflate_part_bytes(const struct deflate_parts *d, void *memory,
			const void *bytes, size_t n)
{
	if (d->isal.deflate)
		isal_bytes(&d->isal, memory, bytes, n);
	else
		add_to_part(memory, bytes, n, Z_NO_FLUSH);
}

static size_t end_zlib(struct part *p, bool last)
{
	size_t n;

	add_to_part(p, "", 0, last ? Z_FINISH : Z_SYNC_FLUSH);
	n = p->z.total_out;
	deflateEnd(&p->z);
	return n;
}

size_t deflate_part_end(const struct deflate_parts *d, void *memory, bool last)
{
	return d->isal.deflate ? isal_end(&d->isal, memory, last)
			       : end_zlib(memory, last);
}

unsigned long adler_add(unsigned long adler, const void *bytes, size_t n)
{
	return adler32(adler, bytes, (uInt)n);
}

unsigned long adler_join(unsigned long adler, unsigned long other, size_t n)
{
	return adler32_combine(adler, other, (z_off_t)n);
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
