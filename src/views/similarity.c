/* similarity.c: posenc similarity: every row of a table with every row. */
#include <math.h>

#include "recipe/recipe.h"
#include "views/cells.h"
#include "views/fft.h"
#include "views/gram.h"
#include "views/similarity.h"

enum {
	LARGEST = 500,          /* so that sums of products are finite */
	SPREAD_MOST = 16384,    /* rows whose pairs are all compared at once */
};

#define NORM_MIN 0x1p-250       /* so that products of squared norms */
#define NORM_MAX 0x1p250        /* neither underflow nor overflow */

struct pairs_of_rows {
	enum metric metric;
	struct gram gram;
	double *square;  /* [rows] x_i . x_i */
};

bool similarity_one_plane(const struct table *x, struct error *err)
{
	if (x->planes != 1)
		return fail(err, "TABLE has %zu planes: select one with "
			    "--head H", x->planes);
	return true;
}

bool similarity_below(const struct table *t, const char *name, int exponent,
		      struct error *err)
{
	const double most = ldexp(1, exponent);

	for (size_t i = 0; i < t->planes * t->rows; i++) {
		const double *x = t->row(t, i, NULL);

		for (size_t j = 0; j < t->cols; j++)
			if (!isfinite(x[j]))
				return fail(err, "values of %s must be finite, "
					    "got %g at row %zu, column %zu",
					    name, x[j], i, j);
			else if (fabs(x[j]) >= most)
				return fail(err, "values of %s must be below "
					    "2^%d in magnitude, got %g at row "
					    "%zu, column %zu", name, exponent,
					    x[j], i, j);
	}
	return true;
}

bool similarity_check(const struct table *x, struct error *err)
{
	return similarity_one_plane(x, err) &&
	       similarity_below(x, "TABLE", LARGEST, err);
}

/* Exactly 1 for equal rows, since sqrt(a * a) is a. */
static double cosine(double dot, double square, double other)
{
	const double norms = sqrt(square * other);

	return norms > 0 ? fmax(-1, fmin(1, dot / norms)) : 0;
}

static void similarity_doubles(const struct table *t, size_t first, size_t n,
			       double *out)
{
	const struct pairs_of_rows *s = t->state;

	gram_rows(&s->gram, &s->gram, first, n, out);
	for (size_t i = first; i < first + n; i++, out += t->cols)
		for (size_t j = 0; j < t->cols; j++)
			out[j] = (s->metric == METRIC_L2 ? sqrt(out[j]) :
				  s->metric == METRIC_DOT ? out[j] :
				  cosine(out[j], s->square[i], s->square[j]))
				 + 0.0;  /* no -0 */
}

static const double *similarity_row(const struct table *t, size_t i,
				    double *scratch)
{
	similarity_doubles(t, i, 1, scratch);
	return scratch;
}

static bool take_squares(struct pairs_of_rows *s, struct table *t,
			 struct error *err)
{
	const size_t rows = s->gram.rows;

	s->square = table_alloc(t, rows, sizeof *s->square, err);
	if (s->square)
		gram_squares(&s->gram, s->square);
	return s->square;
}

/* Fail unless the cosines of row i, of that norm, can be computed, or are 0. */
static bool check_norm(double norm, size_t i, struct table *t,
		       struct error *err)
{
	if (!(norm > 0))
		t->from.note = "the cosine similarity of a row of zeros is "
			       "given as 0";
	else if (norm > NORM_MAX || norm < NORM_MIN)
		return fail(err, "cosine similarity needs row norms from "
			    "2^-250 to 2^250, got %g in row %zu", norm, i);
	return true;
}

/* |x_i . x_j| <= max |x_i|^2; |x_i - x_j| <= 2 max |x_i|. */
static void set_bounds(struct table *t, const struct pairs_of_rows *s)
{
	double max = 0;

	for (size_t i = 0; i < s->gram.rows; i++)
		max = fmax(max, s->square[i]);
	max *= 1 + 0x1p-30;  /* a margin for rounding */
	t->bounds = BOUNDS_LOOSE;
	t->hi = s->metric == METRIC_COSINE ? 1 :
		s->metric == METRIC_DOT ? max : 2 * sqrt(max);
	t->lo = s->metric == METRIC_L2 ? 0 : -t->hi;
}

