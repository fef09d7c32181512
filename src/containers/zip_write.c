/* zip_write.c: a zip archive of stored members (APPNOTE.TXT 4.3, 4.5). */
#include <stdio.h>
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
	struct zip_written *m = self;

	m->crc = crc_add(m->crc, bytes, n);
}

/*
 * What the local header and the entry of the directory share, up to extra, of
 * so many bytes.
 */
static void put_member(struct zip_writer *w, const struct zip_written *m,
		       size_t extra)
{
	put(w, VERSION, 2);
	put(w, SIZES_FOLLOW, 2);
	put(w, 0, 2);          /* stored */
	put(w, 0, 2);          /* midnight */
	put(w, YEAR_1980, 2);
	put(w, m->crc, 4);
	put(w, ELSEWHERE, 4);
	put(w, ELSEWHERE, 4);
	put(w, strlen(m->name), 2);
	put(w, extra, 2);
}

static void put_extra(struct zip_writer *w, const struct zip_written *m,
		      size_t extra)
{
	put(w, 1, 2);
	put(w, extra - 4, 2);
	put(w, m->bytes, 8);
	put(w, m->bytes, 8);
	if (extra > EXTRA)
		put(w, m->at, 8);
}

/* The bytes of extra in the directory, where the place may need 64 bits. */
static size_t entry_extra(const struct zip_written *m)
{
	return m->at < ELSEWHERE ? EXTRA : EXTRA + 8;
}

static uint64_t member_size(const struct zip_written *m)
{
	return LOCAL + strlen(m->name) + EXTRA + m->bytes + DESCRIPTOR;
}

void zip_add(struct zip_writer *w, const char *name, uint64_t bytes)
{
	struct zip_written *m = &w->members[w->n++];

	*m = (struct zip_written){ .bytes = bytes };
	snprintf(m->name, sizeof m->name, "%s", name);
	if (w->n > 1)
		m->at = m[-1].at + member_size(&m[-1]);
	out_text(w->out, "PK\3\4");
	put_member(w, m, EXTRA);
	out_text(w->out, m->name);
	put_extra(w, m, EXTRA);
	w->out->see = see;
	w->out->self = m;
}

void zip_added(struct zip_writer *w)
{
	const struct zip_written *m = &w->members[w->n - 1];

	w->out->see = NULL;
	out_text(w->out, "PK\7\10");
	put(w, m->crc, 4);
	put(w, m->bytes, 8);
	put(w, m->bytes, 8);
}

/* The end of the directory in 64 bits, where that is, and in 32 bits. */
static void put_end(struct zip_writer *w, uint64_t at, uint64_t length)
{
	out_text(w->out, "PK\6\6");
	put(w, 44, 8);
	put(w, VERSION, 2);
	put(w, VERSION, 2);
	put(w, 0, 8);          /* numbers of disks */
	put(w, w->n, 8);
	put(w, w->n, 8);
	put(w, length, 8);
	put(w, at, 8);
	out_text(w->out, "PK\6\7");
	put(w, 0, 4);
	put(w, at + length, 8);
	put(w, 1, 4);
	out_text(w->out, "PK\5\6");
	put(w, 0, 4);
	put(w, w->n, 2);
	put(w, w->n, 2);
	put(w, length, 4);
	put(w, at < ELSEWHERE ? at : ELSEWHERE, 4);
	put(w, 0, 2);
}

void zip_end(struct zip_writer *w)
{
	const struct zip_written *last = &w->members[w->n - 1];
	uint64_t length = 0;

	for (const struct zip_written *m = w->members; m <= last; m++) {
		const size_t extra = entry_extra(m);

		out_text(w->out, "PK\1\2");
		put(w, VERSION, 2);
		put_member(w, m, extra);
		put(w, 0, 2 + 2 + 2 + 4);  /* comment, disk, attributes */
		put(w, extra > EXTRA ? ELSEWHERE : m->at, 4);
		out_text(w->out, m->name);
		put_extra(w, m, extra);
		length += ENTRY + strlen(m->name) + extra;
	}
	put_end(w, last->at + member_size(last), length);
}
