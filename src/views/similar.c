/* similar.c: the table of every row of a table with every row. */
#include <math.h>

#include "core/gram.h"
#include "views/similar.h"

#define LARGEST 0x1p500   /* products of these and their sums are finite */
#define LENGTH_LEAST 0x1p-250   /* so are products of squared lengths, */
#define LENGTH_MOST 0x1p250     /* and neither vanishes */

struct similar {
	enum metric metric;
	struct gram gram;
	double *square;  /* [rows] x_i . x_i */
};

bool similar_check(const struct table *x, struct error *err)
{
	if (x->planes != 1)
		return fail(err, "TABLE has %zu planes: --head H picks one",
			    x->planes);
	for (size_t i = 0; i < x->rows; i++) {
		const double *row = x->row(x, i, NULL);

		for (size_t j = 0; j < x->cols; j++)
			if (!(fabs(row[j]) < LARGEST))
				return fail(err, "row %zu, column %zu of TABLE "
					    "is %g, which has no %s", i, j,
					    row[j], isfinite(row[j])
					    ? "finite square" : "products");
	}
	return true;
}

/* Exactly 1 for equal rows, as sqrt(a a) is a. */
static double cosine(double dot, double square, double other)
{
	const double length = sqrt(square * other);

	return length > 0 ? fmax(-1, fmin(1, dot / length)) : 0;
}

static void similar_doubles(const struct table *t, size_t first, size_t n,
			    double *out)
{
	const struct similar *s = t->state;

	gram_rows(&s->gram, first, n, out);
	for (size_t i = first; i < first + n; i++, out += t->cols)
		for (size_t j = 0; j < t->cols; j++)
			out[j] = (s->metric == METRIC_L2 ? sqrt(out[j]) :
				  s->metric == METRIC_DOT ? out[j] :
				  cosine(out[j], s->square[i], s->square[j]))
				 + 0.0;  /* never -0 */
}

static const double *similar_row(const struct table *t, size_t i,
				 double *scratch)
{
	similar_doubles(t, i, 1, scratch);
	return scratch;
}

static bool take_squares(struct similar *s, struct table *t,
			 struct error *err)
{
	const size_t rows = s->gram.rows;

	s->square = table_alloc(t, rows, sizeof *s->square, err);
	for (size_t i = 0; s->square && i < rows; i++)
		s->square[i] = gram_square(&s->gram, i);
	return s->square;
}

/* Whether all rows have directions that doubles can hold, or none at all. */
static bool check_lengths(const struct similar *s, struct table *t,
			  struct error *err)
{
	for (size_t i = 0; i < s->gram.rows; i++) {
		const double length = sqrt(s->square[i]);

		if (!(length > 0))
			t->note = "the cosine of a row of zeros is given as 0";
		else if (length > LENGTH_MOST || length < LENGTH_LEAST)
			return fail(err, "row %zu of TABLE is %g long, which "
				    "is out of range for --metric cosine", i,
				    length);
	}
	return true;
}

/* |x_i . x_j| is at most the larger square; |x_i - x_j| twice its root. */
static void bound(struct table *t, const struct similar *s)
{
	double most = 0;

	for (size_t i = 0; i < s->gram.rows; i++)
		most = fmax(most, s->square[i]);
	most *= 1 + 0x1p-30;  /* what rounding may add */
	t->bounds = BOUNDS_LOOSE;
	t->hi = s->metric == METRIC_COSINE ? 1 :
		s->metric == METRIC_DOT ? most : 2 * sqrt(most);
	t->lo = s->metric == METRIC_L2 ? 0 : -t->hi;
}

bool similar_open(struct table *t, const struct table *x, enum metric metric,
		  struct error *err)
{
	struct similar *s = table_alloc(t, 1, sizeof *s, err);

	if (!s || !similar_check(x, err) ||
	    !gram_open(&s->gram, metric == METRIC_L2 ? GRAM_DISTANCES
		       : GRAM_DOTS, x, t, err) ||
	    !take_squares(s, t, err))
		return false;
	s->metric = metric;
	if (metric == METRIC_COSINE && !check_lengths(s, t, err))
		return false;
	t->planes = 1;
	t->rows = t->cols = t->end = x->rows;
	t->dtype = F32;
	bound(t, s);
	t->down = t->across = x->down;
	t->row = similar_row;
	t->doubles = similar_doubles;
	t->together = GRAM_TOGETHER;
	t->state = s;
	return true;
}
