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

/*
 * The lengths of contexts [LENGTHS] in which two rotations may be the same or
 * not: some scalings depend on the length, or begin beyond an original one.
 */
enum { LENGTHS = 7 };

static size_t lengths_of(const struct conversion *c,
			 const struct rotary_positions *a,
			 const struct rotary_positions *b,
			 double length[LENGTHS])
{
	const double longest = positions_longest(c);
	const double originals[] = { a->scale.original, b->scale.original };
	size_t n = 0;

	length[n++] = longest;
	for (size_t i = 0; i < 2; i++)
		if (originals[i] > 0) {
			length[n++] = originals[i];
			length[n++] = originals[i] + 1;
		}
	length[n++] = 1;
	length[n++] = 2 * longest;
	return n;
}

bool rotations_same(struct conversion *c, const struct rotary_positions *a,
		    const struct rotary_positions *b)
{
	struct apart_cosines of[2];
	double length[LENGTHS];
	const size_t lengths = lengths_of(c, a, b, length);
	size_t n, i = 0;

	while (i < lengths && compute(c, a, b, length[i], of, &n) &&
	       same(of, n))
		i++;
	return i == lengths;
}

/* The positions at which these differ in a context of that length. */
static struct cosines compare_at(struct conversion *c,
				 const struct rotary_positions *a,
				 const struct rotary_positions *b,
				 double length)
{
	const double longest = positions_longest(c);
	struct cosines x = {
		.end = length > 1 ? length : longest > 1 ? longest
							  : UNKNOWN_END,
		.length = length,
	};
	struct apart_cosines of[2];
	size_t n;

	if (!compute(c, a, b, length, of, &n) || same(of, n))
		return x;
	for (size_t k = 0; k < APART_LIMITS; k++)
		x.first[k] = apart_first(&of[0], &of[1], n,
					 apart_limits[k].most, x.end);
	x.factor[0] = of[0].factor;
	x.factor[1] = of[1].factor;
	x.known = true;
	return x;
}

/* Whether cosines differ more in a than in b: the coarsest limit counts. */
static bool is_worse(const struct cosines *a, const struct cosines *b)
{
	for (size_t k = APART_LIMITS; k-- > 0;) {
		const bool in_a = a->first[k] < a->end;
		const bool in_b = b->first[k] < b->end;

		if (in_a != in_b)
			return in_a;
		if (in_a && config_differs(a->first[k], b->first[k]))
			return a->first[k] < b->first[k];
	}
	return false;
}

void cosines_compare(struct conversion *c, const struct rotary_positions *a,
		     const struct rotary_positions *b)
{
	double length[LENGTHS];
	const size_t n = lengths_of(c, a, b, length);

	for (size_t i = 0; i < n; i++) {
		const struct cosines x = compare_at(c, a, b, length[i]);

		if (x.known && (!c->cosines.known ||
				is_worse(&x, &c->cosines)))
			c->cosines = x;
	}
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
	say(c, &c->also, NULL, "%scosines differ%s%s", x->length > 1 &&
	    config_differs(x->length, longest)
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
