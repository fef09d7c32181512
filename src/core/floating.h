/*
 * floating.h: positive numbers of some hundred bits, as exact frequencies,
 * slopes and scales are made of. All operations cut; n is the number of limbs
 * in use, and every operand must have as many.
 */
#ifndef FLOATING_H
#define FLOATING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FLOATING_MOST = 20 };  /* limbs: enough for the largest double */

/* m * 2^(exponent - 64 n); m is little-endian, its top bit set, or 0. */
struct floating {
	long exponent;
	uint64_t m[FLOATING_MOST];
};

/* A double from 0 on, exactly. */
struct floating floating_from(double x, size_t n);

/*
 * The nearest double, but one that rounds to single precision or shorter as
 * the number itself does. What is a double to 96 bits is that double.
 */
double floating_double(const struct floating *a, size_t n);

/* a *= b, and a /= x, x being positive. */
void floating_multiply(struct floating *a, const struct floating *b, size_t n);
void floating_divide(struct floating *a, double x, size_t n);

/* a += x, of either sign; the sum must be positive. */
void floating_add(struct floating *a, double x, size_t n);

/* base^(-1 / denominator), which is not 0. */
struct floating floating_root(double base, double denominator, size_t n);

/* base^exponent, whose binary logarithm must be below 2^40; it, below 2^53. */
struct floating floating_power(double base, double exponent, size_t n);

/* e^x, x being of magnitude below 2^40. */
struct floating floating_exponential(double x, size_t n);

/* ln x to the nearest double, x being positive; ln 1 is 0, not -0. */
double floating_log(double x);

#endif
