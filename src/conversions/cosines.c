/*
 * cosines.c: from which position on the cosines of two models differ.
 *
 * Of frequencies a and b, cos(a p) - cos(b p) is -2 sin((a + b) p / 2)
 * sin((a - b) p / 2). Its absolute value exceeds a limit t only where
 * 2 |sin((a - b) p / 2)| does, and |a^2 - b^2| p^2 / 2: from the first of these
 * positions on, each is tried.
 */
#include <math.h>

#include "conversions/conversions.h"
#include "model/config.h"

static const struct {
	double most;
	const char *key, *words;
} limits[COSINE_LIMITS] = {
	{ 6e-8, "more_than_6e-8", "6e-8 (float32's rounding)" },
	{ 0x1p-9, "more_than_2^-9", "2^-9 (bfloat16's)" },
	{ 0.01, "more_than_0.01", "0.01" },
};

/* Positions that are compared where no context is known. */
#define UNKNOWN_END 0x1p20

/* The cosines of a pair in both models. */
struct pair_cosines {
	double frequency[2], factor[2];
};

static double difference(const struct pair_cosines *p, double position)
{
	const double a = p->frequency[0], b = p->frequency[1];

	return fabs((p->factor[0] - p->factor[1]) * cos(b * position) -
		    2 * p->factor[0] * sin((a + b) / 2 * position) *
		    sin((a - b) / 2 * position));
}

/* The first position before end whose difference is above most, or end. */
static double first_above(const struct pair_cosines *p, double most, double end)
{
	const double a = p->frequency[0], b = p->frequency[1];
	const double apart = fabs(p->factor[0] - p->factor[1]);
	const double rest = (most - apart) / fmax(fabs(p->factor[0]), 1e-300);
	double at;

	if (apart > most)
		return 0;
	/* Somewhat less, as these are rounded */
	at = fmax(sqrt(2 * rest / fabs(a * a - b * b)),
		  2 * asin(fmin(rest / 2, 1)) / fabs(a - b));
	at = at > 0 ? floor(at * (1 - 1e-9)) : 0;
	while (at < end && !(difference(p, at) > most))
		at++;
	return fmin(at, end);
}

/* The same of all pairs [n]. */
static double first_of_all(const double *x, const double *y, size_t n,
			   const double factor[2], double most, double end)
{
	double first = end;

	for (size_t k = 0; k < n; k++) {
		const struct pair_cosines p = {
			{ x[k], y[k] }, { factor[0], factor[1] },
		};

		if (x[k] < y[k] || x[k] > y[k] || factor[0] < factor[1] ||
		    factor[0] > factor[1])
			first = first_above(&p, most, first);
	}
	return first;
}

/* Note the positions at which these differ in a context of that length. */
static bool compare_at(struct conversion *c, const struct rotary_positions *a,
		       const struct rotary_positions *b, double length)
{
	const double longest = positions_longest(c);
	const double end = longest > 1 ? fmax(longest, length) : UNKNOWN_END;
	struct cosines *to = &c->cosines;
	double *of[2][2];
	size_t n[2][2];

	for (size_t i = 0; i < 4; i++)
		of[i / 2][i % 2] = rope_values(c, i % 2 ? b : a, length,
					       i < 2 ? "freqs" : "cos",
					       &n[i / 2][i % 2]);
	if (!of[0][0] || !of[0][1] || !of[1][0] || !of[1][1] ||
	    n[0][0] != n[0][1] || n[1][0] != n[1][1] ||
	    (frequencies_near(of[0][0], of[0][1], n[0][0], SAME_FREQUENCY) &&
	     frequencies_near(of[1][0], of[1][1], n[1][0], SAME_FREQUENCY)))
		return false;
	for (size_t i = 0; i < 2; i++)
		to->factor[i] = of[1][i][0];
	for (size_t k = 0; k < COSINE_LIMITS; k++) {
		const double first = first_of_all(of[0][0], of[0][1], n[0][0],
						  to->factor, limits[k].most,
						  end);

		if (!to->known || first < to->first[k])
			to->first[k] = first;
	}
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
	const char *text = "", *as = "";
	char a[CONFIG_NUMBER], b[CONFIG_NUMBER];

	if (!x->known)
		return;
	if (!(x->first[COSINE_LIMITS - 1] > 0))
		text = " from position 0";
	else for (size_t k = 0; k < COSINE_LIMITS; k++)
		text = text_of(c, x->first[k] < x->end
			       ? "%s%s than %s from position %.0f"
			       : "%s%s than %s at no position before %.0f",
			       text, k ? ", by more" : " by more",
			       limits[k].words, x->first[k]);
	if (config_differs(x->factor[0], x->factor[1]))
		as = text_of(c, ": they are multiplied by %s in A, by %s in B",
			     config_digits(x->factor[0], a),
			     config_digits(x->factor[1], b));
	say(c, &c->also, "%scosines differ%s%s",
	    x->length > positions_longest(c)
	    ? text_of(c, "in a context of %.0f, ", x->length)
	    : x->length < positions_longest(c) ? "in short contexts, " : "",
	    text, as);
}

void cosines_report(const struct conversion *c, struct report *r)
{
	if (!c->cosines.known)
		return;
	report_group(r, "cosines_differ_from_position");
	for (size_t k = 0; k < COSINE_LIMITS; k++)
		if (c->cosines.first[k] < c->cosines.end)
			report_number(r, limits[k].key, c->cosines.first[k],
				      NULL);
		else
			report_text(r, limits[k].key, "none before %.0f",
				    c->cosines.end);
}
