/* couple.c: two tables, and when their numbers agree. */
#include <math.h>

#include "views/couple.h"

bool couple_agree(const struct couple *c, double a, double b)
{
	const double apart = couple_apart(a, b);

	/* A part of an infinite b would reach to any number. */
	return (isfinite(apart) && apart <= c->atol + c->rtol * fabs(b)) ||
	       dtype_ulps(c->dtype, a, b) <= c->ulp;
}

double couple_apart(double a, double b)
{
	if (isfinite(a) && isfinite(b))
		return fabs(a - b);
	return (isnan(a) && isnan(b)) || (a <= b && a >= b)
		? 0 : (double)INFINITY;
}
