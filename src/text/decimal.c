/* decimal.c: numbers read from decimal text to the last bit. */
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exact/bits.h"
#include "exact/tens.h"
#include "text/decimal.h"

enum {
	DIGITS_MOST = 19,
	POWER_MOST = 22,
	ZEROS_MOST = 40,
};

/* The powers of ten that are doubles. */
static const double powers[POWER_MOST + 1] = {
	1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12,
	1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
};

/* The digits of a number as they are read. */
struct digits {
	uint64_t all;    /* their value, of the first DIGITS_MOST */
	long n;          /* how many after leading zeros */
	long exponent;   /* of ten, of the last digit */
};

static const char *read_digits(const char *s, struct digits *d, long place)
{
	for (; *s >= '0' && *s <= '9'; s++) {
		d->exponent -= place;
		d->n += d->n || *s != '0';
		if (d->n <= DIGITS_MOST)
			d->all = 10 * d->all + (uint64_t)(*s - '0');
	}
	return s;
}

/* Read "e-05"; its end, or s if there is no exponent. */
static const char *read_exponent(const char *s, struct digits *d)
{
	const char *at = s + 1;
	bool minus;
	long e = 0;

	if (*s != 'e' && *s != 'E')
		return s;
	minus = *at == '-';
	if (minus || *at == '+')
		at++;
	if (*at < '0' || *at > '9')
		return s;
	for (; *at >= '0' && *at <= '9'; at++)
		e = e < 1000000 ? 10 * e + (*at - '0') : e;
	d->exponent += minus ? -e : e;
	return at;
}

/*
 * Digits and power of ten, each exact as a double, make one rounding; so do 64
 * bits and a power of five. Else the C library takes all digits.
 */
static inline double value(const char *text, const struct digits *d)
{
	const double x = (double)d->all;
	const long e = d->exponent;

	if (!d->all)
		return 0;
	if (d->n > DIGITS_MOST || e < -TEN_MOST || e > TEN_MOST)
		return fabs(strtod(text, NULL));
	if (d->all > (uint64_t)1 << 53 || e < -POWER_MOST || e > POWER_MOST)
		return tens_scale(d->all, e);
	return e < 0 ? x / powers[-e] : x * powers[e];
}

/*
 * Whether x is a float32's number written in these digits: no further from the
 * float32 next to it than half a unit of the last digit.
 */
static bool is_single(double x, const struct digits *d)
{
	double off = fabs((double)(float)x - x);
	long e = d->exponent;

	if (off <= 0)
		return true;
	for (; e > POWER_MOST; e -= POWER_MOST)
		off /= powers[POWER_MOST];
	for (; e < -POWER_MOST && off < 1; e += POWER_MOST)
		off *= powers[POWER_MOST];
	if (e < -POWER_MOST)
		return false;
	return e < 0 ? off * powers[-e] <= 0.5 : off <= 0.5 * powers[e];
}

struct decimal decimal_read(const char *text)
{
	struct decimal n = { .end = text };
	struct digits d = { 0 };
	const char *s = text + (*text == '-' || *text == '+');
	const char *whole = s, *point;

	s = point = read_digits(s, &d, 0);
	if (*s == '.')
		s = read_digits(s + 1, &d, 1);
	if (s - whole - (*point == '.') < 1)
		return n;
	n.json = *text != '+' && point > whole && s != point + 1 &&
		 (*whole != '0' || point == whole + 1);
	n.whole = s == point;
	n.end = read_exponent(s, &d);
	n.whole &= n.end == s;
	n.x = value(text, &d);
	n.single = is_single(n.x, &d);
	n.x = *text == '-' ? -n.x : n.x;
	return n;
}

/* Whether x >= 0 is half way between two float32 values. */
static bool is_half(double x)
{
	const uint64_t half = (uint64_t)1 << 28;

	return (bits_of(x) & (2 * half - 1)) == half;
}

double decimal_single(const char *text, double x)
{
	/* x is half way between two of them: all digits of text decide. */
	if (is_half(x) || fabs(x) < 0x1p-126)
		return (double)strtof(text, NULL);
	return (double)(float)x;
}

/* The 8 bytes at s, those of digits as their values. */
static inline uint64_t load_digits(const char *s)
{
	uint64_t bytes;

	memcpy(&bytes, s, sizeof bytes);
	return bytes ^ 0x3030303030303030;
}

/* How many of 8 bytes are digits before the first other one. */
static inline int count_digits(uint64_t bytes)
{
	const uint64_t others = ((bytes + 0x7676767676767676) | bytes) &
				0x8080808080808080;

	return others ? __builtin_ctzll(others) / 8 : 8;
}

/* The value of the first n of 8 digits: in pairs, then in fours. */
static inline uint64_t digits_value(uint64_t bytes, int n)
{
	uint64_t x = n ? bytes << (64 - 8 * n) : 0;

	x = (x * 10 + (x >> 8)) & 0x00ff00ff00ff00ff;
	x = (x * 100 + (x >> 16)) & 0x0000ffff0000ffff;
	return (x * 10000 + (x >> 32)) & 0xffffffff;
}

/*
 * Add the digits at s, 24 or fewer; their end. Two blocks of 8 are looked at
 * for any number: a branch that is guessed wrong takes longer.
 */
