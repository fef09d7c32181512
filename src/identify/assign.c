/* assign.c: which sine or cosine of a series each column of a table is. */
#include <math.h>
#include <string.h>

#include "exact/turns.h"
#include "identify/assign.h"
#include "identify/frequencies.h"

#define QUARTER (TWO_PI / 4)

enum { MAX_START = 4096, FEW_TONES = 3, FEW_STARTS = 64 };
enum { MAX_VALUES = 1 << 18, MIN_ROWS = 16, MAX_ASSIGNED = 12 };
/* [half, 2, rows] and [rows], as make_values() chooses the rows */
enum {
	MADE = MAX_VALUES + 2 * MAX_HALF * MIN_ROWS,
	ROOM = MADE + MAX_VALUES / 2 + MIN_ROWS
};

/* Whether every column but small ones is a sine as far as a recurrence says. */
static bool all_waves(const struct assignment *a)
{
	for (size_t j = 0; j < a->profile->cols; j++)
		if (a->tones[j].off > 0.05 &&
		    a->tones[j].rms > 0.1 * a->fit.amp)
			return false;
	return true;
}

bool assign_begin(struct assignment *a, struct search *s, struct tone *tones)
{
	const size_t cols = s->profile->cols;

	*a = (struct assignment){ .profile = s->profile, .tones = tones };
	a->sign = search_alloc(s, cols + ROOM + 10 * cols +
			       (size_t)2 * MAX_HALF, sizeof *a->sign);
	if (!a->sign)
		return false;
	_Static_assert(sizeof *a->k <= sizeof *a->sign, "they share memory");
	a->k = (size_t *)(void *)(a->sign + cols + ROOM);
	a->sine = a->k + cols;
	a->room = a->sine + cols;
	a->used = a->room + 8 * cols;
	a->values = a->sign + cols;
	return fit_progression(&a->fit, tones, cols, tones + cols) &&
	       all_waves(a);
}

static double frequency(const struct guess *g, size_t k)
{
	return g->step * pow(g->base, -(double)k / g->d);
}

/* The k of the frequency nearest to w; false if none is as near as measured. */
static bool find_frequency(const struct guess *g, const struct tone *o,
			   size_t *k)
{
	const double at =
		fmax(0, rint(-log(o->w / g->step) * g->d / log(g->base)));

	*k = (size_t)at;
	return at < (double)g->half &&
	       fabs(frequency(g, *k) - o->w) <=
		       2 * o->error + TONE_ERROR * o->w;
}

bool assign_check(const struct assignment *a, const struct guess *g)
{
	size_t k;

	for (size_t j = 0; j < a->profile->cols; j++)
		if (a->tones[j].fast && !find_frequency(g, &a->tones[j], &k))
			return false;
	return true;
}

/* Whether the phases of fast columns are whole quarters of a turn at start. */
static bool start_fits(const struct assignment *a, const struct guess *g,
		       double start)
{
	const double n = (double)a->profile->n;
	size_t k = 0;

	for (size_t j = 0; j < a->profile->cols; j++) {
		const struct tone *o = &a->tones[j];
		double off;

		if (!o->fast)
			continue;
		find_frequency(g, o, &k);
		off = (o->phase - frequency(g, k) * start) / QUARTER;
		off = fabs(off - rint(off)) * QUARTER;
		if (off > 0.01 + n * (o->error + TONE_ERROR * o->w))
			return false;
	}
	return true;
}

bool assign_next_start(const struct assignment *a, const struct guess *g,
		       double *start)
{
	/* A few phases agree with many starts. */
	const double most = a->fit.n < FEW_TONES ? FEW_STARTS : MAX_START;

	while (++*start <= most)
		if (start_fits(a, g, *start))
			return true;
	return false;
}

/* The values of a guess in some rows, which columns are compared with. */
struct values {
	size_t rows;
	double *made;          /* [half, 2, rows] cosines, sines */
	size_t *used;          /* [half, 2] */
	double *x;             /* [rows] of one column */
};

/* Row r of those that are compared: the last ones tell slow columns apart. */
static size_t row_of(const struct values *v, const struct profile *p, size_t r)
{
	return p->n - 1 - r * (p->n - 1) / v->rows;
}

/* The cosine and sine of an angle. */
struct turn {
	double cosine, sine;
};

static struct turn turn_of(double angle)
{
	return (struct turn){ cos(angle), sin(angle) };
}

