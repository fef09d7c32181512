/* tens.c: products and quotients of 128 bits by a power of five. */
#include <stdbool.h>
#include <stdlib.h>

#include "exact/bits.h"
#include "exact/limbs.h"
#include "exact/tens.h"

/* 5^k, as far as 64 bits hold it. */
static const uint64_t fives[TEN_MOST + 1] = {
	1u, 5u, 25u, 125u, 625u, 3125u, 15625u, 78125u, 390625u, 1953125u,
	9765625u, 48828125u, 244140625u, 1220703125u, 6103515625u,
	30517578125u, 152587890625u, 762939453125u, 3814697265625u,
	19073486328125u, 95367431640625u, 476837158203125u, 2384185791015625u,
	11920928955078125u, 59604644775390625u, 298023223876953125u,
	1490116119384765625u, 7450580596923828125u,
};

/* 2^e, a normal double. */
static double power_of_two(long e)
{
	return double_of((uint64_t)(e + 1023) << 52);
}

/* 64 bits of the product or quotient; the last says whether any was lost. */
double tens_scale(uint64_t x, long e)
{
	const uint64_t five = fives[labs(e)];
	const int up = __builtin_clzll(x), five_up = __builtin_clzll(five);
	const uint128 left = x << up, right = five << five_up;
	const uint128 product = left * right, quotient = (left << 63) / right;
	const bool lost = e < 0 ? quotient * right != left << 63
				: (uint64_t)product;
	const uint64_t top = (uint64_t)(e < 0 ? quotient : product >> 64);

	e += e < 0 ? five_up - up - 63 : 64 - up - five_up;
	return (double)(top | lost) * power_of_two(e);
}
