/* rope_frequencies.c: the frequencies of the pairs, axis by axis. */
#include <math.h>
#include <string.h>

#include "exact/within.h"
#include "text/decimal.h"
#include "encodings/rope.h"

const char *const rope_spacings[] = {
	"geometric", "half-1", "alternating", "linear:MAX", NULL
};

typedef bool geometric(struct turns *turns, size_t n, double base,
		       double denominator, double scale, struct table *t,
		       struct error *err);

/*
 * 1 / (A (B / A)^(k / (n - 1))) for --periods A:B, as the quotient is not
 * exact: B^(-k / (n - 1)) A^(k / (n - 1)) / A.
 */
static bool periods(const struct rope *s, size_t n, geometric *make,
		    struct turns *turns, struct table *t, struct error *err)
{
	double at[2];

	if (parse_reals(s->periods, ':', at, 2) != 2 ||
	    !within(at[0], 1e-9, 1e9) || !within(at[1], 1e-9, 1e9))
		return fail(err, "--periods: expected MIN:MAX, both between "
			    "1e-9 and 1e9, got '%.60s'", s->periods);
	if (n < 2)
		return fail(err, "--periods needs at least 4 dimensions for "
			    "each axis (it divides by d/2 - 1), got %zu",
			    2 * n);
	if (!make(turns, n, at[1], (double)(n - 1), 1, t, err))
		return false;
	turns_multiply(turns, at[0], 0, -(double)(n - 1));
	for (size_t k = 0; k < n; k++)
		turns_transform(turns, k, 1, 0, at[0]);
	return true;
}

/* The axes take turns: axis a of n has base^(-2 (n k + a) / R). */
static bool alternating(const struct rope *s, size_t axis, size_t n,
			geometric *make, struct turns *turns, struct table *t,
			struct error *err)
{
	const size_t total = s->axes_n * n;
	struct turns all;

	if (2 * total != s->rotary_dim)
		return fail(err, "--spacing alternating needs axes of equal "
			    "size");
	if (!make(&all, total, s->base, (double)total, 1, t, err) ||
	    !turns_begin(turns, n, all.limbs, t, err))
		return false;
	turns_take(turns, 0, &all, axis, s->axes_n, n);
	return true;
}

/* n even steps from pi to pi MAX/2. */
static bool linear(const struct rope *s, size_t n, struct turns *turns,
		   struct table *t, struct error *err)
{
	const double most = s->spacing.at[0];

	if (!within(most, 2, 1e9))
		return fail(err, "--spacing linear:MAX must be between 2 and "
			    "1e9, got %.17g", most);
	return turns_linear(turns, n, 1, most / 2 - 1,
			    fmax((double)n - 1, 1), t, err);
}

/* n frequencies of an axis, without what scales them. */
static bool series(const struct rope *s, size_t axis, size_t n,
		   struct turns *turns, struct table *t, struct error *err)
{
	const bool half_1 = s->spacing.word == SPACING_HALF_1;
	geometric *make = s->axis[axis].full_turns ? turns_geometric_in_turns
						   : turns_geometric;

	if (s->periods)
		return periods(s, n, make, turns, t, err);
	if (s->spacing.word == SPACING_LINEAR)
		return linear(s, n, turns, t, err);
	if (s->spacing.word == SPACING_ALTERNATING)
		return alternating(s, axis, n, make, turns, t, err);
	if (half_1 && n < 2)
		return fail(err, "--spacing half-1 needs at least 4 dimensions "
			    "(it divides by d/2 - 1), got %zu", 2 * n);
	return make(turns, n, s->base, (double)(half_1 ? n - 1 : n), 1, t,
		    err);
}

/*
 * --ntk: the base of an axis of d dimensions becomes base r^(d / (d - 2)), as
 * Cosmos stretches each axis (bloc97 2023, "NTK-aware").
 */
static bool stretch(const struct rope *s, size_t axis, struct turns *turns,
		    struct error *err)
{
	const struct list *by = &s->ntk;

	if (by->n != s->axes_n)
		return fail(err, "--ntk: expected %zu factors, one for each of "
			    "--order, got %zu", s->axes_n, by->n);
	if (!within(by->at[axis], 1e-3, 1e9))
		return fail(err, "--ntk: factors must be between 0.001 and "
			    "1e9, got %.17g", by->at[axis]);
	if (turns->n < 2)
		return fail(err, "--ntk needs at least 4 dimensions for each "
			    "axis (it divides by d - 2), got %zu",
			    2 * turns->n);
	turns_multiply(turns, by->at[axis], 0, (double)(turns->n - 1));
	return true;
}

/* The frequencies of an axis, for coordinates times over. */
static bool axis_series(const struct rope *s, size_t axis,
			const struct scaling *scaling,
			const struct rope_series *r, struct turns *turns,
			struct table *t, struct error *err)
{
	const struct rope_axis *a = &s->axis[axis];

