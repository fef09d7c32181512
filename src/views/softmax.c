/* softmax.c: exponentials, their sum, and tanh, in vector loops. */
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

/* 2^k (1 + more) */
struct power {
	double k, more;
};

/*
 * e^x for x <= 0, within one ulp: x = k ln 2 + r with |r| < 0.35, and the
 * series of e^r up to r^13 / 13!. The high part of ln 2 has few digits, so that
 * its product with k is exact. Uses + - * only: the same result on every
 * machine.
 */
SIMD_LOOP struct power power_of_e(double x)
{
	const double high = 0x1.62e42fee00000p-1, low = 0x1.a39ef35793c76p-33;
	const double k = x * 0x1.71547652b82fep+0 + ROUND - ROUND;
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
	return (struct power){ k, r + (error + p * (r * r)) };
}

/*
 * The same as a number: 2^k is multiplied in halves, so that only a result
 * below 2^-1022 is rounded again.
 */
SIMD_LOOP double exponential(double x)
{
	const struct power e = power_of_e(x);
	const double half = e.k / 2 + ROUND - ROUND;

	return (1 + e.more) * power_of_two(half) * power_of_two(e.k - half);
}

/*
 * c tanh(x / c), which is -t / (2 + t) with t = e^(-2 |x / c|) - 1. From 40 on,
 * tanh is 1; below 2^-28, it is its argument.
 */
SIMD_LOOP double capped(double x, double c)
{
	const double y = x / c, size = y < 0 ? -y : y;
	const struct power e = power_of_e(size < 40 ? -2 * size : -80);
	const double two_k = power_of_two(e.k);
	const double t = (two_k - 1) + two_k * e.more;
	const double z = c * (-t / (2 + t));

	return size < 0x1p-28 ? x : y < 0 ? -z : z;
}

/* LANES sums, each of every LANES-th element: vectors add them at once. */
enum { LANES = 8 };

/* x [n] becomes e^(x - max); their sum, and first. */
SIMD_LOOP double exponentials_loop(double *restrict x, size_t n, double max,
				   double first)
{
	struct sum all = { first, 0 };
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

SIMD_LOOP void softmax_loop(double *restrict x, size_t n, double sink)
{
	double max = sink, first;

	for (size_t j = 0; j < n; j++)
		max = x[j] > max ? x[j] : max;
	first = sink - max > EXP_ZERO ? exponential(sink - max) : 0;
	divide_loop(x, n, exponentials_loop(x, n, max, first));
}

SIMD_LOOP void softcap_loop(double *restrict x, size_t n, double c)
{
	for (size_t j = 0; j < n; j++)
		x[j] = capped(x[j], c);
}

SIMD_EACH(void, softmax_of, (double *x, size_t n, double sink),
	  softmax_loop(x, n, sink))

SIMD_EACH(void, softcap_of, (double *x, size_t n, double c),
	  softcap_loop(x, n, c))

void softmax(double *x, size_t n, double sink)
{
	softmax_of[simd_best()](x, n, sink);
}

void softcap(double *x, size_t n, double c)
{
	softcap_of[simd_best()](x, n, c);
}
