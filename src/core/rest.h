/* rest.h: what is left of an angle when whole quarter turns are taken away. */
#ifndef REST_H
#define REST_H

#include "core/turns.h"

enum { REST_LIMBS = 4 };

/*
 * The angle is quarters / 4 turns and m * 2^(exponent - 256) turns more, or
 * less where negative; that rest is at most an eighth of a turn. The top bit
 * of m is set, or m is 0.
 */
struct rest {
	unsigned quarters;          /* mod 4 */
	bool negative;
	uint64_t m[REST_LIMBS];     /* little-endian */
	long exponent;
};

/* The rest of position * frequency k, position from 0 on; right to 2^-100. */
void rest_exactly(const struct turns *t, size_t k, double position,
		  struct rest *r);

/* Take the nearest quarters from a fraction of a turn; the rest stays. */
static inline unsigned rest_quarters(uint64_t *high, bool *negative)
{
	const uint64_t quarters = (*high + (1ull << 61)) >> 62;

	*high -= quarters << 62;
	*negative = *high >> 63;
	return (unsigned)quarters;
}

/*
 * How the sine and cosine of the rest's magnitude become those of the angle,
 * as the kernel's sincos() wants it told.
 */
static inline unsigned rest_turned(unsigned quarters, bool negative)
{
	const unsigned swap = quarters & 1, sign = negative ? 2 : 0;
	const unsigned sine = (quarters & 2) ^ (swap ? 0 : sign);
	const unsigned cosine = ((quarters + 1) & 2) ^ (swap ? sign : 0);

	return swap | sine | cosine << 1;
}

#endif
