/* waves.c: claims that a table is sines and cosines of positions. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "identify/laws.h"
#include "identify/snap.h"
#include "identify/waves.h"

enum { LEVELS = 5, TURNS_MOST = 2000, TRIES = 8, DIGITS_ODD = 5 };

#define TURN 6.283185307179586

/* How far a position may be off for want of digits of its own. */
#define AT_ERROR 1e-12

/* What goes into the options besides the reading. */
struct knobs {
	const struct law *law;
	double start, step, scale;
	double amp, amp_sqrt;
	const char *positions;  /* a list in place of start and step, or NULL */
	double zero;            /* the position of a row of zeros */
};

/* " name=x", or nothing where x is what it would be anyway. */
static const char *knob(const char *name, double x, double usual, char text[64])
{
	char number[32];

	text[0] = '\0';
	if (x < usual || x > usual)
		snprintf(text, 64, " %s=%s", name, snap_text(x, number));
	return text;
}

/*
 * Whether as many numbers were fitted as there are: any few angles are a
 * ladder of some base and step.
 */
static bool overfitted(const struct hunt *h, const struct waves *w,
		       const struct knobs *k)
{
	const double fitted[] = { k->law->base, k->start, k->step, k->scale };
	size_t odd = 0;

	for (size_t i = 0; i < sizeof fitted / sizeof *fitted; i++)
		odd += snap_digits(fitted[i]) > DIGITS_ODD;
	if (k->positions)
		odd += strlen(k->positions) > 6 * h->sight->n;
	return odd > 1 + h->sight->n * w->reading.pairs / 16 ||
	       (odd && k->positions && w->reading.pairs < 2);
}

static bool claim(struct hunt *h, const struct waves *w, const struct knobs *k)
{
	const size_t room = 512 + (k->positions ? strlen(k->positions) : 0);
	const bool full = fabs(k->scale / TURN - 1) < 1e-9;
	char base[64], start[64], step[64], scale[64], amp[64], amp_sqrt[64];
	char zero[64], len[64], *text = malloc(room);
	bool good;

	if (!text || overfitted(h, w, k)) {
		free(text);
		return false;
	}
	snprintf(len, sizeof len, "len=%zu", h->sight->n);
	snprintf(zero, sizeof zero, " zero-row=%.0f", k->zero);
	snprintf(text, room, "%s%s dim=%zu%s%s%s%s%s denom=%s%s%s%s%s%s%s%s%s",
		 k->positions ? "positions=" : len,
		 k->positions ? k->positions : "", h->sight->cols,
		 w->split ? " layout=split" : "",
		 w->reading.cosine_first ? " first=cos" : "",
		 w->odd[0] ? " odd=" : "", w->odd, "", k->law->denom,
		 knob("base", k->law->base, LAW_BASE, base),
		 knob("start", k->start, 0, start),
		 knob("step", k->step, 1, step),
		 knob("angle-scale", full ? 1 : k->scale, 1, scale),
		 full ? " full-turns" : "", knob("amp", k->amp, 1, amp),
		 knob("amp-sqrt", k->amp_sqrt, 0, amp_sqrt),
		 w->zeros ? zero : "");
	good = hunt_claim(h, &(struct claim){
		.recipe = "sinusoid", .options = text, .slack = 4 * w->reading.amp,
		.slope = 4 * w->reading.amp * fabs(k->scale),
	});
	free(text);
	return good;
}

/* The amplitude as people choose it, or the roundest number near. */
static void set_amp(const struct hunt *h, const struct waves *w,
		    struct knobs *k)
{
	const double d = (double)h->sight->cols, x = w->reading.amp;
	const double within = 8 * x * (h->sight->noise + LADDER_ERROR +
				       h->sight->arithmetic);

	k->amp = snap(x, within);
	for (int two = 1; two <= 2; two++)
		if (fabs(sqrt(two / d) - x) <= within) {
			k->amp = 1;
			k->amp_sqrt = two;
		}
	if (fabs(sqrt(d) - x) <= within)
		k->amp = sqrt(d);
	if (fabs(1 - x) <= within) {
		k->amp = 1;
		k->amp_sqrt = 0;
	}
	if (w->reading.negated)
		k->amp = -k->amp;
}

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

		set_amp(h, w, one);
		one->zero = one->start + (double)w->zero * one->step;
		if (claim(h, w, one))
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
		    fabs(at - rint(at)) < 6 * error + AT_ERROR &&
		    tries-- && claim_start(h, w, law, l->unit, at,
					   6 * error + AT_ERROR, first))
			return true;
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
	bool good = false;

	measure(h, w, first);
	for (int level = 0; !hunt_exact(h) && level < LEVELS; level++) {
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
		h->strict = h->n > 0;
	}
	h->strict = false;
	return good;
}

/* Positions of all rows, to at [n] with errors; false where one has none. */
static bool read_positions(const struct hunt *h, const struct waves *w,
			   const struct ladder *one, double *at)
{
	double lo = HUGE_VAL, error;

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
			    const struct law *law, const double *at)
{
	const size_t n = h->sight->n;
	struct knobs k = { .law = law, .scale = 1, .step = 1, .start = at[0] };
	char number[32], *list = malloc(n * sizeof number);
	size_t length = 0;
	bool good;

	if (!list)
		return false;
	for (size_t i = 0; i < n; i++)
		length += (size_t)snprintf(list + length, sizeof number, "%s%s",
					   i ? "," : "",
					   snap_text(at[i], number));
	set_amp(h, w, &k);
	k.zero = at[w->zero];
	if (!evenly(at, n, &k.step)) {
		k.positions = list;
		k.start = 0;
		k.step = 1;
	}
	good = claim(h, w, &k);
	free(list);
	return good;
}

bool waves_by_row(struct hunt *h, const struct waves *w,
		  const struct ladder *l)
{
	double *at = calloc(h->sight->n, sizeof *at);
	bool good = false;

	for (int level = 0; at && !hunt_exact(h) && level < LEVELS; level++) {
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

			if (read_positions(h, w, &one, at) &&
			    claim_positions(h, w, &laws[k], at))
				good = true;
		}
		h->strict = h->n > 0;
	}
	h->strict = false;
	free(at);
	return good;
}
