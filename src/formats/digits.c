/* digits.c: the shortest text of float32 numbers, many at a time. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "core/bits.h"
#include "core/simd.h"
#include "formats/digits.h"
#include "formats/number.h"

/* Four digits of v, below 10000, as bytes from 0 to 9, the first one lowest. */
static inline uint32_t four_digits(uint32_t v)
{
	const uint32_t hundreds = v * 5243 >> 19;
	const uint32_t pairs = hundreds | (v - 100 * hundreds) << 16;
	const uint32_t tens = pairs * 103 >> 10 & 0x000f000f;

	return tens | (pairs - 10 * tens) << 8;
}

#define LOOPS "formats/digits_loops.h"
#include "core/simd_each.h"

typedef void decimals(const float *x, size_t n, uint32_t *first,
		      uint32_t *second, uint32_t *third);

static decimals *const versions[SIMDS] =
	SIMD_VERSIONS(decimals);

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
	return 10 - (size_t)__builtin_clzll(eight | 1) / 8;
}

size_t digits_text(char *text, const float *x, size_t n)
{
	decimals *const make = versions[simd_best()];
	uint32_t first[CHUNK], second[CHUNK], third[CHUNK];
	char *at = text;

	for (size_t j = 0; j < n; j++) {
		const size_t i = j % CHUNK;
		const float size = fabsf(x[j]);

		if (i == 0)
			make(x + j, n - j < CHUNK ? n - j : CHUNK, first,
			     second, third);
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
