/*
 * kernel.h: the two loops that make sines and cosines by the million, in a
 * version for each instruction set. All versions give the same bits: they are
 * one text, with no fused operations, and differ in the width of registers.
 */
#ifndef KERNEL_H
#define KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/simd.h"

/*
 * The block of rows that a row belongs to: sine and cosine of each frequency
 * at the block's first position [n], and how far a sum of two products with
 * them can be off [n].
 */
struct kernel_anchor {
	const double *sine, *cosine;
	const double *sine_error, *cosine_error;
};

struct kernel {
	/*
	 * Sine and cosine of x + y [n], |x| at most pi / 4 and |y| below half
	 * a unit in the last place of x; within 0.81 units in the last place.
	 * Then turned [n] says what becomes of them: 1, they swap places; 2,
	 * the sine's sign changes; 4, the cosine's. False where one of them
	 * might round to the wrong float or shorter number.
	 */
	bool (*sincos)(const double *x, const double *y,
		       const uint64_t *turned, size_t n, double *sine,
		       double *cosine);

	/*
	 * The sine and cosine of anchor plus turn, to single precision [n]:
	 * sin(a + b) = sin a cos b + cos a sin b, and so on. False where one of
	 * them may be rounded to the wrong side.
	 */
	bool (*rotate)(const struct kernel_anchor *a, const double *turn_sine,
		       const double *turn_cosine, size_t n, float *sine,
		       float *cosine);
};

/* The version for an instruction set that the machine has. */
const struct kernel *kernel_for(enum simd simd);

#endif
