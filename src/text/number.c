/* number.c: numbers written as decimal text that reads back the same. */
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/decimal.h"
#include "text/digits.h"

enum { DIGITS_DOUBLE = 17 };  /* that read back to any double */

/* A number in scientific notation: the point stands after the first digit. */
struct scientific {
	char digits[20];
	int n;         /* digits, the last of them not 0 unless alone */
	int exponent;  /* of ten */
};

/* x > 0 rounded to n digits, of which trailing zeros are dropped. */
static struct scientific scientific_of(double x, int n)
{
	struct scientific d = { .n = n };
	char text[40];

	snprintf(text, sizeof text, "%.*e", n - 1, x);
	d.digits[0] = text[0];
	if (n > 1)
		memcpy(d.digits + 1, text + 2, (size_t)n - 1);
	d.exponent = (int)strtol(strchr(text, 'e') + 1, NULL, 10);
	while (d.n > 1 && d.digits[d.n - 1] == '0')
		d.n--;
	return d;
}

/*
 * Add one to the last of d's n digits. False if it was 9: the next decimal has
 * fewer digits, and was tried as the nearest of those.
 */
static bool scientific_increase(struct scientific *d, int n)
{
	d->n = n;
	return d->digits[n - 1]++ < '9';
}

/* Its digits and exponent, "602e21", for strtod(). */
static void scientific_text(const struct scientific *d, char text[40])
{
	snprintf(text, 40, "%.*se%d", d->n, d->digits,
		 d->exponent - d->n + 1);
}

static bool reads_back(const struct scientific *d, double x, enum dtype type)
{
	char text[40];
	double y;

	scientific_text(d, text);
	/* Not through double, which would round twice. */
	y = type == F32 ? (double)strtof(text, NULL)
			: dtype_round(type, strtod(text, NULL));
	return y == x;
}

/* n / 10^places; n > 0 */
static struct scientific scientific_integer(uint64_t n, int places)
{
	struct scientific d;
	char text[24];

	d.n = snprintf(text, sizeof text, "%llu", (unsigned long long)n);
	d.exponent = d.n - 1 - places;
	memcpy(d.digits, text, (size_t)d.n);
	while (d.n > 1 && d.digits[d.n - 1] == '0')
		d.n--;
	return d;
}

/*
 * fewest() of a float32 x from 1 to 10^6, no power of two, in integers: x is
 * m / 2^k, the decimal n / p. It reads back if it is off by less than half a
 * unit of x, 2^-(k + 1), or by that if m is even.
 */
static struct scientific fewest_single(double x)
{
	int exponent, places = FLT_DIG;
	const uint64_t m = (uint64_t)ldexp(frexp(x, &exponent), 24);
	const int k = 24 - exponent;
	uint64_t p = 1000000;

	for (uint64_t ten = 1; x >= (double)ten; ten *= 10, places--)
		p /= 10;
	for (;; p *= 10, places++) {
		const uint64_t y = m * p, near = y + (1ull << (k - 1));
		/* The nearest; of two, the even one, as printf() does */
		const uint64_t tie = near % (1ull << k) == 0;
		const uint64_t n = (near >> k) - (tie & near >> k);
		const uint64_t z = n << k, off = z > y ? z - y : y - z;

		if (2 * off < p + (m % 2 == 0))
			return scientific_integer(n, places);
	}
}

/* The nearest decimal of the fewest digits that reads back as x > 0. */
static struct scientific fewest(double x, enum dtype type)
{
	/*
	 * A decimal of DBL_DIG digits survives conversion to a double and
	 * back: a shorter one appears with zeros at its end, which are dropped.
	 */
	const int start = type == F64 && x >= DBL_MIN ? DBL_DIG :
			  type == F32 && x >= (double)FLT_MIN ? FLT_DIG : 1;
	struct scientific s;

	if (type == F32 && x > 1 && x < 1e6 && frexp(x, &(int){ 0 }) > 0.5)
		return fewest_single(x);
	for (int n = start; n < DIGITS_DOUBLE; n++) {
		s = scientific_of(x, n);
		if (reads_back(&s, x, type))
			return s;
	}
	return scientific_of(x, DIGITS_DOUBLE);
}

/*
 * The shortest decimal that reads back as x > 0, and of those the nearest. The
 * nearest of n digits is as good as any, except for a power of two: values
 * below it are closer together, so the next decimal above may do where the
 * nearest does not.
 */
static struct scientific shortest(double x, enum dtype type)
{
	const struct scientific nearest = fewest(x, type);

	if (frexp(x, &(int){ 0 }) > 0.5)
		return nearest;
	for (int n = 1; n < nearest.n; n++) {
		struct scientific s = scientific_of(x, n);

		if (scientific_increase(&s, n) && reads_back(&s, x, type))
			return s;
	}
	return nearest;
}

int decimal_digits(double x, enum dtype d)
{
	return fewest(fabs(x), d).n;
}

/* 0.00ddd, ddd.ddd or ddd000 */
static size_t plain_text(char *text, const struct scientific *d)
{
	const int whole = d->exponent + 1;
	size_t n = 0;

	if (whole <= 0) {
		text[n++] = '0';
		text[n++] = '.';
		for (int i = whole; i < 0; i++)
			text[n++] = '0';
	}
	for (int i = 0; i < d->n; i++) {
		if (i == whole && i > 0)
			text[n++] = '.';
		text[n++] = d->digits[i];
	}
	for (int i = d->n; i < whole; i++)
		text[n++] = '0';
	return n;
}

/* d.ddde-06 */
static size_t exponent_text(char *text, const struct scientific *d)
{
	const int n = snprintf(text, NUMBER_ROOM, "%c%s%.*se%+03d",
			       d->digits[0], d->n > 1 ? "." : "", d->n - 1,
			       d->digits + 1, d->exponent);

	return (size_t)n;
}

size_t number_text(char *text, double x, enum dtype type, size_t precision)
{
	struct scientific d;
	size_t n = 0;

	if (!isfinite(x))
		return (size_t)snprintf(text, NUMBER_ROOM, "%s",
					isnan(x) ? "nan" : x < 0 ? "-inf"
								 : "inf");
	if (dtype_integer(type))
		return (size_t)snprintf(text, NUMBER_ROOM, "%.0f", x + 0.0);
	if (signbit(x))
		text[n++] = '-';
	x = fabs(x);
	if (x <= 0 || x == 1) {
		text[n++] = x > 0 ? '1' : '0';
		return n;
	}
	d = precision ? scientific_of(x, (int)precision) : shortest(x, type);
	/* An integer in full: a reader does not know which zeros are rounded */
	if (!precision && d.exponent < 16 && d.n <= d.exponent)
		d = scientific_of(x, d.exponent + 1);
	if (d.exponent >= -5 && d.exponent < 16)
		return n + plain_text(text + n, &d);
	return n + exponent_text(text + n, &d);
}

size_t numbers_text(char *text, struct numbers x, size_t n, enum dtype d,
		    size_t precision)
{
	char *at = text;

	if (x.f && !precision)
		return digits_text(text, x.f, n);
	for (size_t j = 0; j < n; j++) {
		if (j)
			*at++ = ',';
		at += number_text(at, x.f ? (double)x.f[j] : x.d[j], d,
				  precision);
	}
	return (size_t)(at - text);
}
