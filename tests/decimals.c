/* decimals.c: rows of decimals are read as strtod() reads each of them. */
#include "test.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exact/bits.h"
#include "text/decimal.h"
#include "text/decimal_loops.h"

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
	*all = (struct decimals){ .begin = s, .x = x, .most = ROW };
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
	struct decimals all, first = { .begin = text, .x = x, .most = ROW };
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
		struct decimals all = { .begin = row, .x = &x, .most = 1 };

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
		struct decimals all = { .begin = row, .x = x, .most = 7 };

		memset(row, 0, sizeof row);
		snprintf(row, sizeof row, "%s]", texts[i]);
		assert_int_equal(*decimals_read(&all, row,
						row + sizeof row - 8, ',',
						']'), ']');
	}
}

/* Those of up to 15 bytes without their sign by the loop that is fastest. */
static void short_numbers_are_read_by_their_loop(void **state)
{
	static const char *const texts[] = {
		"0,1,-2,0.5,-0.25,123456789012345,-123456789012.45]",
		"0, 0.12345678, -0.87654321, 12345678.901234, -1, 2]",
	};
	char text[PIECE_BEFORE + 2 * DECIMAL_AHEAD] = "";

	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct piece p = { .text = text + PIECE_BEFORE };
		struct digits d;

		snprintf(text + PIECE_BEFORE, DECIMAL_AHEAD, "%s", texts[i]);
		decimal_loops[simd_best()].find(&p, DECIMAL_AHEAD, ',', ']');
		decimal_loops[simd_best()].read_short(&p, &d, p.n);
		assert_int_equal(d.n, p.n);
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
		struct decimals all = { .begin = row, .x = x, .most = 3 };
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

/* What each instruction set makes of a piece: the same as any machine. */
static void compare_loops(const struct piece *p, enum simd simd)
{
	const struct decimal_loops *plain = &decimal_loops[SIMD_PLAIN];
	const struct decimal_loops *wide = &decimal_loops[simd];
	struct digits a = { 0 }, b = { 0 };

	plain->read_short(p, &a, p->n);
	wide->read_short(p, &b, p->n);
	assert_int_equal(a.n, b.n);
	assert_int_equal(a.fractions, b.fractions);
	assert_memory_equal(a.all, b.all, a.n * sizeof *a.all);
	assert_memory_equal(a.power, b.power, a.n * sizeof *a.power);
	for (size_t from = 0; from < p->n; from++) {
		plain->read_any(p, &a, from, p->n);
		wide->read_any(p, &b, from, p->n);
		assert_int_equal(a.n, b.n);
		assert_int_equal(a.fractions, b.fractions);
		assert_memory_equal(a.all, b.all, a.n * sizeof *a.all);
		assert_memory_equal(a.exponent, b.exponent, a.n);
		assert_memory_equal(a.sign, b.sign, a.n * sizeof *a.sign);
	}
}

/*
 * Numbers up to a ']': 20, or more that are short than a piece has room for;
 * every other time blanks stand before them.
 */
static void write_piece(uint64_t *state, int i, char *to)
{
	const int n = i % 4 < 2 ? 20 : PIECE_NUMBERS + 10;

	for (int k = 0; k < n; k++, *to++ = k < n ? ',' : ']') {
		if (k && i % 2)
			*to++ = ' ';
		if (n == 20)
			write_number(state, to);
		else
			snprintf(to, TEXT, "%.*g", 1 + k % 9,
				 (double)(int64_t)next(state) * 0x1p-50);
		to += strlen(to);
		/* Any character in place of one in some numbers */
		if (next(state) % 32 == 0)
			to[-1 - (int)(next(state) % 8)] =
				(char)(next(state) >> 56);
	}
}

static void sets_read_the_same(void **state)
{
	static char text[PIECE_BEFORE + PIECE_NUMBERS * TEXT + PIECE_BYTES];
	uint64_t random = 2;

	(void)state;
	for (int i = 0; i < 2000; i++) {
		struct piece p = { .text = text + PIECE_BEFORE }, q = p;

		memset(text, 0, sizeof text);
		write_piece(&random, i, text + PIECE_BEFORE);
		decimal_loops[SIMD_PLAIN].find(&p, PIECE_BYTES, ',', ']');
		decimal_loops[simd_best()].find(&q, PIECE_BYTES, ',', ']');
		assert_int_equal(p.n, q.n);
		assert_memory_equal(p.end, q.end, p.n * sizeof *p.end);
		compare_loops(&p, simd_best());
	}
}

UNIT(decimals,
	TEST(rows_are_read_as_strtod_reads),
	TEST(ties_are_broken_by_the_last_digit),
	TEST(other_text_is_left),
	TEST(usual_numbers_are_read_at_once),
	TEST(short_numbers_are_read_by_their_loop),
	TEST(kinds_are_told),
	TEST(sets_read_the_same)
)
