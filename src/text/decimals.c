/*
 * decimals.c: rows of decimals. What is not written as most numbers are is left
 * to decimal_read().
 */
#include <float.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "exact/bits.h"
#include "exact/limbs.h"
#include "exact/tens.h"
#include "text/decimal.h"

#define EACH (UINT64_MAX / 0xff)  /* times a byte: eight of it */

/* Eight bytes as digits, the first one lowest; *others: bytes that are none. */
static inline uint64_t load_eight(const char *s, uint64_t *others)
{
	uint64_t x;

	memcpy(&x, s, sizeof x);
	x ^= EACH * '0';
	*others = ((x + EACH * 0x76) | x) & EACH * 0x80;
	return x;
}

/* The value of eight digits: in pairs, then in fours. */
static inline uint64_t value_of_eight(uint64_t x)
{
	x = (x * 10 + (x >> 8)) & 0x00ff00ff00ff00ff;
	x = (x * 100 + (x >> 16)) & 0x0000ffff0000ffff;
	return (x * 10000 + (x >> 32)) & 0xffffffff;
}

/* Append n digits to *all; false: that is more than 64 bits. */
static inline bool append(uint64_t *all, size_t n, uint64_t value)
{
	static const uint64_t tens_of[] = {
		1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000,
		1000000000, 10000000000, 100000000000, 1000000000000,
		10000000000000, 100000000000000, 1000000000000000,
		10000000000000000,
	};

	return !__builtin_mul_overflow(*all, tens_of[n], all) &&
	       !__builtin_add_overflow(*all, value, all);
}

/* Which of eight bytes have their highest bit, the first one lowest. */
static inline uint64_t which_bytes(uint64_t x)
{
	return (x >> 7) * 0x0102040810204080 >> 56;
}

/*
 * Append the digits at s to *all; the end, or NULL: they are more than 23, or
 * more than 64 bits. Up to 15, no branch depends on how many they are.
 */
static inline const char *append_digits(const char *s, uint64_t *all)
{
	uint64_t a_others, b_others;
	const uint64_t a = load_eight(s, &a_others);
	const uint64_t b = load_eight(s + 8, &b_others);
	size_t n = (size_t)__builtin_ctzll(which_bytes(a_others) |
					   which_bytes(b_others) << 8 |
					   1 << 16);
	uint128 sixteen;
	uint64_t x;

	if (!n)
		return s;
	sixteen = ((uint128)b << 64 | a) << (128 - 8 * n);
	x = value_of_eight((uint64_t)sixteen) * 100000000 +
	    value_of_eight((uint64_t)(sixteen >> 64));
	if (!append(all, n, x))
		return NULL;
	if (n < 16)
		return s + n;
	x = load_eight(s + n, &a_others);
	if (!a_others)
		return NULL;
	n = (size_t)__builtin_ctzll(a_others) / 8;
	x = value_of_eight(x << 8 << (56 - 8 * n));
	return append(all, n, x) ? s + 16 + n : NULL;
}

/*
 * Read the number at s if it is written as most are: digits before the point,
 * the first of them no zero unless it is alone, and digits after it if there is
 * one. Its end, or NULL; d->n is 0 if it has neither point nor exponent.
 */
static inline const char *read_plain(const char *s, struct significand *d)
{
	const char *first = s, *point;

	for (; (unsigned)(*s - '0') <= 9 && s - first < DECIMAL_DIGITS; s++)
		d->all = 10 * d->all + (uint64_t)(*s - '0');
	point = s;
	if (s == first || (*first == '0' && s > first + 1))
		return NULL;
	if (*point == '.') {
		s = append_digits(s + 1, &d->all);
		if (!s || s == point + 1)
			return NULL;
		d->exponent = point + 1 - s;
	}
	if ((*s | 0x20) == 'e')
		s = decimal_exponent(s, d);
	d->n = s - point;
	return s;
}

/*
 * The value of digits, rounded once; false: it is an integer that a double may
 * not hold, of no normal size, or rounding it to float32 would round twice.
 */
static inline bool plain_value(const struct significand *d, double *x)
{
	const long e = d->exponent;

	*x = (double)d->all;
	if (d->all <= (uint64_t)1 << 53 && labs(e) <= DECIMAL_POWERS)
		*x = e < 0 ? *x / decimal_powers[-e] : *x * decimal_powers[e];
	else if (d->all && (!d->n || !tens_scale(d->all, e, x)))
		return false;
	return !(is_float_tie(*x) | (*x > (double)FLT_MAX) |
		 ((*x < 0x1p-126) & (*x > 0)));
}

const char *decimals_read(struct decimals *all, const char *s,
			  const char *stop, char separator, char last)
{
	const char *next = s;

	while (all->n < all->most) {
		struct significand d = { 0 };
		int minus = 0;
		double x;

		/* Loops, which are predicted, where a sum would wait */
		for (; *next == ' '; next++)
			;
		for (; *next == '-'; next++)
			minus++;
		if (minus > 1 || stop - next < DECIMAL_AHEAD)
			break;
		next = read_plain(next, &d);
		if (!next || !plain_value(&d, &x) ||
		    (*next != separator && *next != last))
			break;
		all->fractions |= d.n || (minus && x == 0);
		if (!all->more_digits)
			all->more_digits = !decimal_is_single(x, d.exponent);
		all->x[all->n++] = minus ? -x : x;
		s = next;
		if (*next++ == last)
			break;
	}
	return s;
}
