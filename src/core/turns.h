/*
 * turns.h: angular frequencies as exact binary fractions of a turn, and the
 * sine and cosine of any position at them.
 *
 * A position times a frequency is an angle of up to 2^53 radians, of which
 * only the part beyond whole turns matters. Counted in turns that part is what
 * is left of the binary point, so wrap-around of integers reduces the angle
 * without error, where multiplying doubles would have lost it.
 */
#ifndef TURNS_H
#define TURNS_H

#include <stdint.h>

#include "core/table.h"

struct turns {
	const struct kernel *kernel;
	size_t n;            /* frequencies */
	bool backwards;      /* the scale was negative: angles are negated */
	/* Turns a position: mantissa * 2^(exponent - 64 limbs) */
	size_t limbs;
	uint64_t *mantissa;  /* [n, limbs], little-endian, top bit set */
	long *exponent;      /* [n] */
	uint64_t *fraction;  /* [n, 2], low and high: of a turn, 2^-128 */
};

/*
 * Frequency k is scale * base^(-k / denominator) radians a position, for k
 * below n > 0. The denominator is not 0. Owned by t. Fails where a frequency is
 * too large for a double.
 *
 * In turns a position F is right to 2^-190 of itself or of a turn, whichever is
 * less. A position of 53 bits makes that 2^-137 turns. How near to a quarter
 * turn can a product come? By chance, 2^53 positions of 2^20 frequencies come
 * as near as 2^-75, not nearer: there 62 bits of the rest are still right. (It
 * is no proof; sines of that size are tested.)
 */
bool turns_geometric(struct turns *turns, size_t n, double base,
		     double denominator, double scale, struct table *t,
		     struct error *err);

/* As above, in turns a position: 2 pi times as large, exactly. */
bool turns_geometric_whole(struct turns *turns, size_t n, double base,
			   double denominator, double scale, struct table *t,
			   struct error *err);

/*
 * Frequency k is pi (first + k step / over) radians a position, for k below
 * n > 0; all are positive.
 */
bool turns_linear(struct turns *turns, size_t n, double first, double step,
		  double over, struct table *t, struct error *err);

/* Multiply frequency k by base^(-k / denominator), for all k. */
void turns_stretch(struct turns *turns, double base, double denominator);

/*
 * Frequency k, f turns a position, becomes f (a + b f) / over; b is not
 * negative, the result and over are positive.
 */
void turns_change(struct turns *turns, size_t k, double a, double b,
		  double over);

/* Frequencies from to on become those from from on. */
void turns_copy(struct turns *turns, size_t to, size_t from, size_t n);

/* Frequency k becomes 0. */
void turns_stop(struct turns *turns, size_t k);

/*
 * Position times frequency k, in radians; rounding it to 24 bits or fewer gives
 * what rounding the exact value would.
 */
double turns_radians(const struct turns *turns, size_t k, double position);

/*
 * Sine and cosine [n] of position times the frequencies from the k-th on, for
 * any position of magnitude up to 2^53, whole or not. Each is within one unit
 * in the last place, and such that rounding it to 24 bits or fewer gives what
 * rounding the exact value would.
 */
void turns_sincos(const struct turns *turns, size_t k, size_t n,
		  double position, double *sine, double *cosine);

#endif