/* What row i is multiplied by for its share in the mean of n rows. */
static double share(const struct pairs_of_rows *s, size_t i, size_t n)
{
	const double norm = s->metric == METRIC_COSINE ? sqrt(s->square[i]) : 1;

	return norm > 0 ? 1 / norm / (double)n : 0;
}

/* Mean products of rows are products of mean rows, for cosines of length 1. */
static bool similarity_means(const struct table *t, size_t n, struct table *to,
			     struct error *err)
{
	const struct pairs_of_rows *s = t->state;
	const size_t rows = (t->rows + n - 1) / n;
	struct table x = { .planes = 1, .rows = rows, .end = rows,
			   .cols = s->gram.cols };
	double *mean = table_alloc(&x, rows * x.cols, sizeof *mean, err);
	bool good;

	for (size_t i = 0; mean && i < t->rows; i++) {
		const size_t left = t->rows - i / n * n;

		gram_add(&s->gram, i, share(s, i, left < n ? left : n),
			 mean + i / n * x.cols);
	}
	table_dense(&x, mean);
	good = mean && similarity_open(to, &x, METRIC_DOT, err);
	table_close(&x);
	return good;
}

bool similarity_open(struct table *t, const struct table *x, enum metric metric,
		     struct error *err)
{
	struct pairs_of_rows *s = table_alloc(t, 1, sizeof *s, err);

	if (!s || !similarity_check(x, err) ||
	    !gram_open(&s->gram, metric == METRIC_L2 ? GRAM_DISTANCES
		       : GRAM_DOTS, &(struct gram_source){
				x, 0, x->rows, 0, x->cols }, t, err) ||
	    !take_squares(s, t, err))
		return false;
	s->metric = metric;
	for (size_t i = 0; metric == METRIC_COSINE && i < x->rows; i++)
		if (!check_norm(sqrt(s->square[i]), i, t, err))
			return false;
	t->planes = 1;
	t->rows = t->cols = t->end = x->rows;
	t->dtype = F32;
	set_bounds(t, s);
	t->row_axis = t->col_axis = x->row_axis;
	t->row = similarity_row;
	t->doubles = similarity_doubles;
	t->block_rows = GRAM_ROWS;
	t->means = metric == METRIC_L2 ? NULL : similarity_means;
	t->state = s;
	return true;
}

bool curve_begin(struct curve *c, size_t n, struct table *owner,
		 struct error *err)
{
	double *all = table_alloc(owner, n, 5 * sizeof *all, err);

	if (all)
		*c = (struct curve){ n, all, all + n, all + 2 * n,
				     all + 3 * n, all + 4 * n };
	return all;
}

/*
 * Until curve_end() mean and std hold the sums of x - first and of its square,
 * so that nothing cancels if all pairs of a distance are alike.
 */
void curve_row(struct curve *c, size_t i, const double *x)
{
	for (size_t k = 0; k < c->n - i; k++) {
		const double y = x[i + k], d = i ? y - c->first[k] : 0;

		if (i == 0)
			c->first[k] = c->min[k] = c->max[k] = y;
		c->mean[k] += d;
		c->std[k] += d * d;
		c->min[k] = y < c->min[k] ? y : c->min[k];
		c->max[k] = y > c->max[k] ? y : c->max[k];
	}
}

void curve_end(struct curve *c)
{
	for (size_t k = 0; k < c->n; k++) {
		const double pairs = (double)(c->n - k);
		const double d = c->mean[k] / pairs;

		c->mean[k] = c->first[k] + d;
		c->std[k] = sqrt(fmax(0, c->std[k] / pairs - d * d));
	}
}

static bool take_row(void *self, size_t i, const double *x)
{
	curve_row(self, i, x);
	return true;
}

bool curve_open(struct curve *c, const struct table *t, struct table *owner,
		struct error *err)
{
	if (!curve_begin(c, t->rows, owner, err) ||
	    !table_each(t, take_row, c, err))
		return false;
	curve_end(c);
	return true;
}

/*
 * A power of two that takes the largest magnitude to at most 1, so that squares
 * of sums stay finite.
 */
static double scale_of(const struct table *x)
{
	double most = 0;
	int exponent;

	for (size_t i = 0; i < x->rows; i++) {
		const double *row = x->row(x, i, NULL);

		for (size_t j = 0; j < x->cols; j++)
			most = fmax(most, fabs(row[j]));
	}
	frexp(most, &exponent);
	return ldexp(1, exponent < -LARGEST ? LARGEST : -exponent);
}

