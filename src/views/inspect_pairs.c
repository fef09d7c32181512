/* inspect_pairs.c: what all pairs of rows have in common. */
#include <math.h>

#include "core/each.h"
#include "views/curve.h"
#include "views/inspect.h"
#include "views/similar.h"

enum { LOCAL = 20 };  /* distances that count as near */

#define RISE 1e-9   /* a cosine that rises by less has not risen */

/* How often rows grow less alike with each step away. */
struct falls {
	struct curve curve;
	size_t all, falling, near, near_falling;
};

static bool look_at_cosines(void *self, size_t i, const double *x)
{
	struct falls *f = self;

	curve_row(&f->curve, i, x);
	for (size_t j = i; j + 1 < f->curve.n; j++) {
		const bool falls = x[j + 1] < x[j], near = j - i < LOCAL;

		f->all++;
		f->falling += falls;
		f->near += near;
		f->near_falling += near && falls;
	}
	return true;
}

/* The nearest other row of each, and the nearest two of all. */
struct nearest {
	size_t n, row, other;
	double least, adjacent;   /* the sum over neighbouring rows */
};

static bool look_at_distances(void *self, size_t i, const double *x)
{
	struct nearest *m = self;

	for (size_t j = i + 1; j < m->n; j++)
		if (x[j] < m->least) {
			m->least = x[j];
			m->row = i;
			m->other = j;
		}
	m->adjacent += i + 1 < m->n ? x[i + 1] : 0;
	return true;
}

/* The table of pairs, looked at and left. */
static bool look_through(const struct table *x, enum metric metric,
			 row_look *look, void *self, struct error *err)
{
	struct table t = { 0 };
	const bool good = similar_open(&t, x, metric, err) &&
			  table_each(&t, look, self, err);

	table_close(&t);
	return good;
}

static bool tell_nearest(struct inspection *s, const struct table *x,
			 struct error *err)
{
	struct nearest m = { .n = x->rows, .least = HUGE_VAL };
	double adjacent, rows[2];

	if (!look_through(x, METRIC_L2, look_at_distances, &m, err))
		return false;
	adjacent = m.adjacent / (double)(x->rows - 1);
	rows[0] = (double)m.row;
	rows[1] = (double)m.other;
	report_numbers(s->r, "nearest_rows", rows, 2);
	report_number(s->r, "nearest_distance", m.least, NULL);
	report_number(s->r, "adjacent_distance", adjacent, "(mean)");
	return true;
}

/*
 * 1 - sum (G[i, j] - mean of its distance)^2 / sum (G[i, j] - mean of all)^2
 * and what it is made of, from the curve of G = X X^T.
 */
static void tell_invariance(struct inspection *s, const struct curve *c)
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
		      "(1: dot products depend on distance alone)");
	report_number(s->r, "diagonal_std_mean", std / (double)c->n, NULL);
	report_number(s->r, "diagonal_std_max", worst, NULL);
	report_number(s->r, "diagonal_std_relative",
		      total > 0 ? worst / sqrt(total / weight) : 0,
		      "(max over the std of all)");
}

static void tell_falls(struct inspection *s, const struct falls *f)
{
	const struct curve *c = &f->curve;
	size_t rise = 1, least = 0;

	while (rise < c->n && c->mean[rise] <= c->mean[rise - 1] + RISE)
		rise++;
	for (size_t k = 0; k < c->n; k++)
		least = c->mean[k] < c->mean[least] ? k : least;
	report_number(s->r, "monotonicity", (double)f->falling /
		      (double)f->all, "of steps away lower the cosine");
	report_number(s->r, "monotonicity_near", (double)f->near_falling /
		      (double)f->near, "of steps within 20 rows");
	if (rise < c->n)
		report_number(s->r, "first_violation", (double)rise,
			      "rows apart, where the mean cosine rises");
	else
		report_text(s->r, "first_violation", "none");
	report_number(s->r, "cosine_least", c->mean[least], "(mean)");
	report_number(s->r, "cosine_least_at", (double)least, "rows apart");
}

bool inspect_pairs(struct inspection *s, struct error *err)
{
	const struct table *x = s->x;
	struct curve dots;
	struct falls f = { .all = 0 };
	struct table t = { 0 };
	bool good;

	report_group(s->r, "pairs");
	if (!tell_nearest(s, x, err) ||
	    !curve_begin(&f.curve, x->rows, s->r->owner, err) ||
	    !look_through(x, METRIC_COSINE, look_at_cosines, &f, err))
		return false;
	curve_end(&f.curve);
	good = similar_open(&t, x, METRIC_DOT, err) &&
	       curve_open(&dots, &t, s->r->owner, err);
	table_close(&t);
	if (good) {
		tell_invariance(s, &dots);
		tell_falls(s, &f);
	}
	return good;
}
