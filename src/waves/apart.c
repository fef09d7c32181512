/*
 * apart.c: from which position on cosines of two series of pairs differ.
 *
 * Of frequencies a and b, cos(a p) - cos(b p) is -2 sin((a + b) p / 2)
 * sin((a - b) p / 2). Its absolute value exceeds a limit t only where
 * 2 |sin((a - b) p / 2)| does, and |a^2 - b^2| p^2 / 2: from the first of these
 * positions on, each is tried.
 */
#include <math.h>

#include "waves/apart.h"

const struct apart_limit apart_limits[APART_LIMITS] = {
	{ 6e-8, "more_than_6e-8", "6e-8 (float32's rounding)" },
	{ 0x1p-9, "more_than_2^-9", "2^-9 (bfloat16's)" },
	{ 0.01, "more_than_0.01", "0.01" },
};

/* The cosines of a pair in both. */
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

double apart_first(const struct apart_cosines *a,
		   const struct apart_cosines *b, size_t n, double most,
		   double end)
{
	const double *x = a->frequency, *y = b->frequency;
	const bool factors = a->factor != b->factor;
	double first = end;

	for (size_t k = 0; k < n; k++) {
		const struct pair_cosines p = {
			{ x[k], y[k] }, { a->factor, b->factor },
		};

		if (factors || x[k] != y[k])
			first = first_above(&p, most, first);
	}
	return first;
}

void apart_report(const double first[APART_LIMITS], double end,
		  struct report *r)
{
	for (size_t k = 0; k < APART_LIMITS; k++)
		if (first[k] < end)
			report_number(r, apart_limits[k].key, first[k], NULL);
		else
			report_text(r, apart_limits[k].key, "none before %.0f",
				    end);
}
