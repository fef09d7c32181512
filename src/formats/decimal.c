/* decimal.c: the text of a number read, to the last bit. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "core/bits.h"
#include "formats/decimal.h"

enum { DIGITS_MOST = 19, POWER_MOST = 22 };

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

/* "e-05" to the exponent; s where that is none. */
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
 * Digits and power of ten, each exact as a double, make one rounding; else the
 * C library takes all digits.
 */
static double value(const char *text, const struct digits *d)
{
	const double x = (double)d->all;

	if (d->n > DIGITS_MOST || d->all > (uint64_t)1 << 53 ||
	    d->exponent > POWER_MOST || d->exponent < -POWER_MOST)
		return d->n ? fabs(strtod(text, NULL)) : 0;
	return d->exponent < 0 ? x / powers[-d->exponent]
			       : x * powers[d->exponent];
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

double decimal_single(const char *text, double x)
{
	const uint64_t half = (uint64_t)1 << 28;

	/* Half way between two of them, what was rounded off decides. */
	if ((bits_of(x) & (2 * half - 1)) == half ||
	    fabs(x) < 0x1p-126)
		return (double)strtof(text, NULL);
	return (double)(float)x;
}
