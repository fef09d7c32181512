/*
 * double_double.h: products and sums of doubles with what rounding cuts off, as
 * a second double (Dekker 1971). The result is the same with a fused
 * multiplication and addition, and without.
 */
#ifndef DOUBLE_DOUBLE_H
#define DOUBLE_DOUBLE_H

#include <stdbool.h>

#include "exact/simd.h"

/* x rounded to 26 bits; what is left has 26, too. */
static inline __attribute__((always_inline)) double upper_half(double x)
{
	const double c = 0x8000001p0 * x;

	return c - (c - x);
}

/* a b is the result plus *error. fused: the machine has an instruction. */
static inline __attribute__((always_inline)) double
two_product(double a, double b, bool fused, double *error)
{
	const double p = a * b, x = upper_half(a), y = upper_half(b);

	*error = SIMD_EITHER(fused, __builtin_fma(a, b, -p),
			     (x * y - p + x * (b - y) + (a - x) * y) +
			     (a - x) * (b - y));
	return p;
}

/* a + b is the result plus *error; a is 0, or b not larger. */
static inline __attribute__((always_inline)) double
two_sum(double a, double b, double *error)
{
	const double s = a + b;

	*error = b - (s - a);
	return s;
}

#endif
