/*
 * kernel.h: the two vector loops that compute sines and cosines. The result is
 * the same for every instruction set.
 */
#ifndef KERNEL_H
#define KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "exact/simd.h"

/*
 * What the rows of a block are rotated from: sine and cosine at a position of
 * the block [n], and upper bounds of the error of a result [n].
 */
struct kernel_anchor {
	const double *sine, *cosine;
	const double *sine_error, *cosine_error;
};

/* The columns of a row: [n] each, or both in first [n, 2] if interleaved. */
struct kernel_row {
	float *first, *second;
};

/*
 * Sine and cosine [n] of x + y [n], |x| at most pi / 4 and |y| below half
 * a unit in the last place of x; within 0.81 units in the last place.
 * quadrant [n] says what becomes of them: 1, they are exchanged; 2, the sine is
 * negated; 4, the cosine. False if one of them might round to the wrong float
 * or to the wrong value of a shorter format.
 */
bool kernel_sincos(enum simd simd, const double *x, const double *y,
		   const uint64_t *quadrant, size_t n, double *sine,
		   double *cosine);

/*
 * Sine and cosine of anchor minus angle to rows[0], and of anchor plus angle to
 * rows[1], to single precision: sin(a + b) = sin a cos b + cos a sin b, and so
 * on. The result says which may have a value rounded to the wrong side: 1,
 * rows[0], and 2, rows[1].
 */
unsigned kernel_rotate(enum simd simd, const struct kernel_anchor *anchor,
		       const double *angle_sine, const double *angle_cosine,
		       size_t n, bool interleaved,
		       const struct kernel_row rows[2]);

#endif
