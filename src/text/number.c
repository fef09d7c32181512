/*
 * number.c: numbers written as decimal text that reads back the same.
 *
 * The shortest decimal is found as in R. Giulietti, "The Schubfach way to
 * render doubles" (2020). A value of a dtype is c * 2^q, and what lies between
 * the middles to its neighbours reads back as it. Let 10^k be the power of ten
 * of which 2^q is 1 to 10 (where c is a power of two, and the lower neighbour
 * nearer: 3/4 of 2^q). Then a multiple of 10^k reads back, and at most one of
 * 10^(k + 1), which is shorter.
 *
 * Of the value and its middles, scaled by 10^-k, bits below 2^-64 (float32 and
 * shorter: 2^-32) are dropped. tests/deep/verify/margins.py proves that these
 * decide nothing.
 */
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exact/bits.h"
#include "exact/limbs.h"
#include "exact/simd.h"
#include "exact/tens.h"
#include "text/decimal.h"

enum { DIGITS = 17 };

/*
 * A decimal of DIGITS digits, the first not 0 unless all are: one, and eight
 * each as bytes 0 to 9, of which the lowest is the first.
 */
struct digits {
	uint64_t top, first, second;
	int64_t exponent;  /* of ten, of the top digit */
};

/* A value c * 2^q; unit is log10 of 2^q, rounded down: the k above. */
struct value {
	uint64_t c;
	int64_t q, unit;
	uint64_t power;  /* 1: the lower neighbour is nearer */
};

/* Floating-point dtypes: bits of c, and the least q; see single_digits(). */
static const struct precision {
	int bits, least, zeros;
	uint64_t scale;
} precisions[] = {
	[F64] = { 53, -1074, 0, 1 }, [F32] = { 24, -149, 0, 1 },
	[F16] = { 11, -24, 4, 10000 }, [BF16] = { 8, -133, 5, 100000 },
};

