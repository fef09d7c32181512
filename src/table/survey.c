/* survey.c: the range and dtype of a table's values, and what is not finite. */
#include <math.h>
#include <string.h>

#include "table/table.h"

/*
 * A survey that goes on. Values are looked at in pieces that fit a CPU's own
 * cache, and in lanes, which compilers turn into vectors.
 */
enum { PIECE = 512, LANES = 8 };

struct surveys {
	size_t cols;
	double lo[LANES], hi[LANES];
	size_t odd;
};

/* Whether all of x [PIECE] are finite: no other times 0 is NaN. */
static bool all_finite(const double *x)
{
	double zeros[LANES] = { 0 }, sum = 0;

	for (size_t j = 0; j < PIECE; j += LANES)
		for (size_t k = 0; k < LANES; k++)
			zeros[k] += 0 * x[j + k];
	for (size_t k = 0; k < LANES; k++)
		sum += zeros[k];
	return !isnan(sum);
}

static void survey_finite(struct surveys *s, const double *x)
{
	double lo[LANES], hi[LANES];

	memcpy(lo, s->lo, sizeof lo);
	memcpy(hi, s->hi, sizeof hi);
	for (size_t j = 0; j < PIECE; j += LANES) {
		for (size_t k = 0; k < LANES; k++)
			lo[k] = x[j + k] < lo[k] ? x[j + k] : lo[k];
		for (size_t k = 0; k < LANES; k++)
			hi[k] = x[j + k] > hi[k] ? x[j + k] : hi[k];
	}
	memcpy(s->lo, lo, sizeof lo);
	memcpy(s->hi, hi, sizeof hi);
}

static void survey_any(struct surveys *s, const double *x, size_t n)
{
	for (size_t j = 0; j < n; j++)
		if (isfinite(x[j])) {
			s->lo[0] = x[j] < s->lo[0] ? x[j] : s->lo[0];
			s->hi[0] = x[j] > s->hi[0] ? x[j] : s->hi[0];
		} else {
			s->odd++;
		}
}

static bool survey_row(void *self, size_t i, const double *x)
{
	struct surveys *s = self;
	size_t n = s->cols;

	(void)i;
	for (; n >= PIECE; x += PIECE, n -= PIECE)
		if (all_finite(x))
			survey_finite(s, x);
		else
			survey_any(s, x, PIECE);
	survey_any(s, x, n);
	return true;
}

/* As one row, for values in memory. */
static void survey_memory(const struct table *t, struct surveys *s)
{
	const float *x = table_floats(t);
	double y[PIECE];

	s->cols = t->planes * t->rows * t->cols;
	if (!x) {
		survey_row(s, 0, t->row(t, 0, NULL));
		return;
	}
	for (size_t left = s->cols; left; left -= s->cols, x += s->cols) {
		s->cols = left < PIECE ? left : PIECE;
		dtype_load(F32, x, s->cols, y);
		survey_row(s, 0, y);
	}
}

static struct surveys survey_begin(const struct table *t)
{
	struct surveys s = { .cols = t->cols };

	for (size_t k = 0; k < LANES; k++) {
		s.lo[k] = HUGE_VAL;
		s.hi[k] = -HUGE_VAL;
	}
	return s;
}

static struct survey survey_end(const struct surveys *s)
{
	struct survey all = { HUGE_VAL, -HUGE_VAL, s->odd };

	for (size_t k = 0; k < LANES; k++) {
		all.lo = fmin(all.lo, s->lo[k]);
		all.hi = fmax(all.hi, s->hi[k]);
	}
	return all;
}

struct survey table_survey(const struct table *t)
{
	struct surveys s = survey_begin(t);

	survey_memory(t, &s);
	return survey_end(&s);
}

bool table_range(const struct table *t, double *lo, double *hi,
		 struct error *err)
{
	struct surveys s = survey_begin(t);
	struct survey all = { t->lo, t->hi, 0 };

	if (t->bounds != BOUNDS_TIGHT) {
		if (!table_each(t, survey_row, &s, err))
			return false;
		all = survey_end(&s);
	}
	*lo = all.lo;
	*hi = all.hi;
	return true;
}

enum dtype table_smallest(const struct table *t)
{
	static const enum dtype narrow[] = { BF16, F16, F32 };

	for (size_t k = 0; k < sizeof narrow / sizeof *narrow; k++) {
		size_t i = 0;

		while (i < t->planes * t->rows &&
		       dtype_exact(narrow[k], t->row(t, i, NULL), t->cols))
			i++;
		if (i == t->planes * t->rows)
			return narrow[k];
	}
	return F64;
}
