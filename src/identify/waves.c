/* waves.c: claims that a table is sines and cosines of positions. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "identify/snap.h"
#include "identify/waves_claim.h"

enum { LEVELS = 5, TURNS_MOST = 2000, TRIES = 8 };

/* How far a position may be off for want of digits of its own. */
#define AT_ERROR 1e-12

static void measure(const struct hunt *h, const struct waves *w, size_t row)
{
	for (size_t k = 0; k < w->reading.pairs; k++)
		w->angle[k] = reading_angle(&w->reading, h->sight, row, k,
					    &w->error[k]);
}

/* Claims for a start measured in units of the first frequency. */
static bool claim_start(struct hunt *h, const struct waves *w,
			const struct law *law, double unit, double at,
			double error, size_t first)
{
	const double scale = fabs(unit), step = copysign(1, unit);
	struct knobs k[] = {
		{ .law = law, .scale = 1, .step = unit,
		  .start = snap_whole(at - (double)first * unit, error) },
		{ .law = law, .scale = scale, .step = step,
		  .start = snap_whole(at / scale - (double)first * step,
				      error / scale) },
	};
	/* Whole positions are likelier than others. */
	const bool whole = rint(k[0].start) == k[0].start ||
			   rint(k[1].start) != k[1].start;
	bool good = false;

	for (int i = 0; i < 1 + (fabs(unit) < 1 || fabs(unit) > 1); i++) {
		struct knobs *one = &k[whole ? i : 1 - i];

		waves_amp(h, w, one);
		one->zero = one->start + (double)w->zero * one->step;
		if (waves_claim(h, w, one))
			good = true;
	}
	return good;
}

/* Where the slowest pair is in its first turn; or, if far, beyond. */
static bool find_start(struct hunt *h, const struct waves *w,
		       const struct law *law, const struct ladder *l,
		       size_t first)
{
	const struct ladder one = {
		.unit = 1, .unit_error = 8 * h->sight->arithmetic,
		.fall = log(law->base) / law->d,
	};
	int tries = TRIES;
	double at, error;

	if (!w->far)
		return ladder_position(&one, w->angle, w->error,
				       w->reading.pairs, 0, &at, &error) &&
		       claim_start(h, w, law, l->unit, at,
				   6 * error + AT_ERROR, first);
	h->strict = true;
	for (int turn = 1; tries && turn <= TURNS_MOST;
	     turn = turn > 0 ? -turn : 1 - turn)
		if (ladder_position(&one, w->angle, w->error, w->reading.pairs,
				    turn, &at, &error) &&
		    fabs(at - rint(at)) < 6 * error + AT_ERROR) {
			tries--;
			if (claim_start(h, w, law, l->unit, at,
					6 * error + AT_ERROR, first))
				return true;
		}
	return false;
}

/* A whole turn is round, too. */
static double round_unit(double unit, double within)
{
	return fabs(fabs(unit) - TURN) <= within ? copysign(TURN, unit)
						 : snap(unit, within);
}

bool waves_by_step(struct hunt *h, const struct waves *w,
		   const struct ladder *l, size_t first)
{
	const size_t before = h->n;
	bool good = false;

	measure(h, w, first);
	for (int level = 0; !hunt_exact(h, before) && level < LEVELS; level++) {
		const double within = 6 * pow(0.1, level);
		struct ladder round = *l;
		struct law laws[LAWS_MOST];
		const size_t n = laws_find(l, within, h->sight->cols,
					   strcmp(w->odd, "round-up") == 0,
					   laws);

		round.unit = round_unit(l->unit, within * fabs(l->unit) *
					(l->unit_error + LADDER_ERROR));
		for (size_t k = 0; k < n; k++)
			if (find_start(h, w, &laws[k], &round, first))
				good = true;
		h->strict = h->n > before;
	}
	h->strict = false;
	return good;
}

/* Positions of all rows; false where one has none. */
static bool read_positions(const struct hunt *h, const struct waves *w,
			   const struct ladder *one)
{
	double lo = HUGE_VAL, *at = w->at, error;

	for (size_t i = 0; i < h->sight->n; i++) {
		if (sight_zero_row(h->sight, i)) {
			at[i] = NAN;
			continue;
		}
		measure(h, w, i);
		if (!ladder_position(one, w->angle, w->error,
				     w->reading.pairs, 0, &at[i], &error))
			return false;
		at[i] = snap_whole(at[i], 6 * error + AT_ERROR);
		lo = fmin(lo, at[i]);
	}
	/* Rows of zeros stand where none other does. */
	for (size_t i = 0; i < h->sight->n; i++)
		if (isnan(at[i]))
			at[i] = floor(lo) - 1;
	return true;
}

/* Whether positions come one step after another, which may be 1. */
static bool evenly(const double *at, size_t n, double *step)
{
	*step = n > 1 ? at[1] - at[0] : 1;
	for (size_t i = 1; i < n; i++)
		if (fabs(at[i] - fma((double)i, *step, at[0])) >
		    1e-9 * fabs(*step))
			return false;
	return *step < 0 || *step > 0;
}

static bool claim_positions(struct hunt *h, const struct waves *w,
			    const struct law *law)
{
	const size_t n = h->sight->n;
	const double *at = w->at;
	struct knobs k = { .law = law, .scale = 1, .step = 1, .start = at[0] };
	char number[WAVES_NUMBER];
	size_t length = 0;

	waves_amp(h, w, &k);
	k.zero = at[w->zero];
	if (!evenly(at, n, &k.step)) {
		for (size_t i = 0; i < n; i++)
			length += (size_t)snprintf(w->list + length,
						   WAVES_NUMBER, "%s%s",
						   i ? "," : "",
						   snap_text(at[i], number));
		k.positions = w->list;
		k.start = 0;
		k.step = 1;
	}
	return waves_claim(h, w, &k);
}

bool waves_by_row(struct hunt *h, const struct waves *w,
		  const struct ladder *l)
{
	const size_t before = h->n;
	bool good = false;

	for (int level = 0; !hunt_exact(h, before) && level < LEVELS; level++) {
		struct law laws[LAWS_MOST];
		const size_t n = laws_find(l, 6 * pow(0.1, level),
					   h->sight->cols,
					   strcmp(w->odd, "round-up") == 0,
					   laws);

		for (size_t k = 0; k < n; k++) {
			const struct ladder one = {
				.unit = 1,
				.unit_error = 8 * h->sight->arithmetic,
				.fall = log(laws[k].base) / laws[k].d,
			};

			if (read_positions(h, w, &one) &&
			    claim_positions(h, w, &laws[k]))
				good = true;
		}
		h->strict = h->n > before;
	}
	h->strict = false;
	return good;
}
