/*
 * series.h: sine and cosine of an angle by Taylor's series in integers of 256
 * bits. Slow, right to more than 200 bits; for the values that doubles leave
 * undecided, and the reference of turns.c.
 */
#ifndef SERIES_H
#define SERIES_H

#include "exact/turns.h"

enum { REMAINDER_LIMBS = 4 };

/*
 * What is left of an angle when the nearest whole quarter turns are taken away.
 * The angle is quarters / 4 turns plus (if negative: minus)
 * m * 2^(exponent - 256) turns, which is at most an eighth of a turn. The top
 * bit of m is set, or m is 0: of a multiple of a quarter turn.
 */
struct remainder {
	unsigned quarters;                /* mod 4 */
	bool negative;
	uint64_t m[REMAINDER_LIMBS];      /* little-endian */
	int64_t exponent;
};

/*
 * The remainder of position * frequency k, for a position of at least 0; the
 * relative error is below 2^-100.
 */
void remainder_of(const struct turns *t, size_t k, double position,
		  struct remainder *r);

/*
 * The remainder of the sum of a[i] b[i] turns, i < n, of finite a and b;
 * without error but for the bits that m does not hold.
 */
void remainder_of_products(const double *a, const double *b, size_t n,
			   struct remainder *r);

/*
 * Subtract the nearest quarters from *high, the top 64 bits of the fraction of
 * a turn, and return them (0 to 4). The remainder may be negative.
 */
static inline unsigned remainder_quarters(uint64_t *high, bool *negative)
{
	const uint64_t quarters = (*high + (1ull << 61)) >> 62;

	*high -= quarters << 62;
	*negative = *high >> 63;
	return (unsigned)quarters;
}

/*
 * How the sine and cosine of the remainder's magnitude become those of the
 * angle, as sine_cosine() of turns.c takes it: 1, exchange them; then 2, negate
 * the sine; 4, negate the cosine.
 */
static inline unsigned remainder_quadrant(unsigned quarters, bool negative)
{
	const unsigned swap = quarters & 1, sign = negative ? 2 : 0;
	const unsigned sine = (quarters & 2) ^ (swap ? 0 : sign);
	const unsigned cosine = ((quarters + 1) & 2) ^ (swap ? sign : 0);

	return swap | sine | cosine << 1;
}

/*
 * How a value is rounded to the 53 bits of a double. Round to odd: truncate,
 * and set the last bit if anything was cut off. Rounding such a double to any
 * shorter format gives the same as rounding the exact value (Boldo and
 * Melquiond 2008, "Emulation of FMA and correctly rounded sums").
 */
enum rounding { TO_NEAREST, TO_ODD };

/*
 * Sine and cosine of position * frequency k, for a position of at least 0,
 * rounded once.
 */
void series_sincos(const struct turns *t, size_t k, double position,
		   enum rounding rounding, double *sine, double *cosine);

/* The same of the angle whose remainder is r. */
void series_remainder(const struct remainder *r, enum rounding rounding,
		      double *sine, double *cosine);

#endif
