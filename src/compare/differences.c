/* differences.c: the differences of two tables, as a table for figures. */
#include "compare/compare.h"

enum { PIECE = 512 };  /* values of a row at once */

/*
 * B - A of values first to at most first + PIECE - 1 of row i of a pair of
 * tables to out [PIECE], 0 where they are equal infinities or NaN; returns how
 * many there are.
 */
static size_t differences(const struct table *pair, size_t i, size_t first,
			  double *out)
{
	const size_t left = pair->cols - first;
	const size_t n = left < PIECE ? left : PIECE;
	double a[PIECE];

	table_part(&pair[0], i, first, n, a);
	table_part(&pair[1], i, first, n, out);
	for (size_t j = 0; j < n; j++)
		out[j] = value_difference(a[j], out[j]) > 0 ? out[j] - a[j] : 0;
	return n;
}

static const double *difference_row(const struct table *t, size_t i,
				    double *scratch)
{
	for (size_t j = 0; j < t->cols;)
		j += differences(t->state, i, j, scratch + j);
	return scratch;
}

/* The largest and the mean magnitude of the differences of a row. */
static const double *magnitudes_row(const struct table *t, size_t i,
				    double *scratch)
{
	const struct table *pair = t->state;
	double sum = 0, most = 0, d[PIECE];

	for (size_t first = 0, n; first < pair->cols; first += n) {
		n = differences(pair, i, first, d);
		for (size_t j = 0; j < n; j++) {
			/* NaN in one of them is infinitely far away */
			const double x = isnan(d[j]) ? (double)INFINITY
						     : fabs(d[j]);

			sum += x;
			most = fmax(most, x);
		}
	}
	scratch[0] = most;
	scratch[1] = sum / (double)pair->cols;
	return scratch;
}

bool compare_draw(void *self, const struct table *inputs, bool lines,
		  struct table *t, struct error *err)
{
	static const char *const magnitudes[] = { "largest", "mean" };
	const struct table *a = inputs, *b = inputs + 1;
	char x[SHAPE_TEXT], y[SHAPE_TEXT];

	(void)self;
	if (!same_shape(a, b))
		return fail(err, "a figure shows the differences of tables of "
			    "one shape, got %s and %s", shape_words(a, x),
			    shape_words(b, y));
	t->title = lines ? "|B \xe2\x88\x92 A| by row" : "B \xe2\x88\x92 A";
	t->value = "difference";
	t->planes = lines ? 1 : a->planes;
	t->rows = lines ? a->planes * a->rows : a->rows;
	t->cols = lines ? 2 : a->cols;
	t->plane_axis = a->plane_axis;
	t->row_axis = a->row_axis;
	t->col_axis = lines ? (struct axis){ .name = "magnitude", .step = 1,
					     .names = magnitudes }
			    : a->col_axis;
	t->row = lines ? magnitudes_row : difference_row;
	t->state = inputs;
	return true;
}
