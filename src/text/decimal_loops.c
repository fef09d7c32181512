/*
 * decimal_loops.c: the digits of numbers in a piece of text.
 *
 * A number is looked at as the bytes before its end, so that its last digit,
 * and the digit of any place, is where all others have theirs: no step depends
 * on how long the number is.
 */
#include <string.h>

#include "text/decimal_loops.h"

#if SIMD_X86
#include <immintrin.h>
#endif

enum {
	SHORT = 16,  /* bytes of a short number without its sign */
	LONG = 32,   /* bytes of any number without sign and exponent */
	TENS = 64,   /* exponents beyond are left */
};

/* By the digits after the point, SHORT: there is no point; and by the sign */
static const double powers[SHORT + 1][2] = {
	{ 1e0, -1e0 }, { 1e1, -1e1 }, { 1e2, -1e2 }, { 1e3, -1e3 },
	{ 1e4, -1e4 }, { 1e5, -1e5 }, { 1e6, -1e6 }, { 1e7, -1e7 },
	{ 1e8, -1e8 }, { 1e9, -1e9 }, { 1e10, -1e10 }, { 1e11, -1e11 },
	{ 1e12, -1e12 }, { 1e13, -1e13 }, { 1e14, -1e14 }, { 1e15, -1e15 },
	{ 1, -1 },
};

/* From byte n on: LONG bytes of which the last n are set. */
static const uint8_t last_bytes[2 * LONG] = {
#define EIGHT 255, 255, 255, 255, 255, 255, 255, 255
	[LONG] = EIGHT, EIGHT, EIGHT, EIGHT,
};

#define LAST ((uint64_t)1 << 63)
#define EACH (UINT64_MAX / 0xff)  /* times a byte: eight of it */

static inline uint64_t load_eight(const void *s)
{
	uint64_t x;

	memcpy(&x, s, sizeof x);
	return x;
}

/* Which of 8 bytes are c, the first one lowest. */
static inline uint64_t match_eight(const char *s, char c)
{
	const uint64_t x = load_eight(s) ^ EACH * (unsigned char)c;
	const uint64_t others = ((x & EACH * 0x7f) + EACH * 0x7f) | x;

	return ((~others & EACH * 0x80) >> 7) * 0x0102040810204080 >> 56;
}

/* Which of the bytes before end are c, the last one highest. */
static inline uint32_t match_short_plain(const char *end, char c)
{
	return (uint32_t)(match_eight(end - 8, c) << 24 |
			  match_eight(end - 16, c) << 16);
}

static inline uint32_t match_long_plain(const char *end, char c)
{
	return match_short_plain(end, c) |
	       match_short_plain(end - 16, c) >> 16;
}

/* The value of 8 digits: in pairs, then in fours. */
static inline uint64_t digits_value(uint64_t x)
{
	x = (x * 10 + (x >> 8)) & 0x00ff00ff00ff00ff;
	x = (x * 100 + (x >> 16)) & 0x0000ffff0000ffff;
	return (x * 10000 + (x >> 32)) & 0xffffffff;
}

/*
 * The 8 digits that end places before end, of a number of some digits, after
 * the point some of them; *other: a byte that is none.
 */
static inline uint64_t eight_digits(const char *end, size_t place,
				    size_t digits, size_t after,
				    uint64_t *other)
{
	const char *at = end - 8 - place;
	const uint8_t *last = last_bytes + LONG - 8 - place;
	const uint64_t keep = load_eight(last + after);
	const uint64_t x = (load_eight(at) & keep) |
			   (load_eight(at - 1) & ~keep);
	const uint64_t eight = (x ^ EACH * '0') & load_eight(last + digits);

	*other |= ((eight + EACH * 0x76) | eight) & EACH * 0x80;
	return digits_value(eight);
}

/* The last 16 digits: eight in the upper half, those before in the lower. */
static inline uint64_t sixteen_plain(const char *end, size_t digits,
				     size_t after, bool *other)
{
	uint64_t others = 0;
	const uint64_t x =
		eight_digits(end, 0, digits, after, &others) << 32 |
		eight_digits(end, 8, digits, after, &others);

	*other = others;
	return x;
}

/* Up to 19 digits; other also where there are more */
static inline uint64_t nineteen_of(uint64_t head, uint64_t tail, bool *other)
{
	const uint64_t first = (uint32_t)head * (uint64_t)100000000 +
			       (head >> 32);

	*other |= first > 999;
	return first * 10000000000000000 +
	       (uint32_t)tail * (uint64_t)100000000 + (tail >> 32);
}

