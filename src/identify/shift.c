/* shift.c: the matrix that shifts a sinusoid by some positions. */
#include <math.h>
#include <stdio.h>

#include "identify/identify.h"
#include "identify/frequencies.h"
#include "identify/rounding.h"

enum { FEW_PAIRS = 4, MAX_TURNS = 200 };

/* Whether block k is a rotation; sets its angle. split: sines lie d / 2 off. */
static bool is_rotation(const struct profile *p, size_t k, bool split,
			double *angle, double *error)
{
	const size_t i = split ? k : 2 * k;
	const size_t j = split ? k + p->cols / 2 : i + 1;
	const double c = profile_row(p, i)[i], sine = profile_row(p, i)[j];

	*angle = atan2(sine, c);
	*error = 2 * (p->noise + 8 * p->epsilon) * fmin(1, fabs(*angle)) +
		 p->abs_noise + 1e-30;
	return fabs(hypot(c, sine) - 1) <= 8 * (p->noise + p->epsilon) &&
	       fabs(profile_row(p, j)[i] + sine) <= 4 * p->noise &&
	       fabs(profile_row(p, j)[j] - c) <= 4 * p->noise;
}

static bool try_shift(struct search *s, const struct base *base, double by,
		      bool split)
{
	char number[32], text[32];

	return try_recipe(s, "shift", 4, "dim=%zu by=%s base=%s denom=%s%s",
			  s->profile->cols, nice_text(by, number),
			  nice_text(base->value, text), base->denom,
			  split ? " layout=split" : "");
}

/*
 * Try a base, and shifts by which the slowest block turns fully, up to a number
 * of turns.
 */
static bool try_base(struct search *s, const struct base *base, int most_turns,
		     bool split, const double *angle, const double *error)
{
	const size_t pairs = s->profile->cols / 2;
	const struct series l =
		series_of_base(s->profile, base->value, base->d);
	double by, off;

	for (int turns = 0; turns < most_turns; turns++)
		if (series_position(&l, angle, error, pairs, turns, &by,
				    &off) &&
		    try_shift(s, base, round_to_decimals(by, 6 * off + 1e-12),
			      split))
			return true;
	return false;
}

/*
 * Try all usual bases with the roundest shifts: noise leaves many others.
 * Whether one explains the noise.
 */
static bool try_usual(struct search *s, bool split, const double *angle,
		      const double *error)
{
	const double half = (double)s->profile->cols / 2;
	struct base base = {
		.denom = "half-1", .value = USUAL_BASE, .d = fmax(1, half - 1),
	};
	bool found = try_base(s, &base, 1, split, angle, error);

	snprintf(base.denom, sizeof base.denom, "dim");
	base.d = half;
	for (size_t k = 0; k < USUAL_BASES; k++) {
		base.value = usual_bases[k];
		found |= try_base(s, &base, 1, split, angle, error);
	}
	return found;
}

static bool try_layout(struct search *s, bool split, double *angle,
		       double *error)
{
	const size_t pairs = s->profile->cols / 2;
	struct series l = { .tolerance = series_tolerance(s->profile) };
	struct base bases[MAX_BASES];
	const struct base usual = {
		.denom = "dim", .value = USUAL_BASE, .d = (double)pairs,
	};
	const size_t before = s->n;

	for (size_t k = 0; k < pairs; k++)
		if (!is_rotation(s->profile, k, split, &angle[k], &error[k]))
			return false;
	for (size_t k = 0; k < pairs; k++)
		error[pairs + k] = angle[k];
	if (s->profile->assumed > 0 && try_usual(s, split, angle, error))
		return true;
	for (int level = 0; series_fit(&l, error + pairs, error, pairs) &&
			    level < 4 && !search_has_exact(s, before);
	     level++) {
		const double within = 6 * pow(0.1, level);
		const double by = round_to_decimals(
			l.first, within * fabs(l.first) *
					 (l.first_error + SERIES_ERROR));
		const size_t n =
			series_bases(&l, within, 2 * pairs, false, bases);

		for (size_t k = 0; k < n; k++)
			if (pairs > FEW_PAIRS ||
			    bases[k].digits <= ODD_DIGITS ||
			    nice_digits(by) <= ODD_DIGITS)
				try_shift(s, &bases[k], by, split);
	}
	return s->n > before ||
	       try_base(s, &usual, MAX_TURNS, split, angle, error);
}

void identify_shift(struct search *s)
{
	const size_t d = s->profile->cols;
	double *angle = s->profile->n == d
				? search_alloc(s, 2 * d, sizeof *angle)
				: NULL;

	if (angle && !try_layout(s, false, angle, angle + d / 2))
		try_layout(s, true, angle, angle + d / 2);
}
