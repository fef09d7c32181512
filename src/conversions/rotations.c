/* rotations.c: the frequencies of rotary pairs, and where cosines differ. */
#include <math.h>

#include "conversions/conversions.h"

/* Positions that are compared where no context is known. */
#define UNKNOWN_END 0x1p20

bool frequencies_near(const double *x, const double *y, size_t n,
		      double tolerance)
{
	size_t k = 0;

	while (k < n && fabs(x[k] - y[k]) <= tolerance * fabs(x[k]))
		k++;
	return k == n;
}

/*
 * Compute frequencies [n] of two rotations in a context of that length, and the
 * factors, which cosines of position 0 are. False: rope refuses one, or they
 * have different pairs.
 */
static bool compute(struct conversion *c, const struct rotary_positions *a,
		    const struct rotary_positions *b, double length,
		    struct apart_cosines of[2], size_t *n)
{
	size_t pairs[2], ignored;

	for (size_t i = 0; i < 2; i++) {
		const struct rotary_positions *r = i ? b : a;
		const double *cosines = rotary_values(r, length, "cos",
						      &ignored, c->owner,
						      c->err);

		of[i].frequency = rotary_values(r, length, "freqs", &pairs[i],
						c->owner, c->err);
		if (!cosines || !of[i].frequency)
			return false;
		of[i].factor = cosines[0];
	}
	*n = pairs[0];
	return pairs[0] == pairs[1];
}

static bool same(const struct apart_cosines of[2], size_t n)
{
	return frequencies_near(of[0].frequency, of[1].frequency, n,
				SAME_FREQUENCY) &&
	       frequencies_near(&of[0].factor, &of[1].factor, 1,
				SAME_FREQUENCY);
}

bool frequencies_same(struct conversion *c, const struct rotary_positions *a,
		      const struct rotary_positions *b, double length)
{
	struct apart_cosines of[2];
	size_t n;

	return compute(c, a, b, length, of, &n) && same(of, n);
}

/* Note the positions at which these differ in a context of that length. */
static bool compare_at(struct conversion *c, const struct rotary_positions *a,
		       const struct rotary_positions *b, double length)
{
	const double longest = positions_longest(c);
	const double end = longest > 1 ? fmax(longest, length) : UNKNOWN_END;
	struct cosines *to = &c->cosines;
	struct apart_cosines of[2];
	size_t n;

	if (!compute(c, a, b, length, of, &n) || same(of, n))
		return false;
	for (size_t k = 0; k < APART_LIMITS; k++) {
		const double first = apart_first(&of[0], &of[1], n,
						 apart_limits[k].most, end);

		if (!to->known || first < to->first[k])
			to->first[k] = first;
	}
	to->factor[0] = of[0].factor;
	to->factor[1] = of[1].factor;
	to->known = true;
	to->length = length;
	to->end = end;
	return true;
}

void cosines_compare(struct conversion *c, const struct rotary_positions *a,
		     const struct rotary_positions *b)
{
	const double longest = positions_longest(c);

	if (!compare_at(c, a, b, longest) && !compare_at(c, a, b, 1))
		compare_at(c, a, b, 2 * longest);
}

void cosines_say(struct conversion *c)
{
	const struct cosines *x = &c->cosines;
	const double longest = positions_longest(c);
	const char *text = "", *as = "";
	char a[CONFIG_NUMBER], b[CONFIG_NUMBER];

	if (!x->known)
		return;
	if (!(x->first[APART_LIMITS - 1] > 0))
		text = " from position 0";
	else for (size_t k = 0; k < APART_LIMITS; k++)
		text = text_of(c, x->first[k] < x->end
			       ? "%s%s than %s from position %.0f"
			       : "%s%s than %s at no position before %.0f",
			       text, k ? ", by more" : " by more",
			       apart_limits[k].words, x->first[k]);
	if (config_differs(x->factor[0], x->factor[1]))
		as = text_of(c, ": they are multiplied by %s in A, by %s in B",
			     config_digits(x->factor[0], a),
			     config_digits(x->factor[1], b));
	say(c, &c->also, NULL, "%scosines differ%s%s", x->length > longest
	    ? text_of(c, "in a context of %.0f, ", x->length)
	    : x->length < longest ? "in short contexts, " : "", text, as);
}

/* Whether frequencies [n] may be those of a side: of any of its layers, with or
   without their scaling; or it is not known which those are. */
static bool may_be(struct conversion *c, const struct side *s,
		   const double *stored, size_t n, double tolerance)
{
	bool may = true;

	for (size_t i = 0; i < 2 * s->positions.n; i++) {
		struct rotary_positions r = s->positions.at[i / 2].r;
		const double *x;
		size_t m;

		if (!s->positions.at[i / 2].rotary)
			continue;
		r.scaling = i % 2 ? NULL : r.scaling;
		x = rotary_values(&r, 1, "freqs", &m, c->owner, c->err);
		if (!x || (n == m && frequencies_near(x, stored, n, tolerance)))
			return true;
		may = false;
	}
	return may;
}

void frequencies_check(struct conversion *c, struct side *s,
		       const struct tensor *one, struct error *err)
{
	struct table t = { 0 };

	/* Those that differ by rounding to the dtype are the same */
	if (checkpoint_read(&s->model, one, &t, err) &&
	    !may_be(c, s, t.row(&t, 0, NULL), t.planes * t.rows * t.cols,
		    t.dtype == F16 || t.dtype == BF16 ? 0x1p-8 : 1e-5))
		say(c, &c->different, one->name, "these frequencies, which "
		    "only %s has, are not those of its configuration",
		    s->letter);
	table_close(&t);
}