static inline int64_t greater(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

SIMD_LOOP struct value value_of(double x, struct precision p, bool wide)
{
	const uint64_t hidden = (uint64_t)1 << 52;
	const uint64_t bits = bits_of(x) & INT64_MAX;
	const uint64_t part = bits & (hidden - 1);
	const int64_t exponent = (int64_t)(bits >> 52) - 1075;
	const int64_t q = wide ? greater(exponent, p.least)
			       : greater(exponent + 53 - p.bits, p.least);
	/* As doubles, all values but 0 of shorter dtypes are normal */
	const uint64_t c = wide ? part | (bits < hidden ? 0 : hidden) :
			   (part | hidden) >> (q - exponent < 63
					       ? q - exponent : 63);
	const uint64_t power = (c == (uint64_t)1 << (p.bits - 1)) &
			       (q > p.least);

	return (struct value){
		c, q, (q * 315653 - (int64_t)(power << 17)) >> 20, power,
	};
}

/* The upper half of a product; in vectors, there is none of 128 bits. */
SIMD_LOOP uint64_t upper_product(uint64_t a, uint64_t b, int vectors)
{
	const uint64_t low = UINT32_MAX;
	const uint64_t ab = (a & low) * (b >> 32), ba = (a >> 32) * (b & low);
	const uint64_t middle = ((a & low) * (b & low) >> 32) + (ab & low) +
				(ba & low);

	if (!vectors)
		return (uint64_t)((uint128)a * b >> 64);
	return (a >> 32) * (b >> 32) + (ab >> 32) + (ba >> 32) +
	       (middle >> 32);
}

/*
 * Four times a scaled value, and the middles below and above: integers, and the
 * lowest bit is 1 where more bits follow.
 */
struct scaled {
	uint64_t at, below, above;
};

SIMD_LOOP struct scaled scale_double(struct value v, int vectors)
{
	/* No less than 10^-k */
	const uint64_t high = tens[TEN_ZERO - v.unit][0];
	const uint64_t low = tens[TEN_ZERO - v.unit][1] + 1;
	const int64_t up = v.q + tens_log2(-v.unit) + 2;
	const int64_t down = up - (int64_t)v.power;
	const uint64_t c = v.c << (up + 1);
	const uint64_t part = high * c;
	const uint64_t more = part + upper_product(low, c, vectors);
	const uint64_t all = upper_product(high, c, vectors) + (more < part);
	const uint64_t half = high << down | low >> (64 - down);
	const uint64_t below = more - half;
	const uint64_t above = more + (high << up | low >> (64 - up)) + 1;

	return (struct scaled){
		all | (more > 0),
		(all - (high >> (64 - down)) - (more < half)) | (below > 3),
		(all + (high >> (64 - up)) + (above <= more)) | (above > 3),
	};
}

/* The same with half the bits; enough for float32 and shorter. */
SIMD_LOOP struct scaled scale_single(struct value v)
{
	const uint64_t ten = tens[TEN_ZERO - v.unit][0] + 1;
	const int64_t up = v.q + tens_log2(-v.unit) + 2;
	const uint64_t c = v.c << (up + 1);
	const uint64_t at = c * (ten >> 32) + (c * (ten & UINT32_MAX) >> 32);
	const uint64_t half = ten >> (32 - up);
	const uint64_t below = at - (half >> v.power), above = at + half + 1;

	return (struct scaled){
		at >> 32 | ((at & UINT32_MAX) > 0),
		below >> 32 | ((below & UINT32_MAX) > 3),
		above >> 32 | ((above & UINT32_MAX) > 3),
	};
}

/* The scaled decimal; odd: the middles read back as the neighbours. */
SIMD_LOOP uint64_t shortest(struct scaled x, uint64_t odd, bool wide)
{
	const uint64_t below = x.below + odd, above = x.above - odd;
	const uint64_t whole = x.at >> 2;
	/* 2^30 is 4 more than a multiple of 10 */
	const uint64_t rest = wide ? (whole >> 30) * 4 + (whole & 0x3fffffff)
				   : whole;
	const uint64_t ones = rest - 10 * (rest * 3435973837 >> 35);
	const uint64_t ten = 4 * (whole - ones);
	const uint64_t nearer = (x.at & 3) + (whole & 1) > 2;
	uint64_t step = (4 * whole + 4 <= above) &
			((below > 4 * whole) | nearer);

	/* 10 is no shorter than 9 */
	step = ((ten + 40 <= above) & (ten > 0)) ? 10 - ones : step;
	step = below <= ten ? 0 - ones : step;
	return whole + step;
}

/* The eight digits of x < 10^8 as bytes; products and shifts divide. */
SIMD_LOOP uint64_t eight_digits(uint64_t x)
{
	const uint64_t high = x * 3518437209 >> 45;
	const uint64_t fours = high | (x - 10000 * high) << 32;
	const uint64_t hundreds = (fours * 10486 >> 20) & 0x0000007f0000007f;
	const uint64_t twos = hundreds | (fours - 100 * hundreds) << 16;
	const uint64_t first = (twos * 103 >> 10) & 0x000f000f000f000f;

	return first | (twos - 10 * first) << 8;
}

/* x of DIGITS digits if wide, else of 9, in units of 10^unit. */
SIMD_LOOP struct digits split(uint64_t x, int64_t unit, bool wide, int vectors)
{
	const uint64_t high = wide ? upper_product(x, 0xabcc77118461cefd,
						   vectors) >> 26 : x;
	const uint64_t top = high * 1441151881 >> 57;

	return (struct digits){
		top, eight_digits(high - top * 100000000),
		wide ? eight_digits(x - high * 100000000) : 0,
		unit + (wide ? DIGITS - 1 : 8),
	};
}

/* A double has 16 or 17 digits; those of the least ones begin with zeros. */
SIMD_LOOP struct digits double_digits(double x, int vectors)
{
	const struct value v = value_of(x, precisions[F64], true);
	const uint64_t all = shortest(scale_double(v, vectors), v.c & 1, true);
	const bool few = all < 10000000000000000;

	return split(few ? 10 * all : all, v.unit - few, true, vectors);
}

/* 24 bits are 7 to 9 digits, 11 are 4 or 5, 8 are 3 or 4. */
SIMD_LOOP struct digits single_digits(double x, struct precision p)
{
	const struct value v = value_of(x, p, false);
	uint64_t all = shortest(scale_single(v), v.c & 1, false) * p.scale;
	int64_t unit = v.unit - p.zeros;

	for (int k = 0; k < 2; k++) {
		const bool few = all < 100000000;

		all = few ? 10 * all : all;
		unit -= few;
	}
	return split(all, unit, false, 0);
}

enum { SOME = 128 };

struct many_digits {
	uint64_t top[SOME], first[SOME], second[SOME];
	int64_t exponent[SOME];
};

SIMD_LOOP void put_digits(struct many_digits *restrict all, size_t i,
			  struct digits d)
{
	all->top[i] = d.top;
	all->first[i] = d.first;
	all->second[i] = d.second;
	all->exponent[i] = d.exponent;
}

static inline struct digits get_digits(const struct many_digits *all, size_t i)
{
	return (struct digits){
		all->top[i], all->first[i], all->second[i], all->exponent[i],
	};
}

SIMD_LOOP void digits_loop(const double *restrict x, size_t n,
			   enum dtype type, struct many_digits *restrict all,
			   int vectors)
{
	const struct precision p = precisions[type];

	if (type == F64)
		for (size_t i = 0; i < n; i++)
			put_digits(all, i, double_digits(x[i], vectors));
	else
		for (size_t i = 0; i < n; i++)
			put_digits(all, i, single_digits(x[i], p));
}

/* x * 10^unit, of up to DIGITS digits. */
static struct digits digits_of(uint64_t x, int64_t unit)
{
	for (; x && x < 10000000000000000; x *= 10)
		unit--;
	return split(x, unit, true, 0);
}

/* x > 0 rounded to n digits by the C library. */
static struct digits round_exactly(double x, int n)
{
	char text[40];

	snprintf(text, sizeof text, "%.*e", n - 1, x);
	if (n > 1)
		memmove(text + 1, text + 2, strlen(text) - 1);
	return digits_of(strtoull(text, NULL, 10),
			 strtol(strchr(text, 'e') + 1, NULL, 10) - n + 1);
}

/*
 * *to = v.c * 2^q in units of 10^unit, an integer below 2^60, rounded to the
 * nearest, of two to the even one. False: the power of ten is not known well
 * enough to tell.
 */
static bool round_value(struct value v, int64_t unit, uint64_t *to)
{
	const int up = __builtin_clzll(v.c);
	const uint64_t c = v.c << up;
	const uint128 low = (uint128)c * tens[TEN_ZERO - unit][1];
	const uint128 all = (uint128)c * tens[TEN_ZERO - unit][0] +
			    (uint64_t)(low >> 64);
	const uint64_t high = (uint64_t)(all >> 64), more = (uint64_t)all;
	const int64_t places = up - v.q - tens_log2(-unit) - 1;
	const uint64_t half = (uint64_t)1 << (places - 1);
	const uint64_t part = high & (2 * half - 1);
	const bool rest = more || (uint64_t)low;

	*to = high >> places;
	*to += part > half || (part == half && (rest || *to % 2));
	return (unit <= 0 && unit >= -55) ||
	       !((part == half && !more) ||
		 (part == half - 1 && more >= UINT64_MAX - 1));
}

/* x, not 0, rounded to n digits. */
static struct digits rounded_digits(double x, size_t n)
{
	const struct value v = value_of(x, precisions[F64], true);
	/* That of 2^e <= x has as many digits as x, or one less. */
	const int64_t e = 63 - __builtin_clzll(v.c) + v.q;
	int64_t unit = (e * 315653 >> 20) - (int64_t)n + 1;
	uint64_t most = 1, all;
	bool known;

	for (size_t k = 0; k < n; k++)
		most *= 10;
	known = round_value(v, unit, &all);
	if (known && all > most)
		known = round_value(v, ++unit, &all);
	return !known ? round_exactly(fabs(x), (int)n) :
	       all < most ? digits_of(all, unit)
			  : digits_of(1, unit + (int64_t)n);
}

/* How many digits are not zeros at the end. */
SIMD_LOOP size_t count_digits(struct digits d)
{
	return d.second ? DIGITS - (size_t)__builtin_clzll(d.second) / 8 :
	       d.first ? 9 - (size_t)__builtin_clzll(d.first) / 8 : 1;
}

/* All DIGITS. */
SIMD_LOOP void all_text(char *to, struct digits d)
{
	const uint64_t first = d.first | 0x3030303030303030;
	const uint64_t second = d.second | 0x3030303030303030;

	*to = (char)('0' + d.top);
	memcpy(to + 1, &first, sizeof first);
	memcpy(to + 9, &second, sizeof second);
}

/* "d.ddde-06"; the end. */
SIMD_LOOP char *exponent_text(char *to, struct digits d)
{
	const size_t n = count_digits(d);
	const int64_t e = d.exponent, size = e < 0 ? -e : e;

	all_text(to + 1, d);
	to[0] = to[1];
	to[1] = '.';
	to += n > 1 ? n + 1 : 1;
	*to++ = 'e';
	*to++ = e < 0 ? '-' : '+';
	if (size > 99)
		*to++ = (char)('0' + size / 100);
	*to++ = (char)('0' + size / 10 % 10);
	*to++ = (char)('0' + size % 10);
	return to;
}

/* "ddd.ddd", or "ddd000"; the end. */
SIMD_LOOP char *plain_text(char *to, struct digits d)
{
	const size_t whole = (size_t)d.exponent + 1;
	const size_t n = count_digits(d);
	char part[16];

	all_text(to, d);
	if (n <= whole)
		return to + whole;
	memcpy(part, to + whole, sizeof part);
	memcpy(to + whole + 1, part, sizeof part);
	to[whole] = '.';
	return to + n + 1;
}

static char *integer_text(char *to, uint64_t x)
{
	char text[20], *end = text + sizeof text, *at = end;

	do
		*--at = (char)('0' + x % 10);
	while (x /= 10);
	memcpy(to, at, (size_t)(end - at));
	return to + (end - at);
}

/* Digits without zeros before them, which those of the least values have. */
SIMD_LOOP struct digits skip_zeros(struct digits d)
{
	while (!d.top)
		d = (struct digits){
			d.first & 255, d.first >> 8 | d.second << 56,
			d.second >> 8, d.exponent - 1,
		};
	return d;
}

/* x and its digits; from whole on it is an integer. */
SIMD_LOOP char *value_text(char *to, double x, struct digits d,
			       double whole)
{
	const double size = fabs(x);

	*to = '-';
	to += signbit(x) != 0;
	if (bits_of(size) - 1 >= bits_of(HUGE_VAL) - 1)
		return stpcpy(isnan(x) ? to - (signbit(x) != 0) : to,
			      isnan(x) ? "nan" : size > 0 ? "inf" : "0");
	if (!d.top)
		d = skip_zeros(d);
	if (d.exponent < 0 && d.exponent >= -5) {
		memcpy(to, "0.000000", 8);
		to += 1 - d.exponent;
		all_text(to, d);
		return to + count_digits(d);
	}
	if (d.exponent < 0 || d.exponent >= 16)
		return exponent_text(to, d);
	/* In full: a reader does not know which zeros are rounded */
	return size < whole ? plain_text(to, d)
			    : integer_text(to, (uint64_t)size);
}

/* From that on, values of a dtype are integers. */
static double whole_from(enum dtype type)
{
	return ldexp(1, precisions[type].bits);
}

size_t number_text(char *text, double x, enum dtype type, size_t precision)
{
	const bool integer = dtype_integer(type);
	struct digits d = { .top = 1 };

	if (!integer && isfinite(x) && x != 0)
		d = precision ? rounded_digits(x, precision) :
		    type == F64 ? double_digits(x, 0)
				: single_digits(x, precisions[type]);
	/* Integers have no negative zero */
	return (size_t)(value_text(text, integer ? x + 0.0 : x, d,
				   integer ? 0 : precision ? HUGE_VAL
						 : whole_from(type)) - text);
}

SIMD_LOOP size_t texts_loop(char *text, struct numbers x, size_t n,
			    enum dtype type, double whole, int vectors)
{
	struct many_digits all;
	double some[SOME];
	char *at = text;

	for (size_t i = 0; i < n; i += SOME) {
		const size_t k = n - i < SOME ? n - i : SOME;

		for (size_t j = 0; j < k; j++)
			some[j] = x.f ? (double)x.f[i + j] : x.d[i + j];
		digits_loop(some, k, type, &all, vectors);
		for (size_t j = 0; j < k; j++) {
			at = value_text(at, some[j], get_digits(&all, j),
					whole);
			*at++ = ',';
		}
	}
	return (size_t)(at - text) - (n > 0);
}
SIMD_EACH(size_t, texts,
	  (char *text, struct numbers x, size_t n, enum dtype type,
	   double whole),
	  return texts_loop(text, x, n, type, whole, FUSED))

size_t numbers_text(char *text, struct numbers x, size_t n, enum dtype type,
		    size_t precision)
{
	char *at = text;

	if (!precision && !dtype_integer(type))
		return texts[simd_best()](text, x, n, type, whole_from(type));
	for (size_t i = 0; i < n; i++) {
		if (i)
			*at++ = ',';
		at += number_text(at, x.f ? (double)x.f[i] : x.d[i], type,
				  precision);
	}
	return (size_t)(at - text);
}

int decimal_digits(double x)
{
	char text[40];
	int n;

	if (x == 0)
		return 1;
	n = (int)count_digits(skip_zeros(double_digits(x, 0)));
	/* That of a power of two may not be the nearest of as many digits */
	for (; n < DIGITS; n++) {
		snprintf(text, sizeof text, "%.*e", n - 1, x);
		if (strtod(text, NULL) == x)
			break;
	}
	return n;
}
