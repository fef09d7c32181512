/* zip_write.c: a zip archive of one stored member (APPNOTE.TXT 4.3, 4.5). */
#include <string.h>

#include "containers/zip.h"
#include "formats/deflate.h"

enum {
	LOCAL = 30, DESCRIPTOR = 24, ENTRY = 46, EXTRA = 20,
	VERSION = 45,          /* sizes of 64 bits */
	SIZES_FOLLOW = 8,      /* the checksum and sizes stand behind them */
	YEAR_1980 = 0x21,
};

#define ELSEWHERE 0xffffffff   /* in the field of 64 bits */

/* The n low bytes of x, the lowest first. */
static void put(struct zip_writer *w, uint64_t x, int n)
{
	for (; n; n--, x >>= 8)
		out_bytes(w->out, &(unsigned char){ x & 0xff }, 1);
}

static void see(void *self, const void *bytes, size_t n)
{
	struct zip_writer *w = self;

	w->crc = crc_add(w->crc, bytes, n);
}

/* What the local header and the entry of the directory share, up to extra. */
static void put_member(struct zip_writer *w)
{
	put(w, VERSION, 2);
	put(w, SIZES_FOLLOW, 2);
	put(w, 0, 2);          /* stored */
	put(w, 0, 2);          /* midnight */
	put(w, YEAR_1980, 2);
	put(w, w->crc, 4);
	put(w, ELSEWHERE, 4);
	put(w, ELSEWHERE, 4);
	put(w, strlen(w->name), 2);
	put(w, EXTRA, 2);
}

static void put_extra(struct zip_writer *w)
{
	put(w, 1, 2);
	put(w, EXTRA - 4, 2);
	put(w, w->bytes, 8);
	put(w, w->bytes, 8);
}

void zip_begin(struct zip_writer *w)
{
	out_text(w->out, "PK\3\4");
	put_member(w);
	out_text(w->out, w->name);
	put_extra(w);
	w->out->see = see;
	w->out->self = w;
}

/* The end of the directory in 64 bits, where that is, and in 32 bits. */
static void put_end(struct zip_writer *w, uint64_t at, uint64_t length)
{
	out_text(w->out, "PK\6\6");
	put(w, 44, 8);
	put(w, VERSION, 2);
	put(w, VERSION, 2);
	put(w, 0, 8);          /* numbers of disks */
	put(w, 1, 8);
	put(w, 1, 8);
	put(w, length, 8);
	put(w, at, 8);
	out_text(w->out, "PK\6\7");
	put(w, 0, 4);
	put(w, at + length, 8);
	put(w, 1, 4);
	out_text(w->out, "PK\5\6");
	put(w, 0, 4);
	put(w, 1, 2);
	put(w, 1, 2);
	put(w, length, 4);
	put(w, at < ELSEWHERE ? at : ELSEWHERE, 4);
	put(w, 0, 2);
}

void zip_end(struct zip_writer *w)
{
	const uint64_t name = strlen(w->name);

	w->out->see = NULL;
	out_text(w->out, "PK\7\10");
	put(w, w->crc, 4);
	put(w, w->bytes, 8);
	put(w, w->bytes, 8);
	out_text(w->out, "PK\1\2");
	put(w, VERSION, 2);
	put_member(w);
	put(w, 0, 2 + 2 + 2 + 4);  /* comment, disk, attributes */
	put(w, 0, 4);          /* where the member is */
	out_text(w->out, w->name);
	put_extra(w);
	put_end(w, LOCAL + name + EXTRA + w->bytes + DESCRIPTOR,
		ENTRY + name + EXTRA);
}