/* Columns of x times scale, [cols, rows]; for cosines, of rows of length 1. */
static bool load_columns(double *columns, const struct table *x,
			 enum metric metric, double scale, struct table *t,
			 struct error *err)
{
	for (size_t i = 0; i < x->rows; i++) {
		const double *row = x->row(x, i, NULL);
		double norm = 0;

		for (size_t j = 0; j < x->cols; j++)
			norm += row[j] * row[j];
		norm = sqrt(norm);
		if (metric == METRIC_COSINE) {
			if (!check_norm(norm, i, t, err))
				return false;
			scale = norm > 0 ? 1 / norm : 0;
		}
		for (size_t j = 0; j < x->cols; j++)
			columns[j * x->rows + i] = row[j] * scale;
	}
	return true;
}

/*
 * sums [n] of the products of rows k apart, from columns [cols + 1, n] of which
 * the last is 0: the correlation of each with itself, whose transform is the
 * square of the column's. Two columns, a + ib, have one transform; the real
 * part of its correlation is the sum of both.
 */
static bool correlate(const double *columns, size_t cols, size_t n,
		      double *sums, struct table *room, struct error *err)
{
	struct fft f;
	const bool good = fft_open(&f, 2 * n, room, err);
	double complex *z = good ? table_alloc(room, f.n, sizeof *z, err)
				 : NULL;
	double *power = z ? table_alloc(room, f.n, sizeof *power, err) : NULL;

	for (size_t j = 0; power && j < cols; j += 2) {
		const double *a = columns + j * n, *b = a + n;

		for (size_t i = 0; i < f.n; i++)
			z[i] = i < n ? a[i] + b[i] * I : 0;
		fft_transform(&f, z);
		for (size_t i = 0; i < f.n; i++)
			power[i] += creal(z[i]) * creal(z[i]) +
				    cimag(z[i]) * cimag(z[i]);
	}
	for (size_t i = 0; power && i < f.n; i++)
		z[i] = power[i] / (double)f.n;
	if (power)
		fft_transform(&f, z);
	for (size_t k = 0; power && k < n; k++)
		sums[k] = creal(z[k]);
	return power;
}

/* The means of dot products or cosines alone. */
static bool curve_means(struct curve *c, const struct table *x,
			enum metric metric, struct table *t, struct error *err)
{
	const double scale = metric == METRIC_DOT ? scale_of(x) : 1;
	struct table room = { 0 };
	double *columns = table_alloc(&room, (x->cols + 1) * x->rows,
				      sizeof *columns, err);
	const bool good = columns && similarity_check(x, err) &&
			  load_columns(columns, x, metric, scale, t, err) &&
			  correlate(columns, x->cols, x->rows, c->mean, &room,
				    err);

	for (size_t k = 0; good && k < c->n; k++) {
		const double mean = c->mean[k] / (double)(c->n - k) / scale /
				    scale + 0.0;

		c->mean[k] = metric == METRIC_DOT ? mean
						  : fmax(-1, fmin(1, mean));
	}
	table_close(&room);
	return good;
}

/* All statistics, or those that are not quadratic in the rows. */
enum { STATISTICS = 6, MEANS = 3 };

static const double *curve_table_row(const struct table *t, size_t i,
				     double *scratch)
{
	const struct curve *c = t->state;

	scratch[0] = (double)i;
	scratch[1] = c->mean[i];
	scratch[t->cols - 1] = (double)(c->n - i);
	if (t->cols == STATISTICS) {
		scratch[2] = c->std[i];
		scratch[3] = c->min[i];
		scratch[4] = c->max[i];
	}
	return scratch;
}

bool similarity_curve(struct table *t, const struct table *x,
		      enum metric metric, bool spread, struct error *err)
{
	static const char *const names[] = {
		"distance", "mean", "std", "min", "max", "n",
	};
	static const char *const means[] = { "distance", "mean", "n" };
	struct table whole = { 0 };
	struct curve *c = table_alloc(t, 1, sizeof *c, err);
	const bool all = spread || metric == METRIC_L2 ||
			 x->rows <= SPREAD_MOST;
	const bool good = c && (all
		? similarity_open(&whole, x, metric, err) &&
		  curve_open(c, &whole, t, err)
		: curve_begin(c, x->rows, t, err) &&
		  curve_means(c, x, metric, t, err));

