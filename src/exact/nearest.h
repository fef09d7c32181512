/*
 * nearest.h: sines and cosines to the nearest double, in two tries (Ziv 1991):
 * in pairs of doubles, right to 66 bits; and by series.h where these leave
 * open which double is the nearest.
 */
#ifndef NEAREST_H
#define NEAREST_H

#include "exact/series.h"

enum { NEAREST_MOST = 64 };

/*
 * Angles as the first 128 bits of the fraction of a turn. They are right to
 * 2^-70 of what is left of them when the nearest quarters are taken away.
 */
struct nearest {
	uint64_t high[NEAREST_MOST], low[NEAREST_MOST];
	bool tiny[NEAREST_MOST];  /* less than 2^-40 turns is left, but not 0 */
};

/* Whether less than least, of at most 2^61, is left of an angle's high bits. */
static inline bool nearest_leaves(uint64_t high, uint64_t least)
{
	const uint64_t eighth = 1ull << 61;
	const uint64_t x = (high + eighth) & (2 * eighth - 1);

	return x + least - eighth < 2 * least;
}

/*
 * Sine and cosine [n] of n angles. Where one of a pair is not known to be
 * rounded to the nearest double, unsure [n] is not 0; returns whether any is.
 */
bool nearest_sincos(enum simd simd, const struct nearest *a, size_t n,
		    double *sine, double *cosine, uint64_t *unsure);

#endif
