/* tens.h: an integer times a power of ten, as the nearest double. */
#ifndef TENS_H
#define TENS_H

#include <stddef.h>
#include <stdint.h>

#include "exact/simd.h"

enum { TEN_MOST = 64 };

/* x * 10^e, rounded once; x > 0 and |e| <= TEN_MOST. */
double tens_scale(uint64_t x, long e);

/* The same for each x [n] and e [n], also for x = 0, to to [n]. */
void tens_scale_all(enum simd simd, const uint64_t *x, const int8_t *e,
		    size_t n, double *to);

#endif
