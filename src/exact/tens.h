/* tens.h: an integer times a power of ten, as the nearest double. */
#ifndef TENS_H
#define TENS_H

#include <stdint.h>

enum { TEN_MOST = 27 };

/* x * 10^e, rounded once; x > 0 and |e| <= TEN_MOST. */
double tens_scale(uint64_t x, long e);

#endif
