/* inspect_pairs.c: the similarity of all pairs of rows. */
#include <math.h>

#include "table/table.h"
#include "views/inspect.h"
#include "views/similarity.h"

enum { NEAR = 20 };  /* rows from the diagonal */

/*
 * How far rounding moves cosines. Values rounded by a relative error u turn a
 * row by up to u: a cosine c changes by up to 2 u sqrt(1 - c^2) + 2 u^2. Sums
 * of products in float64 add to that.
 */
struct cosine_error {
	double unit;       /* u */
	double sum;        /* of the arithmetic */
};

static struct cosine_error cosine_error_of(const struct table *x)
{
	static const double units[] = {
		[F64] = 0x1p-53,
		[F32] = 0x1p-24,
		[F16] = 0x1p-11,
		[BF16] = 0x1p-8,
	};
	const enum dtype d = dtype_smallest(x->row(x, 0, NULL),
					    x->rows * x->cols);

	return (struct cosine_error){
		.unit = units[d],
		.sum = 0x1p-50 + 0x1p-51 * sqrt((double)x->cols),
	};
}

/* Whether the cosines a and b differ by more than rounding. */
static bool cosines_differ(const struct cosine_error *e, double a, double b)
{
	const double sine = sqrt(fmax(0, 1 - fmin(a * a, b * b)));

	return fabs(a - b) > 4 * e->unit * (sine + e->unit) + e->sum;
}

/* Steps away from the diagonal that change the cosine, those that lower it. */
struct monotonicity {
	struct cosine_error error;
	struct curve curve;
	size_t steps, decreasing, near, near_decreasing, equal;
};

static bool take_cosines(void *self, size_t i, const double *x)
{
	struct monotonicity *m = self;

	curve_row(&m->curve, i, x);
	for (size_t j = i; j + 1 < m->curve.n; j++) {
		const bool changes = cosines_differ(&m->error, x[j], x[j + 1]);
		const bool decreases = changes && x[j + 1] < x[j];
		const bool near = changes && j - i < NEAR;

		m->equal += !changes;
		m->steps += changes;
		m->decreasing += decreases;
		m->near += near;
		m->near_decreasing += near && decreases;
	}
	return true;
}

/* The two nearest rows, and the distances of neighbouring rows. */
struct nearest {
	size_t n, row, other;
	double min, adjacent;     /* the sum over neighbouring rows */
};

static bool take_distances(void *self, size_t i, const double *x)
{
	struct nearest *m = self;

	for (size_t j = i + 1; j < m->n; j++)
		if (x[j] < m->min) {
			m->min = x[j];
			m->row = i;
			m->other = j;
		}
	m->adjacent += i + 1 < m->n ? x[i + 1] : 0;
	return true;
}

/* Pass each row of the similarity table of x to visit(). */
static bool each_similarity(const struct table *x, enum metric metric,
			    row_visitor *visit, void *self, struct error *err)
{
	struct table t = { 0 };
	const bool good = similarity_open(&t, x, metric, err) &&
			  table_each(&t, visit, self, err);

	table_close(&t);
	return good;
}

static bool add_nearest(struct inspection *s, const struct table *x,
			struct error *err)
{
	struct nearest m = { .n = x->rows, .min = HUGE_VAL };
	double adjacent, rows[2];

	if (!each_similarity(x, METRIC_L2, take_distances, &m, err))
		return false;
	adjacent = m.adjacent / (double)(x->rows - 1);
	rows[0] = (double)m.row;
	rows[1] = (double)m.other;
	report_numbers(s->r, "nearest_rows", rows, 2);
	report_number(s->r, "nearest_distance", m.min, NULL);
	report_number(s->r, "adjacent_distance", adjacent,
		      "(mean of neighbouring rows)");
	return true;
}

/*
 * 1 - sum (G[i, j] - mean of its distance)^2 / sum (G[i, j] - mean of G)^2
 * and its parts, from the curve of G = X X^T.
 */
static void add_invariance(struct inspection *s, const struct curve *c)
{
	double weight = 0, mean = 0, within = 0, total = 0, std = 0, worst = 0;

	for (size_t k = 0; k < c->n; k++) {
		const double pairs = (double)(k ? 2 * (c->n - k) : c->n);

		weight += pairs;
		mean += pairs * c->mean[k];
		std += c->std[k];
		worst = fmax(worst, c->std[k]);
	}
	mean /= weight;
	for (size_t k = 0; k < c->n; k++) {
		const double pairs = (double)(k ? 2 * (c->n - k) : c->n);
		const double d = c->mean[k] - mean;

		within += pairs * c->std[k] * c->std[k];
		total += pairs * (c->std[k] * c->std[k] + d * d);
	}
	s->invariance = total > 0 ? 1 - within / total : 1;
	report_number(s->r, "translation_invariance", s->invariance,
		      "(1: dot products depend only on the distance of rows)");
	report_number(s->r, "diagonal_std_mean", std / (double)c->n, NULL);
	report_number(s->r, "diagonal_std_max", worst, NULL);
	report_number(s->r, "diagonal_std_relative",
		      total > 0 ? worst / sqrt(total / weight) : 0,
		      "(max / std of all dot products)");
}

static void add_monotonicity(struct inspection *s,
			     const struct monotonicity *m)
{
	const struct curve *c = &m->curve;
	size_t rise = 1, min = 0;

	while (rise < c->n &&
	       (c->mean[rise] <= c->mean[rise - 1] ||
		!cosines_differ(&m->error, c->mean[rise], c->mean[rise - 1])))
		rise++;
	for (size_t k = 0; k < c->n; k++)
		min = c->mean[k] < c->mean[min] ? k : min;
	if (!cosines_differ(&m->error, c->mean[min], c->mean[0]))
		min = 0;
	report_number(s->r, "monotonicity", (double)m->decreasing /
		      (double)m->steps, "(share of steps away from the "
		      "diagonal where cosine similarity decreases)");
	report_number(s->r, "monotonicity_near", (double)m->near_decreasing /
		      (double)m->near, "(the same within 20 rows)");
	report_number(s->r, "monotonicity_equal", (double)m->equal,
		      "(steps left out: they change it by no more than "
		      "rounding)");
	if (rise < c->n)
		report_number(s->r, "first_violation", (double)rise,
			      "rows apart (smallest distance at which the mean "
			      "cosine similarity rises)");
	else
		report_text(s->r, "first_violation", "none");
	report_number(s->r, "min_cosine", c->mean[min], "(smallest mean at "
		      "one distance)");
	report_number(s->r, "min_cosine_at", (double)min, "rows apart");
}

bool inspect_pairs(struct inspection *s, struct error *err)
{
	const struct table *x = s->x;
	struct curve dots;
	struct monotonicity m = { .error = cosine_error_of(x) };
	struct table t = { 0 };
	bool good;

	report_group(s->r, "pairs");
	if (!add_nearest(s, x, err) ||
	    !curve_begin(&m.curve, x->rows, s->r->owner, err) ||
	    !each_similarity(x, METRIC_COSINE, take_cosines, &m, err))
		return false;
	curve_end(&m.curve);
	good = similarity_open(&t, x, METRIC_DOT, err) &&
	       curve_open(&dots, &t, s->r->owner, err);
	table_close(&t);
	if (good) {
		add_invariance(s, &dots);
		add_monotonicity(s, &m);
	}
	return good;
}
