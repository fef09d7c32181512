/*
 * floating.h: positive floating-point values with mantissas of several hundred
 * bits, from which exact frequencies, slopes and scales are computed. All
 * operations truncate. n is the number of 64-bit limbs in use, the same for
 * every operand; the relative error of a result is a few units of 2^-(64 n).
 */
#ifndef FLOATING_H
#define FLOATING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FLOATING_LIMBS = 20 };  /* at most: enough for the largest double */

/* m * 2^(exponent - 64 n); m is little-endian with its top bit set, or 0. */
struct floating {
	int64_t exponent;
	uint64_t m[FLOATING_LIMBS];
};

/* x, at least 0, without error. */
struct floating floating_from(double x, size_t n);

/*
 * The nearest double, adjusted so that rounding it to single precision or
 * shorter gives the same as rounding the value itself. A value within 2^-96 of
 * a double, relatively, gives that double.
 */
double floating_double(const struct floating *a, size_t n);

/* a *= b; a /= x, for a positive x. */
void floating_multiply(struct floating *a, const struct floating *b, size_t n);
void floating_divide(struct floating *a, double x, size_t n);

/* a += x, which may be negative; the sum must be positive. */
void floating_add(struct floating *a, double x, size_t n);

/* base^(-1 / denominator), for a positive base; the denominator is not 0. */
struct floating floating_root(double base, double denominator, size_t n);

/* base^exponent; |exponent| < 2^53 and |exponent log2 base| < 2^40. */
struct floating floating_power(double base, double exponent, size_t n);

/* e^x, for |x| < 2^40. */
struct floating floating_exponential(double x, size_t n);

/* ln x, rounded to the nearest double, for a positive x; ln 1 is +0. */
double floating_log(double x);

#endif
