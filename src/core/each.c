/* each.c: every row of a table in turn. */
#include <string.h>

#include "core/blocks.h"
#include "core/each.h"

enum { BLOCK_BYTES = 1 << 18 };

/* The table, who looks at it, and the row that comes next. */
struct each {
	const struct table *t;
	row_look *look;
	void *self;
	size_t next;
};

static size_t make_rows(const void *self, size_t first, size_t n,
			void *scratch, unsigned char *to)
{
	const struct table *t = ((const struct each *)self)->t;
	const size_t bytes = t->cols * sizeof(double);

	if (t->doubles)
		t->doubles(t, first, n, (double *)(void *)to);
	for (size_t i = 0; !t->doubles && i < n; i++)
		memcpy(to + i * bytes, t->row(t, first + i, scratch), bytes);
	return n * bytes;
}

static bool take_rows(void *taker, const unsigned char *bytes, size_t n)
{
	struct each *e = taker;
	const double *x = (const double *)(const void *)bytes;
	const size_t cols = e->t->cols, rows = n / sizeof *x / cols;

	for (size_t i = 0; i < rows; i++)
		if (!e->look(e->self, e->next++, x + i * cols))
			return false;
	return true;
}

bool table_each(const struct table *t, row_look *look, void *self,
		struct error *err)
{
	struct each e = { t, look, self, t->begin };
	const size_t bytes = t->cols * sizeof(double);
	const size_t rows = table_block(t, BLOCK_BYTES, bytes);
	const struct blocks b = {
		.begin = t->begin, .end = t->end, .rows = rows,
		.bytes = rows * bytes, .scratch = bytes,
		.make = make_rows, .self = &e, .take = take_rows, .taker = &e,
	};

	return blocks_run(&b, 0, err);
}