static inline uint64_t digits_plain(const char *end, size_t digits,
				    size_t after, bool *other)
{
	uint64_t others = 0;
	const uint64_t tail = sixteen_plain(end, digits, after, other);
	uint64_t head = eight_digits(end, 16, digits, after, &others) << 32;

	if (digits > 24)
		head |= eight_digits(end, 24, digits, after, &others);

	*other |= others > 0;
	return nineteen_of(head, tail, other);
}

#if SIMD_X86
SIMD_TARGET_AVX2
static inline uint32_t match_short_avx2(const char *end, char c)
{
	const __m128i x = _mm_loadu_si128((const void *)(end - SHORT));
	const __m128i same = _mm_cmpeq_epi8(x, _mm_set1_epi8(c));

	return (uint32_t)_mm_movemask_epi8(same) << 16;
}

SIMD_TARGET_AVX2
static inline uint32_t match_long_avx2(const char *end, char c)
{
	const __m256i x = _mm256_loadu_si256((const void *)(end - LONG));
	const __m256i same = _mm256_cmpeq_epi8(x, _mm256_set1_epi8(c));

	return (uint32_t)_mm256_movemask_epi8(same);
}

/* The 16 digits that end places before end, as sixteen_plain() gives them. */
SIMD_TARGET_AVX2
static inline uint64_t sixteen_at_avx2(const char *end, size_t place,
				       size_t digits, size_t after,
				       bool *other)
{
	const char *at = end - SHORT - place;
	const uint8_t *last = last_bytes + LONG - SHORT - place;
	const __m128i text = _mm_blendv_epi8
		(_mm_loadu_si128((const void *)(at - 1)),
		 _mm_loadu_si128((const void *)at),
		 _mm_loadu_si128((const void *)(last + after)));
	const __m128i x = _mm_and_si128
		(_mm_sub_epi8(text, _mm_set1_epi8('0')),
		 _mm_loadu_si128((const void *)(last + digits)));
	const __m128i over = _mm_adds_epu8(x, _mm_set1_epi8(0x76));
	const __m128i twos = _mm_maddubs_epi16(x, _mm_set1_epi16(0x010a));
	const __m128i fours = _mm_madd_epi16
		(twos, _mm_set1_epi32(0x00010064));
	const __m128i eights = _mm_madd_epi16
		(_mm_packus_epi32(fours, fours), _mm_set1_epi32(0x00012710));

	*other = _mm_movemask_epi8(over);
	return (uint64_t)_mm_cvtsi128_si64(eights);
}

SIMD_TARGET_AVX2
static inline uint64_t sixteen_avx2(const char *end, size_t digits,
				    size_t after, bool *other)
{
	return sixteen_at_avx2(end, 0, digits, after, other);
}

SIMD_TARGET_AVX2
static inline uint64_t digits_avx2(const char *end, size_t digits,
				   size_t after, bool *other)
{
	bool in_head;
	const uint64_t tail = sixteen_at_avx2(end, 0, digits, after, other);
	const uint64_t head = sixteen_at_avx2(end, SHORT, digits, after,
					      &in_head);

	*other |= in_head;
	return nineteen_of(head, tail, other);
}
#endif

typedef uint32_t matcher(const char *end, char c);
typedef uint64_t digit_reader(const char *end, size_t digits,
			      size_t after, bool *other);

/*
 * Write at + i for each bit i that is set in ends. Returns how many are set. Up
 * to three more are written: four at a time take no branch for each, which the
 * processor would often predict wrong.
 */
SIMD_LOOP size_t write_ends(uint16_t *to, uint64_t ends, size_t at)
{
	const size_t n = (size_t)__builtin_popcountll(ends);

	for (size_t i = 0; i < n; i += 4)
		for (size_t k = 0; k < 4; k++, ends &= ends - 1)
			to[i + k] = (uint16_t)
				(at + (size_t)__builtin_ctzll(ends | LAST));
	return n;
}

SIMD_LOOP void find_loop(struct piece *p, size_t n, char separator, char last,
			 matcher *match)
{
	size_t count = 0;

	for (size_t at = 0; at < n && count < PIECE_NUMBERS;
	     at += PIECE_BLOCK) {
		const char *half = p->text + at + LONG, *end = half + LONG;
		const uint64_t lasts = match(half, last) |
				       (uint64_t)match(end, last) << LONG;
		uint64_t ends = lasts | match(half, separator) |
				(uint64_t)match(end, separator) << LONG;

		if (lasts)
			ends &= lasts ^ (lasts - 1);
		count += write_ends(p->end + count, ends, at);
		if (lasts)
			break;
	}
	p->n = count < PIECE_NUMBERS ? count : PIECE_NUMBERS;
}

/*
 * How many of the bytes before end follow the last point of a number of some
 * length; none: if it has no point.
 */
