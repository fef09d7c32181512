/*
 * decimals.c: rows of decimals are read as strtod() reads each of them, and
 * numbers are written as they read back.
 */
#include "test.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exact/bits.h"
#include "text/decimal.h"

enum { ROW = 64, TEXT = 64 };

/* Numbers that do not repeat, the same in each run (splitmix64). */
static uint64_t next(uint64_t *state)
{
	uint64_t x = *state += 0x9e3779b97f4a7c15;

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
	x = (x ^ x >> 27) * 0x94d049bb133111eb;
	return x ^ x >> 31;
}

/* A double of any bits, of 1 to 17 digits; or digits around a point. */
static void write_number(uint64_t *state, char text[TEXT])
{
	const uint64_t bits = next(state), how = next(state);
	const int digits = 1 + (int)(how >> 8) % 19;
	double x;

	memcpy(&x, &bits, sizeof x);
	if (how % 4)
		x = (double)(int64_t)bits * pow(10, -(double)(how >> 16 & 31));
	if (how % 16 == 1)
		x = (double)(float)x;
	if (!isfinite(x) || (how % 3 == 2 && fabs(x) > 1e15))
		x = 0.5;
	if (how % 3 == 0)
		snprintf(text, TEXT, "%.*e", digits, x);
	else if (how % 3 == 1)
		snprintf(text, TEXT, "%.*g", digits, x);
	else
		snprintf(text, TEXT, "%.*f", digits, x);
}

/* Read a row of ROW numbers, those that are not plain one by one. */
static void read_row(const char *s, const char *stop, double x[ROW],
		     struct decimals *all)
{
	*all = (struct decimals){ .x = x, .most = ROW };
	while (all->n < ROW) {
		struct decimal d;
		const size_t before = all->n;

		s = decimals_read(all, s, stop, ',', '\n');
		if (all->n == ROW)
			break;
		s += all->n > before;
		d = decimal_read(s);
		assert_true(d.end > s);
		all->x[all->n++] = d.x;
		all->fractions |= !d.whole || (d.x == 0 && signbit(d.x));
		all->more_digits |= !d.single;
		s = d.end + (*d.end == ',');
	}
}

static void check_row(uint64_t *state, size_t *plain)
{
	static char text[ROW * (TEXT + 1) + DECIMAL_AHEAD];
	const char *at[ROW], *stop = text + sizeof text - 8;
	double x[ROW];
	char *to = text;
	struct decimals all, first = { .x = x, .most = ROW };
	bool fractions = false, more_digits = false;

	memset(text, 0, sizeof text);
	for (size_t i = 0; i < ROW; i++) {
		at[i] = to;
		write_number(state, to);
		to += strlen(to);
		*to++ = i + 1 < ROW ? ',' : '\n';
	}
	decimals_read(&first, text, stop, ',', '\n');
	*plain += first.n;
	read_row(text, stop, x, &all);
	for (size_t i = 0; i < ROW; i++) {
		const double wanted = strtod(at[i], NULL);
		const struct decimal d = decimal_read(at[i]);

		fractions |= !d.whole || (d.x == 0 && signbit(d.x));
		more_digits |= !d.single;
		if (bits_of(wanted) != bits_of(x[i]))
			fail_msg("%.30s: got %.17g", at[i], x[i]);
		if (bits_of(wanted) != bits_of(d.x))
			fail_msg("%.30s: read as %.17g", at[i], d.x);
	}
	assert_int_equal(fractions, all.fractions);
	assert_int_equal(more_digits, all.more_digits);
}

static void rows_are_read_as_strtod_reads(void **state)
{
	uint64_t random = 1;
	size_t plain = 0;

	(void)state;
	for (int i = 0; i < 4000; i++)
		check_row(&random, &plain);
	assert_true(plain > 4000);
}

