/* decimal.c: numbers read from decimal text to the last bit. */
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exact/bits.h"
#include "exact/tens.h"
#include "text/decimal.h"

const double decimal_powers[DECIMAL_POWERS + 1] = {
	1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12,
	1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
};

static const char *read_digits(const char *s, struct significand *d, long place)
{
	for (; *s >= '0' && *s <= '9'; s++) {
		d->exponent -= place;
		d->n += d->n || *s != '0';
		if (d->n <= DECIMAL_DIGITS)
			d->all = 10 * d->all + (uint64_t)(*s - '0');
	}
	return s;
}

const char *decimal_exponent(const char *s, struct significand *d)
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
static inline double value(const char *text, const struct significand *d)
{
	const long e = d->exponent;
	double x = (double)d->all;

	if (!d->all)
		return 0;
	if (d->all <= (uint64_t)1 << 53 && e >= -DECIMAL_POWERS &&
	    e <= DECIMAL_POWERS)
		return e < 0 ? x / decimal_powers[-e] : x * decimal_powers[e];
	return d->n <= DECIMAL_DIGITS && tens_scale(d->all, e, &x)
	       ? x : fabs(strtod(text, NULL));
}

bool decimal_is_single(double x, long e)
{
	/* Less what rounding to x may have added */
	double off = fabs((double)(float)x - x) - half_step(x);

	if (off <= 0)
		return true;
	for (; e > DECIMAL_POWERS; e -= DECIMAL_POWERS)
		off /= decimal_powers[DECIMAL_POWERS];
	for (; e < -DECIMAL_POWERS; e += DECIMAL_POWERS)
		off *= decimal_powers[DECIMAL_POWERS];
	return e < 0 ? off * decimal_powers[-e] < 0.5
		     : off < 0.5 * decimal_powers[e];
}

struct decimal decimal_read(const char *text)
{
	struct decimal n = { .end = text };
	struct significand d = { 0 };
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
	n.end = decimal_exponent(s, &d);
	n.whole &= n.end == s;
	n.x = value(text, &d);
	n.single = decimal_is_single(n.x, d.exponent);
	n.x = *text == '-' ? -n.x : n.x;
	return n;
}

double decimal_single(const char *text, double x)
{
	/* x is half way between two of them: all digits of text decide. */
	if (is_float_tie(x) || fabs(x) < 0x1p-126)
		return (double)strtof(text, NULL);
	return (double)(float)x;
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

/* An end of a range; omitted if one of stops or nothing is there. */
static const char *read_end(const char *text, const char *stops, long omitted,
			    long *at)
{
	const char *end;
	double x;

	*at = omitted;
	if (!*text || strchr(stops, *text))
		return text;
	end = read_integer(text, &x);
	if (!end || fabs(x) > INTEGER_MOST)
		return NULL;
	*at = (long)x;
	return end;
}

const char *parse_range(const char *text, long *first, long *last)
{
	const char *colon = read_end(text, ":", LONG_MIN, first);

	if (!colon || *colon != ':')
		return NULL;
	return read_end(colon + 1, ",", LONG_MAX, last);
}

const char *parse_slice(const char *text, long *first, long *last, long *step)
{
	const char *end = read_end(text, ":,", LONG_MIN, first);

	*step = 1;
	if (end && *end != ':') {
		*last = *first + 1;
		return end > text ? end : NULL;
	}
	end = end ? read_end(end + 1, ":,", LONG_MAX, last) : NULL;
	return end && *end == ':' ? read_end(end + 1, ",", 1, step) : end;
}

size_t parse_integers(const char *text, char separator, double *at, size_t most)
{
	return read_all(text, separator, read_integer, at, most);
}
