/* tens.c: an integer times a power of ten, in products of 128 bits. */
#include <stdbool.h>

#include "exact/bits.h"
#include "exact/limbs.h"
#include "exact/tens.h"

static const struct {
	uint64_t high, low;
} fives[2 * TEN_MOST + 1] = {
#include "exact/tens_table.inc"
};

/*
 * The algorithm of D. Lemire, "Number Parsing at a Gigabyte per Second" (2021),
 * of which N. Mushtak and D. Lemire, "Fast Number Parsing Without Fallback"
 * (2022), proved that 128 bits of 5^e always decide. Where the product may lie
 * half way between two doubles, it is exact; elsewhere a bit that is set below
 * all others says that it is not.
 */
SIMD_LOOP double scale(uint64_t x, long e)
{
	const int up = __builtin_clzll(x);
	const uint64_t left = x << up;
	const uint64_t high = fives[e + TEN_MOST].high;
	const uint64_t low = fives[e + TEN_MOST].low;
	const uint128 product = (uint128)left * high +
				(uint64_t)((uint128)left * low >> 64);
	const long power = (217706 * e >> 16) + 2 - up;
	const bool exact = e >= -4 && e <= 23 && !(uint64_t)product;
	const uint64_t top = (uint64_t)(product >> 65) |
			     (uint64_t)(product >> 64 & 1) | !exact;

	return (double)(int64_t)top *
	       double_of((uint64_t)(power + 1023) << 52);
}

double tens_scale(uint64_t x, long e)
{
	return scale(x, e);
}

SIMD_LOOP void scale_loop(const uint64_t *x, const int8_t *e, size_t n,
			  double *to)
{
	for (size_t i = 0; i < n; i++)
		to[i] = x[i] ? scale(x[i], e[i]) : 0;
}
SIMD_EACH(void, scale_all,
	  (const uint64_t *x, const int8_t *e, size_t n, double *to),
	  scale_loop(x, e, n, to))

void tens_scale_all(enum simd simd, const uint64_t *x, const int8_t *e,
		    size_t n, double *to)
{
	scale_all[simd](x, e, n, to);
}
