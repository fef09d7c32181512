/* decimal.c: numbers as decimal text, read and written to the last bit. */
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exact/bits.h"
#include "text/decimal.h"
#include "text/digits.h"

enum {
	DIGITS_MOST = 19,
	DIGITS_DOUBLE = 17,  /* that read back to any double */
	POWER_MOST = 22,
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

	/* x is half way between two of them: all digits of text decide. */
	if ((bits_of(x) & (2 * half - 1)) == half ||
	    fabs(x) < 0x1p-126)
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

/* The next greater decimal of as many digits. */
static void scientific_increase(struct scientific *d, int n)
{
	int i = n;

	memset(d->digits + d->n, '0', (size_t)(n - d->n));
	while (i > 0 && d->digits[i - 1] == '9')
		d->digits[--i] = '0';
	if (i > 0) {
		d->digits[i - 1]++;
	} else {
		d->digits[0] = '1';
		d->exponent++;
	}
	d->n = n;
	while (d->n > 1 && d->digits[d->n - 1] == '0')
		d->n--;
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
	return !(y < x) && !(y > x);
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

		scientific_increase(&s, n);
		if (reads_back(&s, x, type))
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