/* Half way between two doubles, above, below; and at the ends of what fits. */
static void ties_are_broken_by_the_last_digit(void **state)
{
	static const char *const texts[] = {
		"9007199254740993e0", "9007199254740992.5",
		"9007199254740993.001", "18014398509481989e3",
		"4503599627370497.5", "4503599627370497.499",
		"4503599627370496.5", "2251799813685248.25",
		"1125899906842624.125", "562949953421312.0625",
		"9999999999999999999e27", "1e-27", "9999999999999999999e-27",
		"7450580596923828125e-27", "1.8446744073709551615",
		"0.00000000000000000000000001", "12345678901234567e-23",
	};

	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		const double wanted = strtod(texts[i], NULL);

		const double x = decimal_read(texts[i]).x;

		if (bits_of(wanted) != bits_of(x))
			fail_msg("%s: %.17g", texts[i], x);
	}
}

/* What is no plain number is left to decimal_read() and its caller. */
static void other_text_is_left(void **state)
{
	static const char *const texts[] = {
		"", "-", ".5", "5.", "+1", "nan", "--1", "1.5x", "1..5", "007",
		"1e400", "1e39", "9007199254740993", "12345678901234567890",
		"0.000000000000000000000000000000000000000000000000001",
		"1e-40", "123456789012345678e25", "1 ", "16777217.0000000",
		"0x10", "1e", "1e+",
	};
	char row[2 * DECIMAL_AHEAD];
	double x;

	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct decimals all = { .x = &x, .most = 1 };

		memset(row, 0, sizeof row);
		snprintf(row, sizeof row, "%s\n", texts[i]);
		assert_ptr_equal(decimals_read(&all, row, row + sizeof row - 8,
					       ',', '\n'), row);
		assert_int_equal(all.n, 0);
	}
}

/* Numbers as programs write them are read in loops, all of a row at once. */
static void usual_numbers_are_read_at_once(void **state)
{
	static const char *const texts[] = {
		"0,1,-2,0.5,-0.25,1234567890123456,-123456789012345.6",
		"0, 0.12345678, -0.87654321, 1234567890.1234, -1, 2",
		"0.12345678901234568,-0.00012345678901234567,2,3.5,0,9",
		"0e-64,-0e+64,1.2345678e+05,-1.2345678901234567E-05,0,1",
		"9007199254740991,-0.000000000000001,1e+00,-1.5e-09,4,5",
	};
	char row[2 * DECIMAL_AHEAD];
	double x[7];

	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct decimals all = { .x = x, .most = 7 };

		memset(row, 0, sizeof row);
		snprintf(row, sizeof row, "%s]", texts[i]);
		assert_int_equal(*decimals_read(&all, row,
						row + sizeof row - 8, ',',
						']'), ']');
	}
}

/* Integers, -0 among them, and what a float32 is too short for. */
static void kinds_are_told(void **state)
{
	static const struct {
		const char *text;
		bool fractions, more_digits;
	} rows[] = {
		{ "1,-2,0", false, false }, { "1,-0,0", true, false },
		{ "1,2.5,0", true, false }, { "1,2e+03,-7", true, false },
		{ "0,0.1234567891,1", true, true },
		{ "0,1.0001387,1", true, true },
		{ "1.0001387e+00,0,1", true, true },
		/* A blank, though none before the second number */
		{ "1,2, -0", true, false },
		/* The float32 lies half way between two of 8 digits */
		{ "0,-0.29882812,1", true, false },
		{ "0,2.9882812e-01,1", true, false },
	};
	char row[4 * DECIMAL_AHEAD];
	double x[3];

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct decimals all = { .x = x, .most = 3 };
		const char *end;

		memset(row, 0, sizeof row);
		snprintf(row, sizeof row, "%s]", rows[i].text);
		end = decimals_read(&all, row, row + sizeof row - 8, ',', ']');
		assert_int_equal(all.n, 3);
		assert_int_equal(*end, ']');
		assert_int_equal(all.fractions, rows[i].fractions);
		assert_int_equal(all.more_digits, rows[i].more_digits);
	}
}

/* The nearest decimal of n digits, read back as a value of type. */
static double read_back(double x, enum dtype type, int n)
{
	char text[TEXT];

	snprintf(text, sizeof text, "%.*e", n - 1, x);
	return type == F32 ? (double)strtof(text, NULL)
			   : dtype_round(type, strtod(text, NULL));
}

