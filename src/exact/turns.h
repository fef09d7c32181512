/*
 * turns.h: angular frequencies as exact binary fractions of a full turn, and
 * the sine and cosine of any position at them.
 *
 * The folder exact/ is arithmetic with one rounding: results are correctly
 * rounded, or their error bound is stated, and they have the same bits on every
 * machine. Its main type is struct turns, below. It includes table/ (memory,
 * errors) and nothing else.
 *
 *   limbs.h      unsigned integers of any length
 *   floating.h   positive values with mantissas of several hundred bits
 *   logarithm.h  logarithms in double-double arithmetic
 *   yarn.h       the formulas of YaRN
 *   turns.h      angles: frequencies, and fast sines and cosines
 *   nearest.h    sines and cosines to the nearest double
 *   series.h     the same sines and cosines to 200 bits, for undecided cases
 *   tens.h       integers times powers of ten
 *   simd.h       loops compiled for each instruction set
 *   bits.h, within.h  questions about one double
 *
 * A position times a frequency is an angle of up to 2^53 radians, of which only
 * the fraction of a turn matters. Measured in turns it is the part after the
 * binary point, so that integer wrap-around reduces the angle without error,
 * where a product of doubles would have lost it.
 */
#ifndef TURNS_H
#define TURNS_H

#include <stdint.h>

#include "exact/simd.h"
#include "table/table.h"

#define TWO_PI 6.283185307179586  /* radians of a full turn */

struct turns {
	enum simd simd;      /* instruction set of the loops */
	size_t n;            /* frequencies */
	bool negative;       /* the scale was negative: negate all angles */
	/* Turns per position: mantissa * 2^(exponent - 64 limbs) */
	size_t limbs;
	uint64_t *mantissa;  /* [n, limbs], little-endian, top bit set */
	int64_t *exponent;   /* [n] */
	uint64_t *fraction;  /* [n, 2], low and high; units of 2^-128 turns */
};

/*
 * Frequency k is scale * base^(-k / denominator) radians per position, for
 * k < n; n > 0, and the denominator is not 0. Memory is owned by t. Fails if a
 * frequency is too large for a double.
 *
 * In turns per position, a frequency F is right to 2^-190 of itself or of a
 * turn, whichever is less. A position of 53 bits makes that 2^-137 turns. How
 * close to a quarter turn can a product come? By chance, 2^53 positions at 2^20
 * frequencies come as close as 2^-75 and not closer: there 62 bits of the
 * remainder are still right. (This is no proof; sines of that size are tested.)
 * What is less than 2^-120 is of a rational angle, and 0: its sine is +0.
 */
bool turns_geometric(struct turns *turns, size_t n, double base,
		     double denominator, double scale, struct table *t,
		     struct error *err);

/* The same in turns instead of radians per position: 2 pi times as large. */
bool turns_geometric_in_turns(struct turns *turns, size_t n, double base,
			      double denominator, double scale,
			      struct table *t, struct error *err);

/*
 * Frequency k is pi (first + k step / over) radians per position, for k < n;
 * n > 0, and all frequencies are positive.
 */
bool turns_linear(struct turns *turns, size_t n, double first, double step,
		  double over, struct table *t, struct error *err);

/*
 * Frequency k is the k-th of n values in even steps from 1 to last, both
 * included (n = 1: 1), divided by over: half turns per position, or radians. n
 * > 0; last and over are positive.
 */
bool turns_even(struct turns *turns, size_t n, double last, double over,
		bool half_turns, struct table *t, struct error *err);

/* Multiply frequency k by base^(-(k + more) / denominator); more: 0 or 1. */
void turns_multiply(struct turns *turns, double base, size_t more,
		    double denominator);

/*
 * Replace frequency k, f turns per position, by f (a + b f) / over; b is not
 * negative, the result and over are positive.
 */
void turns_transform(struct turns *turns, size_t k, double a, double b,
		     double over);

/* Allocate n frequencies of so many limbs. t owns them. */
bool turns_begin(struct turns *turns, size_t n, size_t limbs, struct table *t,
		 struct error *err);

/*
 * Copy n frequencies of others, index k, k + step, ..., to index to on; theirs
 * have at most as many limbs.
 */
void turns_take(struct turns *turns, size_t to, const struct turns *others,
		size_t k, size_t step, size_t n);

/* Set frequency k to 0; to a full turn in n positions, n > 0. */
void turns_zero(struct turns *turns, size_t k);
void turns_period(struct turns *turns, size_t k, double n);

/* One frequency of one radian per position: positions are angles. */
bool turns_radian(struct turns *turns, struct table *t, struct error *err);

/*
 * Set frequency k to x radians per position, at most about twice the largest
 * frequency so far; the sign of all frequencies remains, x is its magnitude,
 * finite and not negative.
 */
void turns_set(struct turns *turns, size_t k, double x);

/*
 * Position times frequency k, in radians; rounding it to 24 bits or fewer gives
 * the same as rounding the exact value.
 */
double turns_angle(const struct turns *turns, size_t k, double position);

/*
 * Sine and cosine [n] of position times the frequencies from the k-th on, for
 * any |position| up to 2^53, whole or not. The error is at most one unit in the
 * last place, and rounding a result to 24 bits or fewer gives the same as
 * rounding the exact value.
 */
void turns_sincos(const struct turns *turns, size_t k, size_t n,
		  double position, double *sine, double *cosine);

/* The same to the nearest double; rounding that again may be wrong. */
void turns_nearest(const struct turns *t, size_t k, size_t n, double position,
		   double *sine, double *cosine);

/*
 * Sine and cosine of the sum of a[i] b[i] full turns, i < n, of finite a and b;
 * as exact as above.
 */
void turns_of_products(enum simd simd, const double *a, const double *b,
		       size_t n, double *sine, double *cosine);

#endif
