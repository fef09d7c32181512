/*
 * before_order.c: rotations whose result has its columns in another order: some
 * code splits interleaved pairs into halves while it rotates (DeepSeek).
 */
#include <math.h>

#include "identify/before.h"

enum { SOME_ROWS = 64, MAX_COLUMNS = 16384 };

/* The column of y that is column j of its pairs in the other order. */
static size_t column_of(const struct order *o, size_t j)
{
	const size_t h = j % o->dim, half = o->dim / 2;

	return j - h +
	       (o->halves ? h / 2 + h % 2 * half : h % half * 2 + h / half);
}

/* Make to the first rows of y with its columns in the other order. */
static bool reorder(const struct before *b, const struct order *o, size_t rows,
		    struct table *to)
{
	double *x = table_alloc(b->owner, rows * b->cols, sizeof *x, b->err);

	*to = *b->y;
	if (!x)
		return false;
	for (size_t i = 0; i < rows; i++)
		for (size_t j = 0; j < b->cols; j++)
			x[i * b->cols + j] =
				before_row(b->y, i)[column_of(o, j)];
	table_dense(to, x);
	return true;
}

/* Whether some rows, reordered, are rotated: all columns, in that order. */
static bool is_order(const struct before *b, const struct order *o)
{
	struct before some = *b;
	struct table y;
	const char *why;

	some.rows = b->rows < SOME_ROWS ? b->rows : SOME_ROWS;
	some.y = &y;
	return reorder(b, o, some.rows, &y) && before_pairs(&some, &why) &&
	       some.pairing ==
		       (o->halves ? PAIRING_INTERLEAVED : PAIRING_HALF) &&
	       !some.offset && some.rotary == some.dim &&
	       before_is_rotation(&some);
}

bool before_order(struct before *b, struct table *y)
{
	for (size_t dim = b->cols; b->cols <= MAX_COLUMNS && dim >= 4; dim--)
		for (int halves = 1; b->cols % dim == 0 && halves >= 0;
		     halves--) {
			const struct order o = {dim, halves};
			const char *why;

			if (dim % 2 || !is_order(b, &o))
				continue;
			b->order = o;
			if (!reorder(b, &o, b->rows, y))
				return false;
			b->y = y;
			return before_pairs(b, &why);
		}
	return false;
}