/* The digits of a text, without zeros before and after them. */
static int count_digits(const char *text)
{
	int n = 0, zeros = 0;

	for (const char *c = text; *c && *c != 'e'; c++) {
		if (*c < '0' || *c > '9' || (!n && *c == '0'))
			continue;
		n++;
		zeros = *c == '0' ? zeros + 1 : 0;
	}
	return n - zeros;
}

static void check_shortest(double x, enum dtype type)
{
	const bool whole = fabs(x) < 1e16 && x == rint(x);
	char text[TEXT] = "";
	double y;
	int n;

	text[number_text(text, x, type, 0)] = '\0';
	y = type == F32 ? (double)strtof(text, NULL)
			: dtype_round(type, strtod(text, NULL));
	if (bits_of(y) != bits_of(x))
		fail_msg("%.17g is written as %s", x, text);
	n = count_digits(text);
	if (!whole && n > 1 && read_back(x, type, n - 1) == x)
		fail_msg("%.17g is written as %s, too long", x, text);
}

static void numbers_are_written_in_the_fewest_digits(void **state)
{
	uint64_t random = 3;

	(void)state;
	for (unsigned i = 0; i < 1 << 16; i++) {
		const uint16_t half = (uint16_t)i;
		const uint64_t bits = next(&random);
		double x;

		for (int d = F16; d <= BF16; d++) {
			dtype_load((enum dtype)d, &half, 1, &x);
			if (isfinite(x))
				check_shortest(x, (enum dtype)d);
		}
		memcpy(&x, &bits, sizeof x);
		if (isfinite(x))
			check_shortest(x, F64);
		x = (double)(int64_t)bits * pow(10, -(double)(i % 40));
		check_shortest(x, F64);
		check_shortest((double)(float)x, F32);
	}
}

/* Digits as printf() rounds them, of a row and of one number. */
static void digits_are_rounded_as_printf_rounds(void **state)
{
	uint64_t random = 4;

	(void)state;
	for (int i = 0; i < 50000; i++) {
		const uint64_t bits = next(&random);
		const int n = 1 + i % 17;
		char text[TEXT] = "", wanted[TEXT];
		double x;

		memcpy(&x, &bits, sizeof x);
		if (i % 4 == 1)  /* middles of two decimals are among them */
			x = (double)(bits >> 48) / 32;
		if (i % 4 == 2)
			x = (double)(bits >> 40) * 1e5;
		if (!isfinite(x))
			x = 9.5;
		text[number_text(text, x, F64, (size_t)n)] = '\0';
		snprintf(wanted, sizeof wanted, "%.*e", n - 1, x);
		if (bits_of(strtod(text, NULL)) !=
		    bits_of(strtod(wanted, NULL)))
			fail_msg("%.17g to %d digits: %s", x, n, text);
	}
}

/* What each instruction set makes of a row is what one number becomes. */
static void rows_are_written_as_numbers_are(void **state)
{
	uint64_t random = 5;
	double x[ROW + 70];
	float f[ROW + 70];

	(void)state;
	for (size_t i = 0; i < ROW + 70; i++) {
		x[i] = (double)(int64_t)next(&random) *
		       pow(10, -(double)(i % 60));
		f[i] = (float)x[i];
	}
	for (int d = F64; d <= F32; d++) {
		const struct numbers row = { .f = d == F32 ? f : NULL, .d = x };
		char text[(ROW + 70) * NUMBER_ROOM], one[NUMBER_ROOM];
		const size_t all = numbers_text(text, row, ROW + 70,
						(enum dtype)d, 0);
		size_t at = 0;

		for (size_t i = 0; i < ROW + 70; i++, at++) {
			const size_t n = number_text(one, d == F32
						     ? (double)f[i] : x[i],
						     (enum dtype)d, 0);

			assert_memory_equal(text + at, one, n);
			at += n;
		}
		assert_int_equal(at, all + 1);
	}
}

UNIT(decimals,
	TEST(rows_are_read_as_strtod_reads),
	TEST(ties_are_broken_by_the_last_digit),
	TEST(other_text_is_left),
	TEST(usual_numbers_are_read_at_once),
	TEST(kinds_are_told),
	TEST(numbers_are_written_in_the_fewest_digits),
	TEST(digits_are_rounded_as_printf_rounds),
	TEST(rows_are_written_as_numbers_are)
)
