/* isal.c: compression by ISA-L (github.com/intel/isa-l, igzip_lib.h). */
#include "formats/deflate.h"
#include "formats/isal.h"
#include "table/library.h"

/*
 * The start of ISA-L's structure in libisal.so.2; what is behind belongs to
 * the library, 82 KB in version 2.30.
 */
struct isal_zstream {
	uint8_t *next_in;
	uint32_t avail_in, total_in;
	uint8_t *next_out;
	uint32_t avail_out, total_out;
	void *hufftables;
	uint32_t level, level_buf_size;
	uint8_t *level_buf;
	uint16_t end_of_stream, flush, gzip_flag, hist_bits;
};

enum {
	LEVEL = 2,             /* of 0 to 3: the size of zlib's level 3 */
	LEVEL_BYTES = 135168,  /* of its buffer: ISAL_DEF_LVL2_SMALL */
	STREAM_BYTES = 1 << 19,
	ALONE = 8,             /* bytes of the block that is made first */
	NO_FLUSH = 0, SYNC_FLUSH = 1,
};

/* What is in the memory of a part. */
struct part {
	union {
		struct isal_zstream z;
		uint8_t all[STREAM_BYTES];
	};
	bool alone;            /* no bytes are before it, nor its first block */
	uint8_t level[LEVEL_BYTES];
};

_Static_assert(sizeof(struct part) <= DEFLATE_MEMORY, "a part has room");

bool isal_load(struct isal *l, struct error *err)
{
	static const char *const names[] = {
		"libisal.so.2", "libisal.2.dylib", NULL
	};
	static const struct library_function functions[] = {
#define F(name) { "isal_" #name, offsetof(struct isal, name), NULL }
		F(deflate_init), F(deflate_set_dict), F(deflate),
#undef F
		{ NULL, 0, NULL },
	};
	static const struct library library = { "libisal2", names, functions };

	return library_load(&library, l, err);
}

void isal_begin(const struct isal *l, void *memory, unsigned char *to,
		size_t n)
{
	struct part *p = memory;
	struct isal_zstream *z = &p->z;

	l->deflate_init(z);
	z->level = LEVEL;
	z->level_buf = p->level;
	z->level_buf_size = sizeof p->level;
	z->flush = NO_FLUSH;
	z->next_out = to;
	z->avail_out = (uint32_t)n;
}

/* Neither the library nor zlib writes to what it compresses. */
void isal_before(const struct isal *l, void *memory, const void *bytes,
		 size_t n)
{
	struct part *p = memory;

	l->deflate_set_dict(&p->z, (uint8_t *)(uintptr_t)bytes, (uint32_t)n);
	p->alone = !n;
}

static void add(const struct isal *l, struct isal_zstream *z,
		const uint8_t *bytes, size_t n, uint16_t flush)
{
	z->next_in = (uint8_t *)(uintptr_t)bytes;
	z->avail_in = (uint32_t)n;
	z->flush = flush;
	l->deflate(z);
}

/*
 * With no bytes before, the library (to 2.32) computes the hash of the third
 * one from a register that holds the address of its stream, so that what it
 * makes would not be the same in each run. A short block is made otherwise.
 */
void isal_bytes(const struct isal *l, void *memory, const void *bytes,
		size_t n)
{
	struct part *p = memory;
	struct isal_zstream *z = &p->z;
	const uint8_t *from = bytes;

	if (p->alone && z->total_in + n >= ALONE) {
		const size_t first = ALONE - z->total_in;

		add(l, z, from, first, SYNC_FLUSH);
		from += first;
		n -= first;
		p->alone = false;
	}
	add(l, z, from, n, NO_FLUSH);
}

size_t isal_end(const struct isal *l, void *memory, bool last)
{
	struct isal_zstream *z = &((struct part *)memory)->z;

	z->end_of_stream = last;
	z->flush = last ? NO_FLUSH : SYNC_FLUSH;
	l->deflate(z);
	return z->total_out;
}
