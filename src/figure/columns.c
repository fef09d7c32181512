/* columns.c: which columns of a table, or pairs of them, a figure draws. */
#include <math.h>

#include "figure/columns.h"

#define TWO_PI 6.283185307179586

bool pair_columns(const struct table *t, size_t k, size_t *a, size_t *b)
{
	const struct axis *axis = &t->col_axis;
	const bool split = axis->pairs == PAIRS_SPLIT;

	*a = split ? k : 2 * k;
	*b = *a + axis->apart;
	return axis->apart && *b < t->cols && (!split || k < axis->apart);
}

size_t pairs_count(const struct table *t)
{
	size_t k = 0, a, b;

	while (pair_columns(t, k, &a, &b))
		k++;
	return k;
}

/* The pairs, from the first on, whose wavelength is at most most. */
static size_t turning(const struct frequencies *f, size_t all, double most)
{
	size_t k = 0;

	while (k < all && k < f->n &&
	       TWO_PI / fabs(f->at(f->self, k)) <= most)
		k++;
	return k;
}

/* The positions that rows of t span, and one more. */
static double span(const struct table *t, size_t rows)
{
	const size_t first = t->begin % t->rows;

	return fabs(axis_label(&t->row_axis, first + rows - 1) -
		    axis_label(&t->row_axis, first)) + 1;
}

void pairs_spread(size_t *to, size_t n, const struct table *t, size_t rows)
{
	const size_t pairs = pairs_count(t), all = pairs ? pairs : t->cols;
	size_t last = all;

	/* Up to twice the length, or to what n pairs need */
	if (pairs && t->frequencies.n >= pairs)
		for (double most = 2 * span(t, rows); most < HUGE_VAL;
		     most *= 2) {
			last = turning(&t->frequencies, all, most);
			if (last >= n)
				break;
		}
	for (size_t i = 0; i < n; i++)
		to[i] = n > 1 ? (i * (last - 1) + (n - 1) / 2) / (n - 1) : 0;
}

size_t columns_count(const struct look *look, const struct table *t, size_t all,
		     size_t usual)
{
	struct range d = look->dims;

	range_fill(&d, t->cols);
	return d.given ? (size_t)(d.last - d.first)
	       : t->cols <= all ? t->cols : usual;
}

void columns_choose(size_t *to, size_t n, const struct look *look,
		    const struct table *t)
{
	const bool spread = !look->dims.given && n < t->cols;
	struct range d = look->dims;

	range_fill(&d, t->cols);
	if (spread)
		pairs_spread(to, n, t, (t->end - 1) % t->rows -
			     t->begin % t->rows + 1);
	for (size_t i = 0; i < n; i++) {
		size_t ends[2];

		if (!spread)
			to[i] = (size_t)d.first + i;
		else if (pair_columns(t, to[i], &ends[0], &ends[1]))
			to[i] = ends[i % 2];
	}
}
