/* within.h: whether a value is within a range. */
#ifndef WITHIN_H
#define WITHIN_H

#include <math.h>
#include <stdbool.h>

/* lo <= x <= hi; false for NaN. */
static inline bool within(double x, double lo, double hi)
{
	return x >= lo && x <= hi;
}

/* The same, and x is an integer. */
static inline bool whole_within(double x, double lo, double hi)
{
	return within(x, lo, hi) && x == rint(x);
}

#endif