/*
 * The cosines and sines of frequency k: from row to row they turn back by one
 * of two angles.
 */
static void make_wave(const struct values *v, const struct assignment *a,
		      const struct guess *g, size_t k)
{
	const struct profile *p = a->profile;
	const enum dtype d = p->stored;
	const double w = frequency(g, k), amp = a->fit.amp;
	double *made = v->made + 2 * k * v->rows;
	const size_t step = (p->n - 1) / v->rows;
	const struct turn back[] = {
		turn_of(w * (double)step), turn_of(w * (double)(step + 1)),
	};
	struct turn at = turn_of(w * ((double)row_of(v, p, 0) + g->start));

	for (size_t r = 0; r < v->rows; r++) {
		const size_t rows = row_of(v, p, r) - row_of(v, p, r + 1);
		const struct turn by = back[rows - step], now = at;

		made[r] = dtype_round(d, amp * now.cosine);
		made[v->rows + r] = dtype_round(d, amp * now.sine);
		at.cosine = now.cosine * by.cosine + now.sine * by.sine;
		at.sine = now.sine * by.cosine - now.cosine * by.sine;
	}
}

static void make_values(struct values *v, const struct assignment *a,
			const struct guess *g)
{
	const struct profile *p = a->profile;
	const size_t most = MAX_VALUES / (2 * g->half) + MIN_ROWS;

	v->rows = p->n < most ? p->n : most;
	v->made = a->values;
	v->x = v->made + 2 * g->half * v->rows;
	for (size_t k = 0; k < g->half; k++)
		make_wave(v, a, g, k);
}

/* Squares of differences of v->x from sign times made; or more than most. */
static double differences(const struct values *v, const double *made,
			  double sign, double most)
{
	double sum = 0;

	for (size_t r = 0; r < v->rows && sum <= most; r++) {
		const double off = v->x[r] - sign * made[r];

		sum += off * off;
	}
	return sum;
}

/* Find the nearest values for v->x that are not used up; false if none is. */
static bool assign_nearest(const struct assignment *a, const struct guess *g,
			   struct values *v, size_t j)
{
	double least = a->fit.amp * a->fit.amp * 1e-4 * (double)v->rows;
	size_t best = SIZE_MAX;

	for (size_t i = 0; i < 2 * g->half; i++) {
		const double *made = v->made + i * v->rows;
		const double sign = made[0] * v->x[0] < 0 ? -1 : 1;
		const double off = v->used[i] < g->per
					   ? differences(v, made, sign, least)
					   : HUGE_VAL;

		if (off > least || (best != SIZE_MAX && off >= least))
			continue;
		least = off;
		best = i;
		a->sign[j] = sign;
	}
	if (best == SIZE_MAX)
		return false;
	v->used[best]++;
	a->k[j] = best / 2;
	a->sine[j] = best % 2;
	return true;
}

/* Assign a fast column by its frequency and phase; false if both are used. */
static bool assign_tone(const struct assignment *a, const struct guess *g,
			struct values *v, size_t j)
{
	const struct tone *o = &a->tones[j];
	double quarters;
	size_t i;

	find_frequency(g, o, &a->k[j]);
	quarters = o->phase - frequency(g, a->k[j]) * g->start;
	quarters = rint(quarters / QUARTER);
	quarters -= 4 * floor(quarters / 4);
	a->sine[j] = quarters == 1 || quarters == 3;
	a->sign[j] = quarters == 1 || quarters == 2 ? -1 : 1;
	i = 2 * a->k[j] + a->sine[j];
	return v->used[i]++ < g->per;
}

bool assign_columns(struct assignment *a, const struct guess *g)
{
	const struct profile *p = a->profile;
	struct values v = { .used = a->used };

	memset(v.used, 0, 2 * g->half * sizeof *v.used);
	for (size_t j = 0; j < p->cols; j++)
		if (a->tones[j].fast && !assign_tone(a, g, &v, j))
			return false;
	if (a->tries++ >= MAX_ASSIGNED)
		return false;
	make_values(&v, a, g);
	for (size_t j = 0; j < p->cols; j++) {
		if (a->tones[j].fast)
			continue;
		for (size_t r = 0; r < v.rows; r++)
			v.x[r] = profile_row(p, row_of(&v, p, r))[j];
		if (!assign_nearest(a, g, &v, j))
			return false;
	}
	return true;
}