static const char *add_digits(const char *s, uint64_t *all)
{
	static const uint64_t tens[] = { 1, 10, 100, 1000, 10000, 100000,
					 1000000, 10000000, 100000000 };
	const uint64_t first = load_digits(s), second = load_digits(s + 8);
	const int n = count_digits(first);
	const int more = n == 8 ? count_digits(second) : 0;

	*all = *all * tens[n] + digits_value(first, n);
	*all = *all * tens[more] + digits_value(second, more);
	if (n + more == 16) {
		const uint64_t third = load_digits(s + 16);
		const int rest = count_digits(third);

		*all = *all * tens[rest] + digits_value(third, rest);
		s += rest;
	}
	return s + n + more;
}

/* Add one digit after the other. */
static const char *add_few(const char *s, uint64_t *all)
{
	const char *begin = s;

	for (; *s >= '0' && *s <= '9' && s - begin <= DIGITS_MOST; s++)
		*all = 10 * *all + (uint64_t)(*s - '0');
	return s;
}

/* Read "12", "0.5" or "1.5e-07"; the end, or s for a number written else. */
static const char *read_plain(const char *s, struct digits *d, bool *whole)
{
	const char *point = add_few(s, &d->all), *end = point;
	const char *first = point + 1;

	d->n = point - s;
	if (*point == '.') {
		while (!d->all && *first == '0' && first - point < ZEROS_MOST)
			first++;
		end = add_digits(first, &d->all);
		d->n += end - first;
		d->exponent = point + 1 - end;
	}
	if (point == s || end == point + 1 || d->n > DIGITS_MOST ||
	    (*s == '0' && point > s + 1))
		return s;
	*whole = end == point;
	s = read_exponent(end, d);
	*whole &= s == end;
	return s;
}

/* Read the number at text into *x; the end, or text: it is not for here. */
static inline const char *read_one(struct decimals *all, const char *text,
				   double *x)
{
	const bool minus = *text == '-';
	const char *s = text + minus;
	struct digits d = { 0 };
	bool whole = false;
	const char *end = read_plain(s, &d, &whole);

	if (end == s || labs(d.exponent) > TEN_MOST)
		return text;
	*x = value(s, &d);
	if (is_half(*x) || (*x < 0x1p-126 && *x > 0) || *x > (double)FLT_MAX ||
	    (whole && *x >= 0x1p53))
		return text;
	all->fractions |= !whole || (minus && *x <= 0);
	all->more_digits |= !is_single(*x, &d);
	*x = double_of(bits_of(*x) | (uint64_t)minus << 63);
	return end;
}

const char *decimals_read(struct decimals *all, const char *s,
			  const char *stop, char separator, char last)
{
	const char *next = s;

	while (all->n < all->most && stop - next >= DECIMAL_AHEAD) {
		const char *end = read_one(all, next, &all->x[all->n]);

		if (end == next || (*end != separator && *end != last))
			break;
		all->n++;
		s = end;
		if (*s == last)
			break;
		next = s + 1 + (s[1] == ' ');
	}
	return s;
}

/* Reads the number that text begins with; its end, or NULL: there is none. */
typedef const char *number_reader(const char *text, double *x);

static const char *read_real(const char *text, double *x)
{
	const struct decimal d = decimal_read(text);

	*x = d.x;
	return d.end > text && isfinite(d.x) ? d.end : NULL;
}

static const char *read_integer(const char *text, double *x)
{
	static const char suffixes[] = "kMG";
	const char *end = read_real(text, x), *suffix;

	/* After the first character, '-' is the sign of an exponent. */
	if (!end || memchr(text, '.', (size_t)(end - text)) ||
	    memchr(text + 1, '-', (size_t)(end - text) - 1))
		return NULL;
	/* 2^53 + 1 is no double; it must not pass for 2^53. */
	if (fabs(*x) <= 0x1p53 && strtold(text, NULL) != (long double)*x)
		*x = copysign(0x1.8p53, *x);
	suffix = *end ? strchr(suffixes, *end) : NULL;
	if (!suffix)
		return end;
	*x = ldexp(*x, 10 * (int)(suffix - suffixes + 1));
	return isfinite(*x) ? end + 1 : NULL;
}

static size_t read_all(const char *text, char separator, number_reader *read,
		       double *at, size_t most)
{
	for (size_t n = 0; n < most; text++) {
		text = read(text, &at[n++]);
		if (text && !*text)
			return n;
		if (!text || *text != separator)
			return 0;
	}
	return 0;
}

bool parse_real(const char *text, double *x)
{
	const char *end = read_real(text, x);

	return end && !*end;
}

size_t parse_reals(const char *text, char separator, double *at, size_t most)
{
	return read_all(text, separator, read_real, at, most);
}

bool parse_integer(const char *text, double *x)
{
	const char *end = read_integer(text, x);

	return end && !*end;
}

bool parse_exact(const char *text, double x)
{
	return fabs(x) < 0x1p53 || strtold(text, NULL) == (long double)x;
}

const char *parse_range(const char *text, long *first, long *last)
{
	double a = 0, b = 0;
	const char *colon = *text == ':' ? text : read_integer(text, &a);
	const char *end;

	if (!colon || *colon != ':')
		return NULL;
	end = colon[1] && colon[1] != ',' ? read_integer(colon + 1, &b)
					  : colon + 1;
	if (!end || fabs(a) > 0x1p53 || fabs(b) > 0x1p53)
		return NULL;
	*first = colon > text ? (long)a : LONG_MIN;
	*last = end > colon + 1 ? (long)b : LONG_MAX;
	return end;
}

size_t parse_extents(const char *text, double at[3])
{
	const size_t n = read_all(text, 'x', read_integer, at, 3);

	for (size_t i = 0; i < n; i++)
		if (at[i] < 1 || at[i] > 0x1p53)
			return 0;
	return n;
}
