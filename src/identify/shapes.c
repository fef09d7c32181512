/* shapes.c: the same numbers looked at in other shapes. */
#include "identify/shapes.h"

/* The rows of a plane lie one behind another in a dense table. */
static const double *flat_row(const struct table *t, size_t i, double *scratch)
{
	const struct table *from = t->state;

	return from->row(from, i * from->rows, scratch);
}

bool shape_flat(struct table *to, const struct table *t)
{
	*to = *t;
	to->planes = 1;
	to->rows = t->planes;
	to->cols = t->rows * t->cols;
	to->row = flat_row;
	to->state = t;
	return t->planes > 1 && t->rows > 1;
}

bool shape_turned(struct table *to, const struct table *t,
		  struct table *owner, struct error *err)
{
	const size_t n = t->planes * t->rows;
	double *x = table_alloc(owner, n * t->cols, sizeof *x, err);

	*to = *t;
	to->planes = 1;
	to->rows = t->cols;
	to->cols = n;
	if (!x)
		return false;
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < t->cols; j++)
			x[j * n + i] = t->row(t, i, NULL)[j];
	table_dense(to, x);
	return n > 1;
}