	if (all)
		t->from.note = whole.from.note;
	table_close(&whole);
	t->rows = x->rows;
	t->cols = all ? STATISTICS : MEANS;
	t->dtype = F32;
	t->row_axis = axis_of(AXIS_DISTANCE);
	t->col_axis = (struct axis){ .name = "statistic", .step = 1,
				     .names = all ? names : means };
	t->row = curve_table_row;
	t->state = c;
	return good;
}

struct similarity {
	int metric;
	bool curve, spread;
	struct extents grid;
};

static const char *const metrics[] = { "dot", "cosine", "l2", NULL };

static const struct option similarity_options[] = {
	{ OPTION(struct similarity, metric), .phrase = "",
	  .initial = "dot",
	  .words = metrics, .arg = "NAME",
	  .help = "dot product, cosine similarity or Euclidean distance" },
	{ OPTION(struct similarity, curve), .phrase = "",
	  .help = "one row per distance between rows, with the statistics of "
		  "all pairs: distance, mean, std, min, max, n; figures draw "
		  "the mean as a line; dot products and cosines of more than "
		  "16384 rows: distance, mean, n" },
	{ OPTION(struct similarity, spread), .phrase = "", .needs = "curve",
	  .help = "std, min and max of more than 16384 rows, too; the time "
		  "grows with the square of the rows" },
	{ OPTION(struct similarity, grid), .excludes = "curve", .arg = "HxW",
	  .help = "the rows of TABLE are the cells of a grid of H rows and W "
		  "columns, row by row, for --plot tiles or maps" },
	{0}
};

/* Note that rows and columns are the cells of a grid, if they are. */
static bool take_grid(const struct similarity *s, struct table *t,
		      struct error *err)
{
	if (!s->grid.n)
		return true;
	if (!cells_take(&s->grid, t, err))
		return false;
	t->col_axis = t->row_axis;
	return true;
}

static bool similarity_make(void *self, const struct table *inputs,
			    struct table *t, struct error *err)
{
	static const char *const titles[][2] = {
		{ "Dot products of rows", "Dot products of cells" },
		{ "Cosines of rows", "Cosines of cells" },
		{ "Distances of rows", "Distances of cells" },
	};
	static const char *const values[] = {
		"dot product", "cosine", "distance",
	};
	const struct similarity *s = self;

	t->title = titles[s->metric][s->grid.n > 0];
	t->value = values[s->metric];
	if (s->curve)
		return similarity_curve(t, inputs, (enum metric)s->metric,
					s->spread, err) &&
		       (t->cols == STATISTICS ||
			table_note(t, err, "std, min and max of more than %d "
				   "rows are left out (--spread)",
				   SPREAD_MOST));
	return similarity_open(t, inputs, (enum metric)s->metric, err) &&
	       take_grid(s, t, err);
}

const struct recipe similarity_recipe = {
	.name = "similarity",
	.summary = "dot product, cosine or distance of every pair of rows",
	.about =
"Compares every row of a table with every row, by dot product, cosine\n"
"similarity or Euclidean distance. The result has one row and one column for\n"
"each row of the table. With --curve it has one row for each distance between\n"
"rows, with the statistics of all pairs of rows at that distance.\n",
	.details =
"  dot[i, j]    = sum_k x[i, k] x[j, k]\n"
"  cosine[i, j] = dot[i, j] / sqrt(dot[i, i] dot[j, j])\n"
"  l2[i, j]     = sqrt(sum_k (x[i, k] - x[j, k])^2)\n"
"\n"
"Sums run from the first column to the last in double precision, and are the\n"
"same on every machine. The cosine similarity of a row of zeros with any row\n"
"is given as 0.\n"
"\n"
"Row k of --curve has the statistics of the n pairs (i, i + k); std is the\n"
"standard deviation of these pairs (divided by n, not n - 1). In a sinusoidal\n"
"table the dot product of two rows depends only on their distance k.\n"
"\n"
"Of more than 16384 rows, --curve has distance, mean and n alone, but for l2:\n"
"the means of dot products and cosines then come from Fourier transforms, in\n"
"time n log n. Their error is below 1e-9 of the mean square of rows. --spread\n"
"compares all pairs, in time n^2, and has all six columns.\n",
	.paper = "Wang et al. 2021, On Position Embeddings in BERT, ICLR",
	.example = "posenc similarity pe.npy --metric cosine",
	.options = similarity_options,
	.size = sizeof(struct similarity),
	.inputs = 1,
	.make = similarity_make,
};
