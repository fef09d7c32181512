/* shift.c: the matrix that shifts a sinusoid by some positions. */
#include <math.h>
#include <string.h>

#include "identify/families.h"
#include "identify/frequencies.h"
#include "identify/rounding.h"

enum { MAX_TURNS = 200 };

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

/* Try usual bases, the first of them also with turns of the slowest block. */
static bool try_usual(struct search *s, bool split, const double *angle,
		      const double *error)
{
	const double half = (double)s->profile->cols / 2;
	const int most = s->profile->assumed > 0 ? 1 : MAX_TURNS;
	bool found = false;

	/* Noise leaves many bases; of a shift by 0, all make the same. */
	for (size_t k = 0; k <= USUAL_BASES && (most == 1 || !found); k++) {
		const bool less = k == USUAL_BASES;
		struct base base = {
			.value = less ? USUAL_BASE : usual_bases[k],
			.d = fmax(1, half - less),
		};
		const struct series l =
			series_of_base(s->profile, base.value, base.d);
		double by, off;
		bool good = false;

		strcpy(base.denom, less ? "half-1" : "dim");
		for (int turns = 0; turns < (k ? 1 : most) && !good; turns++)
			good = series_position(&l, angle, error, (size_t)half,
					       turns, &by, &off) &&
			       try_shift(s, &base, round_to_decimals(
					       by, 6 * off + 1e-12), split);
		found |= good;
	}
	return found;
}

/* Try the roundest shift and base near a series, or one of any digits. */
static bool try_series(struct search *s, const struct series *l, bool split)
{
	const struct candidate c = {
		.recipe = "shift", .absolute = 4, .relative = 4,
		.independent = s->profile->cols / 2,
	};
	const size_t before = s->n;
	struct base bases[MAX_BASES];
	size_t n = series_bases(l, 6, s->profile->cols, false, bases);
	const double by = round_to_decimals(
		l->first, 6 * fabs(l->first) * (l->first_error + SERIES_ERROR));

	for (size_t k = 0; k < n; k++)
		try_shift(s, &bases[k], by, split);
	n = search_has_exact(s, before)
		? 0 : series_bases(l, 0, s->profile->cols, false, bases);
	for (size_t k = 0; k < n; k++)
		solve_near(s, &c, search_text(
			s, "dim=%zu base=?%.17g by=~%.17g denom=%s%s",
			s->profile->cols, bases[k].value, l->first,
			bases[k].denom, split ? " layout=split" : ""));
	return s->n > before;
}

static bool try_layout(struct search *s, bool split, double *angle,
		       double *error)
{
	const size_t pairs = s->profile->cols / 2;
	struct series l = { .tolerance = series_tolerance(s->profile) };

	for (size_t k = 0; k < pairs; k++) {
		if (!is_rotation(s->profile, k, split, &angle[k], &error[k]))
			return false;
		/* A series may lack turns, which it adds. */
		error[pairs + k] = angle[k];
	}
	/* Noise leaves many other bases. */
	return (s->profile->assumed > 0 && try_usual(s, split, angle, error)) ||
	       (series_fit(&l, error + pairs, error, pairs) &&
		try_series(s, &l, split)) ||
	       try_usual(s, split, angle, error);
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
