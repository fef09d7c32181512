/* sight.c: what can be seen of a table at a glance. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "identify/rounded.h"
#include "identify/sight.h"

enum { SAMPLE = 256, DIGITS_TEXT = 9, DIGITS_SINGLE = 7 };

#define SCATTER 2654435761u  /* a prime, 2^32 over the golden ratio */

const double *sight_row(const struct sight *s, size_t i)
{
	return s->table->row(s->table, i, NULL);
}

bool sight_zero_row(const struct sight *s, size_t i)
{
	const double *x = sight_row(s, i);
	size_t j = 0;

	while (j < s->cols && x[j] == 0)
		j++;
	return j == s->cols;
}

bool sight_toeplitz(const struct sight *s)
{
	for (size_t i = 0; i < s->n; i++) {
		const double *x = sight_row(s, i);

		if (i % s->table->rows == 0)
			continue;
		for (size_t j = 1; j < s->cols; j++)
			if (fabs(x[j] - sight_row(s, i - 1)[j - 1]) > 0)
				return false;
	}
	return true;
}

/* Whether d holds x to the last bit. */
static bool held(enum dtype d, double x)
{
	const float f = (float)x;
	uint32_t bits;

	if ((double)f < x || (double)f > x)
		return false;
	memcpy(&bits, &f, sizeof bits);
	if (d == BF16)
		return !(bits & 0xffff);
	if (d == F16)
		return !(bits & 0x1fff) && dtype_holds(F16, x) &&
		       fabs(dtype_round(F16, x) - x) <= 0;
	return true;
}

/* Whether x is the shortest decimal of a number of d. */
static bool decimal_of(enum dtype d, double x)
{
	return dtype_holds(d, x) &&
	       rounded_reads(x, rounded_shortest(dtype_round(d, x), d));
}

static bool all_decimals_of(const struct sight *s, enum dtype d)
{
	for (size_t i = 0; i < s->n; i++)
		for (size_t j = 0; j < s->cols; j++)
			if (!decimal_of(d, sight_row(s, i)[j]))
				return false;
	return true;
}

static bool all_held(const struct sight *s, enum dtype d)
{
	for (size_t i = 0; i < s->n; i++) {
		const double *x = sight_row(s, i);

		for (size_t j = 0; j < s->cols; j++)
			if (!held(d, x[j]))
				return false;
	}
	return true;
}

/*
 * The fewest digits behind the point that say x, or, if single, that say the
 * float x; or DIGITS_MOST.
 */
static int digits_of(double x, bool exponent, bool single)
{
	const int most = single && exponent ? DIGITS_SINGLE : DIGITS_TEXT;
	char text[400];

	for (int p = 0; p < most; p++) {
		double y;

		snprintf(text, sizeof text, exponent ? "%.*e" : "%.*f", p, x);
		y = strtod(text, NULL);
		if (fabs((single ? (double)(float)y : y) - x) <= 0)
			return p;
	}
	return DIGITS_MOST;
}

/* Count digits of a sample that keeps to no column. */
static void count_digits(struct sight *s)
{
	const size_t all = s->n * s->cols;
	const bool single = s->stored == F32;

	s->digits = 1;
	s->decimals = 0;
	for (size_t k = 0; s->digits < DIGITS_MOST && k < SAMPLE; k++) {
		const size_t i = all <= SAMPLE ? k % all
					       : k * SCATTER % all;
		const double x = sight_row(s, i / s->cols)[i % s->cols];
		const int p = digits_of(x, true, single) + 1;
		const int q = digits_of(x, false, single);

		s->digits = p > s->digits ? p : s->digits;
		s->decimals = q > s->decimals ? q : s->decimals;
	}
	if (s->digits > DIGITS_TEXT)
		s->digits = s->decimals = DIGITS_MOST;
}

static void look_at_values(struct sight *s)
{
	double sum = 0, squares = 0;
	const double all = (double)s->n * (double)s->cols;

	s->finite = s->whole = s->hides = true;
	s->lo = HUGE_VAL;
	s->hi = -HUGE_VAL;
	for (size_t i = 0; i < s->n; i++) {
		const double *x = sight_row(s, i);

		for (size_t j = 0; j < s->cols; j++) {
			s->finite = s->finite && isfinite(x[j]);
			s->hides = s->hides &&
				   (x[j] == 0 || x[j] == -HUGE_VAL);
			s->whole = s->whole && rint(x[j]) == x[j];
			s->lo = fmin(s->lo, x[j]);
			s->hi = fmax(s->hi, x[j]);
			sum += x[j];
			squares += x[j] * x[j];
		}
	}
	s->hides = s->hides && !s->finite && s->hi == 0;
	s->mean = sum / all;
	s->deviation = sqrt(fmax(0, squares / all - s->mean * s->mean));
}

const char *sight_lengths(const struct sight *s, char text[64])
{
	if (s->n == s->cols)
		snprintf(text, 64, "len=%zu", s->cols);
	else
		snprintf(text, 64, "query-len=%zu key-len=%zu", s->n, s->cols);
	return text;
}

void sight_take(struct sight *s, const struct table *t)
{
	static const double units[] = {
		[F64] = 0x1p-53, [F32] = 0x1p-24, [F16] = 0x1p-11,
		[BF16] = 0x1p-8,
	};

	*s = (struct sight){
		.table = t, .n = t->planes * t->rows, .cols = t->cols,
	};
	look_at_values(s);
	s->digits = s->decimals = DIGITS_MOST;
	if (!s->finite)
		return;
	s->stored = all_held(s, BF16) ? BF16 : all_held(s, F16) ? F16 :
		    all_held(s, F32) ? F32 : F64;
	if (s->stored <= F32)
		count_digits(s);
	s->noise = units[s->stored];
	if (s->digits < DIGITS_MOST)
		s->noise = fmax(0x1p-24, 0.5 * pow(10, 1 - s->digits));
	/* As many are enough for float16, and one less for bfloat16. */
	if (s->digits <= 4 && all_decimals_of(s, BF16)) {
		s->written = units[BF16];
	} else if (s->digits <= 5 && all_decimals_of(s, F16)) {
		s->written = units[F16];
		s->tiny = 0x1p-25;
	}
	s->noise = fmax(s->noise, s->written);
	s->least = s->stored == F16 || s->digits <= 5 ? 0x1p-25 : 0;
	if (s->digits < DIGITS_MOST)
		s->least = fmax(s->least, 0.5 * pow(10, -s->decimals));
	s->arithmetic = s->stored == F64 && s->digits == DIGITS_MOST
		? 0x1p-53 : 0x1p-24;
}
