/* rows.c: rows of a table into bytes, in blocks, by threads. */
#include <string.h>

#include "core/blocks.h"
#include "formats/rows.h"
#include "formats/slices.h"

enum {
	BLOCK_BYTES = 1 << 18,  /* stays in a processor's own cache */
	SMALL_BYTES = 1 << 15,  /* of a small table: fresh memory costs time */
	SMALL_ROWS = 1 << 10,
};

size_t row_begin(const struct rows *r, size_t i, char *to)
{
	return r->before ? r->before(r, i, to) : 0;
}

size_t row_end(const struct rows *r, char *to)
{
	const size_t n = strlen(r->after);

	memcpy(to, r->after, n);
	return n;
}

/* A row x rounded to the dtype, to rounded. */
static struct numbers round_row(const struct table *t, const double *x,
				double *rounded)
{
	if (t->dtype == F32) {
		dtype_store(F32, x, t->cols, rounded);
		return (struct numbers){ .f = (float *)(void *)rounded };
	}
	for (size_t j = 0; j < t->cols; j++)
		rounded[j] = dtype_round(t->dtype, x[j]);
	return (struct numbers){ .d = rounded };
}

/* Rows first to first + n - 1; many at once, where the table can. */
static size_t make_rows(const void *self, size_t first, size_t n,
			void *scratch, unsigned char *to)
{
	const struct rows *r = self;
	const struct table *t = r->t;
	const bool floats = t->dtype == F32 && t->floats;
	float *all = scratch;
	double *rounded = scratch, *made = rounded + t->cols;
	char *at = (char *)to;

	if (floats)
		t->floats(t, first, n, all);
	else if (t->doubles)
		t->doubles(t, first, n, made);
	for (size_t i = 0; i < n; i++) {
		struct numbers x = { .f = all + i * t->cols };

		if (!floats)
			x = round_row(t, t->doubles ? made + i * t->cols
				      : t->row(t, first + i, made), rounded);
		at += row_begin(r, first + i, at);
		at += r->numbers(r, x, t->cols, at);
		at += row_end(r, at);
	}
	return (size_t)(at - (char *)to);
}

/* The same where they are numbers and nothing else. */
static size_t make_binary(const void *self, size_t first, size_t n,
			  void *scratch, unsigned char *to)
{
	const struct table *t = ((const struct rows *)self)->t;
	const size_t bytes = t->cols * dtype_size(t->dtype);

	if (t->dtype == F32 && t->floats) {
		t->floats(t, first, n, (float *)(void *)to);
	} else if (t->doubles) {
		t->doubles(t, first, n, scratch);
		dtype_store(t->dtype, scratch, n * t->cols, to);
	} else {
		for (size_t i = 0; i < n; i++)
			dtype_store(t->dtype, t->row(t, first + i, scratch),
				    t->cols, to + i * bytes);
	}
	return n * bytes;
}

/* Rows of a block: a cacheful. */
static size_t block_rows(const struct table *t, size_t row_bytes)
{
	const size_t rows = t->end - t->begin;
	const size_t bytes = rows > SMALL_ROWS ? BLOCK_BYTES : SMALL_BYTES;
	const size_t n = table_block(t, bytes, row_bytes);

	return n < rows ? n : rows;
}

/* Who takes blocks, and how many of their rows were taken. */
struct metered {
	rows_taker *take;
	void *taker;
	struct progress *progress;
	size_t rows, done;
};

static bool take_metered(void *taker, const unsigned char *bytes, size_t n)
{
	struct metered *m = taker;

	progress_show(m->progress, m->done);
	m->done += m->rows;
	return m->take(m->taker, bytes, n);
}

static bool give_blocks(const struct rows *r, rows_taker *take, void *taker,
			struct progress *progress, struct error *err)
{
	const struct table *t = r->t;
	const size_t bytes = r->before_room + t->cols * r->number_room +
			     strlen(r->after);
	const size_t rows = block_rows(t, bytes);
	const size_t floats = rows * t->cols * sizeof(float);
	const size_t doubles = (t->doubles ? rows + 1 : 2) * t->cols *
			       sizeof(double);
	struct metered m = { take, taker, progress, rows, 0 };
	const struct blocks b = {
		.begin = t->begin, .end = t->end, .rows = rows,
		.bytes = rows * bytes,
		.scratch = floats > doubles ? floats : doubles,
		.make = r->numbers ? make_rows : make_binary, .self = r,
		.take = take_metered, .taker = &m,
	};

	return blocks_run(&b, r->style->threads, err);
}

bool rows_give(const struct rows *r, rows_taker *take, void *taker,
	       struct error *err)
{
	const struct table *t = r->t;
	struct progress progress;
	bool good;

	progress_begin(&progress, r->style->progress ? t->end - t->begin : 0);
	good = slices_pay(t) ? slices_give(r, take, taker, &progress, err)
			     : give_blocks(r, take, taker, &progress, err);
	progress_end(&progress);
	return good;
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

void rows_binary(const struct table *t, const struct style *style,
		 struct out *o)
{
	rows_send(&(struct rows){ .t = t, .style = style, .after = "",
				  .number_room = dtype_size(t->dtype) }, o);
}

size_t rows_binary_size(const struct table *t)
{
	return (t->end - t->begin) * t->cols * dtype_size(t->dtype);
}

size_t rows_text_size(const struct table *t, bool *exact)
{
	*exact = false;
	/* Each number is a digit and what parts it from the next. */
	return (t->end - t->begin) * t->cols * 2;
}
