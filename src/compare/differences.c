/* differences.c: the differences of two tables, as a table for figures. */
#include "compare/compare.h"

enum { PIECE = 512 };  /* values of a row at once */

/* Values first to first + PIECE - 1 of row i of a pair of tables. */
struct piece {
	size_t n;
	double a[PIECE], b[PIECE];
};

static void read_piece(struct piece *p, const struct table *pair, size_t i,
		       size_t first)
{
	const size_t left = pair->cols - first;

	p->n = left < PIECE ? left : PIECE;
	table_part(&pair[0], i, first, p->n, p->a);
	table_part(&pair[1], i, first, p->n, p->b);
}

static const double *difference_row(const struct table *t, size_t i,
				    double *scratch)
{
	struct piece p;

	for (size_t first = 0; first < t->cols; first += p.n) {
		read_piece(&p, t->state, i, first);
		for (size_t j = 0; j < p.n; j++)
			scratch[first + j] =
				value_difference(p.a[j], p.b[j]) > 0
				? p.b[j] - p.a[j] : 0;
	}
	return scratch;
}

/* The largest and the mean magnitude of the differences of a row. */
static const double *magnitudes_row(const struct table *t, size_t i,
				    double *scratch)
{
	const struct table *pair = t->state;
	double sum = 0, most = 0;
	struct piece p;

	for (size_t first = 0; first < pair->cols; first += p.n) {
		read_piece(&p, pair, i, first);
		for (size_t j = 0; j < p.n; j++) {
			const double x = value_difference(p.a[j], p.b[j]);

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
	t->col_axis = a->col_axis;
	if (lines)
		t->col_axis = (struct axis){ .name = "magnitude", .step = 1,
					     .names = magnitudes };
	t->row = lines ? magnitudes_row : difference_row;
	t->state = inputs;
	return true;
}
