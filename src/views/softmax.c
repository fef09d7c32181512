/* softmax.c: exponentials, and their sum, in vector loops. */
#include <math.h>
#include <stdint.h>

#include "exact/bits.h"
#include "exact/simd.h"
#include "views/softmax.h"

#define EXP_ZERO (-746.0)  /* e^x is 0 from here down */

#define ROUND 0x1.8p52     /* added to a number, leaves an integer */

/* 2^k for an integer k from -1022 on. */
SIMD_LOOP double power_of_two(double k)
{
	return double_of((bits_of(k + ROUND) + 1023) << 52);
}

/*
 * e^x for x <= 0, within one ulp: x = k ln 2 + r with |r| < 0.35, and the
 * series of e^r up to r^13 / 13!. The high part of ln 2 has few digits, so that
 * its product with k is exact. 2^k is multiplied in halves, so that only a
 * result below 2^-1022 is rounded again. Uses + - * only: the same result on
 * every machine.
 */
SIMD_LOOP double exponential(double x)
{
	const double high = 0x1.62e42fee00000p-1, low = 0x1.a39ef35793c76p-33;
	const double k = x * 0x1.71547652b82fep+0 + ROUND - ROUND;
	const double half = k / 2 + ROUND - ROUND;
	const double a = x - k * high, b = k * low, r = a - b;
	const double error = (a - r) - b;
	double p = 1 / 6227020800.0;

	p = p * r + 1 / 479001600.0;
	p = p * r + 1 / 39916800.0;
	p = p * r + 1 / 3628800.0;
	p = p * r + 1 / 362880.0;
	p = p * r + 1 / 40320.0;
	p = p * r + 1 / 5040.0;
	p = p * r + 1 / 720.0;
	p = p * r + 1 / 120.0;
	p = p * r + 1 / 24.0;
	p = p * r + 1 / 6.0;
	p = p * r + 0.5;
	return (1 + (r + (error + p * (r * r)))) * power_of_two(half) *
	       power_of_two(k - half);
}

/* LANES sums, each of every LANES-th element: vectors add them at once. */
enum { LANES = 8 };

/* x [n] becomes e^(x - max); their sum. */
SIMD_LOOP double exponentials_loop(double *restrict x, size_t n, double max)
{
	struct sum all = { 0, 0 };
	double value[LANES] = { 0 }, error[LANES] = { 0 };
	const size_t even = n / LANES * LANES;

	for (size_t j = 0; j < n; j++) {
		const double below = x[j] - max, e = exponential(below);

		x[j] = below > EXP_ZERO ? e : 0;
	}
	for (size_t j = 0; j < even; j += LANES)
		for (size_t l = 0; l < LANES; l++) {
			const double sum = value[l] + x[j + l];
			const double part = sum - value[l];

			error[l] += (value[l] - (sum - part)) +
				    (x[j + l] - part);
			value[l] = sum;
		}
	for (size_t j = even; j < n; j++)
		sum_add(&all, x[j]);
	for (size_t l = 0; l < LANES; l++) {
		sum_add(&all, value[l]);
		sum_add(&all, error[l]);
	}
	return all.value + all.error;
}

SIMD_LOOP void divide_loop(double *restrict x, size_t n, double by)
{
	for (size_t j = 0; j < n; j++)
		x[j] /= by;
}

SIMD_LOOP void softmax_loop(double *restrict x, size_t n)
{
	double max = -HUGE_VAL;

	for (size_t j = 0; j < n; j++)
		max = x[j] > max ? x[j] : max;
	divide_loop(x, n, exponentials_loop(x, n, max));
}

SIMD_EACH(void, softmax_of, (double *x, size_t n), softmax_loop(x, n))

void softmax(double *x, size_t n)
{
	softmax_of[simd_best()](x, n);
}