	if (!series(s, axis, r->pairs, turns, t, err) ||
	    (s->ntk.at && !stretch(s, axis, turns, err)) ||
	    !scaling_change(scaling, r, turns, err))
		return false;
	for (size_t k = 0; s->cells && k < turns->n; k++)
		if (a->over != 1)
			turns_transform(turns, k, 1, 0, a->over);
	return true;
}

/* Join the frequencies of all axes in s->wave.turns. */
static bool join(struct rope *s, const struct scaling *scaling,
		 struct rope_series *r, struct table *t, struct error *err)
{
	struct turns *turns = &s->wave.turns, part[ROPE_AXES] = { { 0 } };
	size_t limbs = 0;

	for (size_t a = 0; a < s->axes_n; a++) {
		r->pairs = r->rotating = s->axis[a].pairs;
		if (!axis_series(s, a, scaling, r, &part[a], t, err))
			return false;
		if (part[a].limbs > limbs)
			limbs = part[a].limbs;
	}
	if (!turns_begin(turns, s->rotary_dim / 2, limbs, t, err))
		return false;
	for (size_t a = 0; a < s->axes_n; a++)
		turns_take(turns, s->axis[a].first, &part[a], 0, 1,
			   part[a].n);
	return true;
}

/* Refuse what has no formula, or another one in each project. */
static bool check_use(const struct rope *s, const struct scaling *scaling,
		      struct error *err)
{
	const bool scales = scaling->kind != SCALING_NONE;

	if (s->shift.given && (scaling->kind == SCALING_DYNAMIC ||
			       scaling->far.at))
		return fail(err, "--shift needs frequencies that do not depend "
			    "on the length, as those of --scaling %s do",
			    scaling->name);
	if (s->sections.at && (s->fractional || s->ntk.at))
		return fail(err, "--sections cannot be combined with --fps, "
			    "--ntk or fractional --coords");
	if (scaling->kind == SCALING_PROPORTIONAL && rope_shared(s))
		return fail(err, "--scaling proportional does not apply to "
			    "--grid");
	if (scaling->kind == SCALING_PROPORTIONAL && s->rotary_offset)
		return fail(err, "--scaling proportional cannot be combined "
			    "with --rotary-offset");
	if (scaling->kind == SCALING_PROPORTIONAL && s->dim % 2)
		return fail(err, "--dim must be even, got %zu", s->dim);
	if (scales && (s->fractional || s->periods ||
		       s->spacing.word == SPACING_HALF_1 ||
		       s->spacing.word == SPACING_ALTERNATING))
		return fail(err, "--scaling needs whole coordinates and a "
			    "series base^(-2k/d)");
	if (s->emulate != EXACT && s->fractional)
		return fail(err, "--emulate needs coordinates that are whole "
			    "numbers");
	if (s->spacing.word == SPACING_LINEAR && s->fractional)
		return fail(err, "--spacing linear needs coordinates that are "
			    "whole numbers");
	if (s->spacing.word != SPACING_GEOMETRIC && s->periods)
		return fail(err, "--periods cannot be combined with --spacing "
			    "%s", rope_spacings[s->spacing.word]);
	return true;
}

/* The base may be a preset's: --periods then replaces it. */
static bool note_periods(const struct rope *s, struct table *t,
			 struct error *err)
{
	return !s->periods || s->base == 10000 ||
	       table_note(t, err, "--periods %s takes the place of --base, "
			  "which has no effect", s->periods);
}

bool rope_frequencies(struct rope *s, struct table *t, struct error *err)
{
	struct rope_series r = { .base = s->base, .extent = s->extent };
	struct scaling scaling;

	if (!scaling_read(&scaling, s->scaling, t, err) ||
	    !check_use(s, &scaling, err) || !note_periods(s, t, err))
		return false;
	r.pairs = (scaling.kind == SCALING_PROPORTIONAL ? s->dim
							: s->rotary_dim) / 2;
	r.rotating = s->rotary_dim / 2;
	if (!(rope_shared(s) ? join(s, &scaling, &r, t, err)
		     : axis_series(s, 0, &scaling, &r, &s->wave.turns, t,
				   err)))
		return false;
	s->scaled = scaling.kind != SCALING_NONE && !rope_shared(s) &&
		    s->spacing.word != SPACING_LINEAR;
	s->original = scaling.original;
	s->wave.turns.negative = s->inverse;
	s->wave.amplitude = s->shift.given
		? 1 : scaling_attention(&scaling, s->extent);
	if (s->inverse)
		s->wave.amplitude = 1 / s->wave.amplitude;
	return rope_axes(s, s->wave.turns.n, t, err) &&
	       (s->emulate == EXACT ||
		wave_lower_precision(&s->wave, s->emulate, s->farthest, t,
				     err));
}
