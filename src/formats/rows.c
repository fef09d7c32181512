/* rows.c: rows of a table into bytes, in blocks, for every format. */
#include <string.h>

#include "formats/rows.h"

enum {
	BLOCK_BYTES = 1 << 18,  /* stays in a processor's own cache */
	SMALL_BYTES = 1 << 15,  /* of a small table: fresh memory costs time */
	SMALL_ROWS = 1 << 10,
};

/* Rows as numbers: floats many at once, where the table can. */
static size_t make_binary(const void *self, size_t first, size_t n,
			  void *scratch, unsigned char *to)
{
	const struct table *t = ((const struct rows *)self)->t;
	const size_t bytes = t->cols * dtype_size(t->dtype);

	if (t->dtype == F32 && t->floats) {
		t->floats(t, first, n, (float *)(void *)to);
		return n * bytes;
	}
	for (size_t i = 0; i < n; i++)
		dtype_store(t->dtype, t->row(t, first + i, scratch), t->cols,
			    to + i * bytes);
	return n * bytes;
}

/* Row i rounded to the dtype, through scratch [cols] and rounded [cols]. */
static struct numbers round_row(const struct table *t, size_t i,
				double *scratch, double *rounded)
{
	const double *x = t->row(t, i, scratch);

	if (t->dtype == F32) {
		dtype_store(F32, x, t->cols, rounded);
		return (struct numbers){ .f = (float *)(void *)rounded };
	}
	for (size_t j = 0; j < t->cols; j++)
		rounded[j] = dtype_round(t->dtype, x[j]);
	return (struct numbers){ .d = rounded };
}

static size_t make_text(const void *self, size_t first, size_t n,
			void *scratch, unsigned char *to)
{
	const struct rows *r = self;
	const struct table *t = r->t;
	float *f = scratch;
	double *d = scratch;
	unsigned char *at = to;

	if (t->dtype == F32 && t->floats) {
		t->floats(t, first, n, f);
		for (size_t i = 0; i < n; i++)
			at += r->text(r, first + i, (struct numbers)
				      { .f = f + i * t->cols }, at);
		return (size_t)(at - to);
	}
	for (size_t i = 0; i < n; i++)
		at += r->text(r, first + i,
			      round_row(t, first + i, d, d + t->cols), at);
	return (size_t)(at - to);
}

/* Rows of a block: a cacheful, in multiples of what comes cheaper together. */
static size_t block_rows(const struct table *t, size_t row_bytes)
{
	const size_t rows = t->end - t->begin;
	const size_t bytes = rows > SMALL_ROWS ? BLOCK_BYTES : SMALL_BYTES;
	size_t n = bytes / row_bytes;

	if (t->together)
		n = n < t->together ? t->together : n - n % t->together;
	return n < 1 ? 1 : n > rows ? rows : n;
}

bool rows_give(const struct rows *r,
	       bool (*take)(void *taker, const unsigned char *bytes, size_t n),
	       void *taker, struct error *err)
{
	const struct table *t = r->t;
	const size_t bytes = r->text ? r->row_bytes
				     : t->cols * dtype_size(t->dtype);
	const size_t rows = block_rows(t, bytes);
	const size_t many = t->floats && rows > 4 ? rows : 4;
	const struct blocks b = {
		.begin = t->begin, .end = t->end, .rows = rows,
		.bytes = rows * bytes, .scratch = many * t->cols * sizeof(float),
		.make = r->text ? make_text : make_binary, .self = r,
		.take = take, .taker = taker,
	};

	return blocks_run(&b, r->style->threads, err);
}

static bool take_bytes(void *taker, const unsigned char *bytes, size_t n)
{
	struct out *o = taker;

	out_bytes(o, bytes, n);
	return !o->err.text[0];
}

void rows_send(const struct rows *r, struct out *o)
{
	struct error err = { 0 };

	if (!rows_give(r, take_bytes, o, &err))
		out_fail(o, err.text);
}