SIMD_LOOP size_t count_after(uint32_t points, size_t length, size_t none)
{
	const size_t after = (size_t)__builtin_clz(points | 1);

	return after < length ? after : none;
}

/*
 * Whether a number is written as most are: digits stand before the point, the
 * first is no zero unless it is alone, and digits after it if there is one.
 */
static inline bool is_usual(char first, size_t before, size_t after)
{
	return before && ((first - '0') | (before < 2)) && after;
}

/* Whether a blank stands before the second number. */
static inline bool has_blanks(const struct piece *p)
{
	return p->n > 1 && p->text[p->end[0] + 1] == ' ';
}

SIMD_LOOP void short_loop(const struct piece *p, struct digits *d, size_t most,
			  bool blank, matcher *match, digit_reader *read)
{
	const char *s = p->text;
	size_t all = SHORT;
	size_t i = 0;

	for (; i < most; i++) {
		const char *end = p->text + p->end[i];
		const char *first = s + (blank & (*s == ' '));
		const size_t minus = *first == '-';
		const size_t length = (size_t)(end - first) - minus;
		size_t after, digits;
		bool other;

		if (length - 1 >= SHORT - 1)
			break;
		after = count_after(match(end, '.'), length, SHORT);
		digits = length - 1 + after / SHORT;
		d->all[i] = read(end, digits, after, &other);
		if (other || !is_usual(first[minus],
				       digits - after % SHORT, after))
			break;
		all &= after;
		d->power[i] = powers[after][minus];
		s = end + 1;
	}
	d->fractions = !all;
	d->n = i;
}

/* Read "e-05" before end to *e; false: it is not so written. */
static inline bool read_exponent(const char *end, int *e)
{
	const unsigned tens = (unsigned)(end[-2] - '0');
	const unsigned ones = (unsigned)(end[-1] - '0');
	const int value = (int)(10 * tens + ones);

	*e = end[-3] == '-' ? -value : value;
	return (end[-3] == '-' || end[-3] == '+') && tens <= 9 && ones <= 9;
}

SIMD_LOOP void any_loop(const struct piece *p, struct digits *d, size_t from,
			size_t to, matcher *match, digit_reader *read)
{
	const char *s = p->text + (from ? p->end[from - 1] + 1 : 0);
	uint64_t any = 0;
	size_t n = 0;

	for (size_t i = from; i < to; i++) {
		const char *end = p->text + p->end[i], *next = end + 1;
		const char *first = s + (*s == ' ');
		const size_t minus = *first == '-';
		const size_t e_at = (end[-4] | 0x20) == 'e' ? 4 : 0;
		const size_t length = (size_t)(end - first) - minus - e_at;
		size_t after, digits;
		uint64_t x;
		bool other;
		int e = 0;

		if (length - 1 >= LONG - 1 || (e_at && !read_exponent(end, &e)))
			break;
		end -= e_at;
		after = count_after(match(end, '.'), length, LONG);
		digits = length - 1 + after / LONG;
		x = read(end, digits, after, &other);
		e -= (int)(after % LONG);
		if (other || e < -TENS || e > TENS ||
		    !is_usual(first[minus], digits - after % LONG, after) ||
		    (after == LONG && !e_at && x >> 53))
			break;
		any |= (after < LONG) | e_at;
		d->all[n] = x;
		d->exponent[n] = (int8_t)e;
		d->sign[n++] = (uint64_t)minus << 63;
		s = next;
	}
	d->fractions = any;
	d->n = n;
}

#define LOOPS(set, target)                                              \
	target static void find_##set(struct piece *p, size_t n,        \
				      char separator, char last)        \
	{ find_loop(p, n, separator, last, match_long_##set); }         \
	target static void short_##set(const struct piece *p,           \
				       struct digits *d, size_t most)   \
	{                                                               \
		if (has_blanks(p))                                      \
			short_loop(p, d, most, true, match_short_##set, \
				   sixteen_##set);                      \
		else                                                    \
			short_loop(p, d, most, false,                   \
				   match_short_##set, sixteen_##set);   \
	}                                                               \
	target static void any_##set(const struct piece *p,             \
				     struct digits *d, size_t from,     \
				     size_t to)                         \
	{ any_loop(p, d, from, to, match_long_##set, digits_##set); }

LOOPS(plain, )
#if SIMD_X86
LOOPS(avx2, SIMD_TARGET_AVX2)
#define WIDE { find_avx2, short_avx2, any_avx2 }
#else
#define WIDE { find_plain, short_plain, any_plain }
#endif

const struct decimal_loops decimal_loops[SIMD_SETS] = {
	{ find_plain, short_plain, any_plain }, WIDE, WIDE,
};
