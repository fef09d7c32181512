/* digits.c: shortest decimal text of float32 values, many at a time. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "exact/bits.h"
#include "exact/simd.h"
#include "text/digits.h"
#include "text/decimal.h"

/* The four digits of v < 10000 as bytes 0 to 9, the first one lowest. */
static inline uint32_t four_digits(uint32_t v)
{
	const uint32_t hundreds = v * 5243 >> 19;
	const uint32_t pairs = hundreds | (v - 100 * hundreds) << 16;
	const uint32_t tens = pairs * 103 >> 10 & 0x000f000f;

	return tens | (pairs - 10 * tens) << 8;
}

/*
 * Twelve digits after the point of the shortest decimal of each x [n] in
 * [2^-14, 1), as bytes 0 to 9; meaningless digits for other x.
 *
 * Let u be the distance of x to the next float, a power of two, and scale the
 * power of ten with 1 <= scale * u < 10. Then y = x * scale and
 * h = scale * u / 2 are exact in doubles, and the decimals that read back as x
 * are those that, times scale, lie within h of y (on the lower side of a power
 * of two: within h / 2). The interval contains at least one integer (also for a
 * power of two: y is an integer from 2^-12 on; 2^-13 and 2^-14 were checked)
 * and at most one multiple of ten. If it contains a multiple of ten, that is
 * the shortest, without its zeros; else the integer nearest to y is. The ends
 * of the interval are never integers, since they are odd multiples of
 * 5^s / 2^t with t > 0: it does not matter whether they belong to it.
 */
SIMD_LOOP void decimals_loop(const float *restrict xs, size_t n,
			     uint32_t *restrict first,
			     uint32_t *restrict second,
			     uint32_t *restrict third)
{
	const double round = 0x1.8p52;

	for (size_t i = 0; i < n; i++) {
		const double size = fabs((double)xs[i]);
		const double x = size < 1 ? size : 0;
		const double power = double_of
			(bits_of(x) & 0x7ff0000000000000);
		double scale = 1e8, tail = 1e4, best, y, h, below, ten, all;
		int32_t a, b, c;

		scale = x < 0x1p-3 ? 1e9 : scale;
		scale = x < 0x1p-6 ? 1e10 : scale;
		scale = x < 0x1p-10 ? 1e11 : scale;
		scale = x < 0x1p-13 ? 1e12 : scale;
		tail = x < 0x1p-3 ? 1e3 : tail;
		tail = x < 0x1p-6 ? 1e2 : tail;
		tail = x < 0x1p-10 ? 1e1 : tail;
		tail = x < 0x1p-13 ? 1e0 : tail;
		y = x * scale;
		h = power * 0x1p-24 * scale;
		below = x > power ? h : 0.5 * h;
		ten = 10 * (y * 0.1 - 0.5 + round - round);
		best = y + round - round;
		best = ten + 10 - y <= h ? ten + 10 : best;
		best = y - ten <= below ? ten : best;

		all = best * tail;
		a = (int32_t)((all + 0.5) * 1e-8);
		all -= 1e8 * a;
		b = (int32_t)((all + 0.5) * 1e-4);
		c = (int32_t)(all - 1e4 * b);
		first[i] = four_digits((uint32_t)a);
		second[i] = four_digits((uint32_t)b);
		third[i] = four_digits((uint32_t)c);
	}
}
SIMD_EACH(void, decimals,
	  (const float *restrict x, size_t n, uint32_t *restrict first,
	   uint32_t *restrict second, uint32_t *restrict third),
	  decimals_loop(x, n, first, second, third))

enum { CHUNK = 128 };

/* "0." and the digits, without the zeros at their end; the length. */
static size_t plain_text(char *to, uint32_t first, uint32_t second,
			 uint32_t third)
{
	const uint64_t eight = (uint64_t)second << 32 | first;
	const uint64_t text = eight | 0x3030303030303030;
	const uint32_t more = third | 0x30303030;

	memcpy(to, "0.", 2);
	memcpy(to + 2, &text, sizeof text);
	memcpy(to + 10, &more, sizeof more);
	if (third)
		return 14 - (size_t)__builtin_clz(third) / 8;
	return 10 - (size_t)__builtin_clzll(eight) / 8;
}

size_t digits_text(char *text, const float *x, size_t n)
{
	const enum simd simd = simd_best();
	uint32_t first[CHUNK], second[CHUNK], third[CHUNK];
	char *at = text;

	for (size_t j = 0; j < n; j++) {
		const size_t i = j % CHUNK;
		const float size = fabsf(x[j]);

		if (i == 0)
			decimals[simd](x + j, n - j < CHUNK ? n - j : CHUNK,
				       first, second, third);
		if (size >= 0x1p-14f && size < 1) {
			*at = '-';
			at += signbit(x[j]) != 0;
			at += plain_text(at, first[i], second[i], third[i]);
		} else {
			at += number_text(at, (double)x[j], F32, 0);
		}
		*at++ = ',';
	}
	return (size_t)(at - text) - 1;
}
