/* assign.c: which sine or cosine of a series each column of a table is. */
#include <math.h>
#include <string.h>

#include "exact/turns.h"
#include "identify/assign.h"
#include "identify/frequencies.h"

#define QUARTER (TWO_PI / 4)

enum { MAX_START = 4096, FEW_TONES = 3, FEW_STARTS = 64 };
enum { COMPARED = 24, MAX_ASSIGNED = 12 };  /* rows; guesses */

bool assign_begin(struct assignment *a, struct search *s, struct tone *tones)
{
	const size_t cols = s->profile->cols;

	*a = (struct assignment){ .profile = s->profile, .tones = tones };
	a->sign = search_alloc(s, 11 * cols + (size_t)(2 + 2 * COMPARED) *
			       MAX_HALF, sizeof *a->sign);
	if (!a->sign)
		return false;
	_Static_assert(sizeof *a->k <= sizeof *a->sign, "they share memory");
	a->values = a->sign + cols;
	a->k = (size_t *)(void *)(a->values + (size_t)2 * COMPARED * MAX_HALF);
	a->sine = a->k + cols;
	a->room = a->sine + cols;
	a->used = a->room + 8 * cols;
	if (!fit_progression(&a->fit, tones, cols, tones + cols))
		return false;
	/* Every column but small ones is a sine as a recurrence has it. */
	for (size_t j = 0; j < cols; j++)
		if (tones[j].off > 0.05 && tones[j].rms > 0.1 * a->fit.amp)
			return false;
	return true;
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

/* Row r of those that are compared: the last ones tell slow columns apart. */
static size_t row_of(const struct profile *p, size_t r)
{
	return p->n - 1 - r * (p->n - 1) / COMPARED;
}

/* The values of all waves of a guess in some rows: [half, 2, COMPARED]. */
static void make_values(const struct assignment *a, const struct guess *g)
{
	const enum dtype d = a->profile->stored;
	const double amp = a->fit.amp;

	for (size_t k = 0; k < g->half; k++)
		for (size_t r = 0; r < COMPARED; r++) {
			double *made = a->values + 2 * k * COMPARED + r;
			const double row = (double)row_of(a->profile, r);
			const double at = frequency(g, k) * (row + g->start);

			made[0] = dtype_round(d, amp * cos(at));
			made[COMPARED] = dtype_round(d, amp * sin(at));
		}
}

/* Assign a column to the nearest wave that is not used up; false: none is. */
static bool assign_nearest(const struct assignment *a, const struct guess *g,
			   size_t j)
{
	double least = a->fit.amp * a->fit.amp * 1e-4 * COMPARED;
	double x[COMPARED];
	size_t best = SIZE_MAX;

	for (size_t r = 0; r < COMPARED; r++)
		x[r] = profile_row(a->profile, row_of(a->profile, r))[j];
	for (size_t i = 0; i < 2 * g->half; i++) {
		const double *made = a->values + i * COMPARED;
		const double sign = made[0] * x[0] < 0 ? -1 : 1;
		double off = a->used[i] < g->per ? 0 : HUGE_VAL;

		for (size_t r = 0; r < COMPARED && off <= least; r++)
			off += pow(x[r] - sign * made[r], 2);
		if (off > least || (best != SIZE_MAX && off >= least))
			continue;
		least = off;
		best = i;
		a->sign[j] = sign;
	}
	if (best == SIZE_MAX)
		return false;
	a->used[best]++;
	a->k[j] = best / 2;
	a->sine[j] = best % 2;
	return true;
}

/* Assign a fast column by its frequency and phase; false if it is used up. */
static bool assign_tone(const struct assignment *a, const struct guess *g,
			size_t j)
{
	const struct tone *o = &a->tones[j];
	double quarters;

	find_frequency(g, o, &a->k[j]);
	quarters = o->phase - frequency(g, a->k[j]) * g->start;
	quarters = rint(quarters / QUARTER);
	quarters -= 4 * floor(quarters / 4);
	a->sine[j] = quarters == 1 || quarters == 3;
	a->sign[j] = quarters == 1 || quarters == 2 ? -1 : 1;
	return a->used[2 * a->k[j] + a->sine[j]]++ < g->per;
}

bool assign_columns(struct assignment *a, const struct guess *g)
{
	const size_t cols = a->profile->cols;

	memset(a->used, 0, 2 * g->half * sizeof *a->used);
	for (size_t j = 0; j < cols; j++)
		if (a->tones[j].fast && !assign_tone(a, g, j))
			return false;
	if (a->tries++ >= MAX_ASSIGNED)
		return false;
	make_values(a, g);
	for (size_t j = 0; j < cols; j++)
		if (!a->tones[j].fast && !assign_nearest(a, g, j))
			return false;
	return true;
}
