/* within.h: whether a number is where it may be. */
#ifndef WITHIN_H
#define WITHIN_H

#include <math.h>
#include <stdbool.h>

/* From lo to hi, both in it; NaN is nowhere. */
static inline bool within(double x, double lo, double hi)
{
	return x >= lo && x <= hi;
}

/* And whole. */
static inline bool whole_within(double x, double lo, double hi)
{
	return within(x, lo, hi) && x == rint(x);
}

#endif
