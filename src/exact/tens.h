/* tens.h: powers of ten, by which numbers become text and text numbers. */
#ifndef TENS_H
#define TENS_H

#include <stdbool.h>
#include <stdint.h>

enum { TEN_MOST = 350, TEN_ZERO = 351 };

/*
 * 10^e for e from -TEN_MOST to TEN_MOST at [TEN_ZERO + e]: the highest 128
 * bits, the first of them 1; bits below are dropped. Exact for e from 0 to 55.
 */
extern const uint64_t tens[][2];

/* The place of 10^e's highest bit, floor(log2(10^e)). */
static inline int64_t tens_log2(int64_t e)
{
	return e * 217706 >> 16;
}

/*
 * *to = x * 10^e, rounded once; x > 0. False: it may be no normal double, or e
 * is out of the table.
 */
bool tens_scale(uint64_t x, int64_t e, double *to);

#endif
