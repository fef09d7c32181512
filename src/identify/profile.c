/* profile.c: statistics, dtype and rounding of a table. */
#include <math.h>
#include <stdio.h>

#include "identify/profile.h"
#include "identify/rounding.h"

enum { SAMPLE = 256, MANY = 1 << 15 };
enum { MAX_TEXT_DIGITS = 9, MAX_FLOAT_DIGITS = 7 };

#define STRIDE 2654435761u /* a prime near 2^32 / golden ratio */

const double *profile_row(const struct profile *p, size_t i)
{
	return p->table->row(p->table, i, NULL);
}

double profile_value(const struct profile *p, size_t i, size_t j)
{
	double x;

	if (p->column && !j)
		return p->column[i];
	table_part(p->table, i, j, 1, &x);
	return x;
}

bool profile_keep_column(struct profile *p, struct table *owner,
			 struct error *err)
{
	enum { ROWS_MOST = 1 << 20 };
	double *column;

	if (!p->table->part || p->n > ROWS_MOST)
		return true;
	column = table_alloc(owner, p->n, sizeof *column, err);
	if (!column)
		return false;
	for (size_t i = 0; i < p->n; i++)
		column[i] = profile_row(p, i)[0];
	p->column = column;
	return true;
}

bool profile_zero_row(const struct profile *p, size_t i)
{
	const double *x = profile_row(p, i);
	size_t j = 0;

	while (j < p->cols && fabs(x[j]) <= p->assumed)
		j++;
	return j == p->cols;
}

bool profile_zero_column(const struct profile *p, size_t j)
{
	for (size_t i = 0; i < p->n; i++)
		if (!(fabs(profile_row(p, i)[j]) <= p->assumed))
			return false;
	return true;
}

bool profile_same_columns(const struct profile *p)
{
	for (size_t i = 0; i < p->n; i++)
		for (size_t j = 1; j < p->cols; j++)
			if (fabs(profile_row(p, i)[j] - profile_row(p, i)[0]) >
			    2 * p->assumed)
				return false;
	return true;
}

bool profile_toeplitz(const struct profile *p)
{
	for (size_t i = 0; i < p->n; i++) {
		const double *x = profile_row(p, i);

		if (i % p->table->rows == 0)
			continue;
		for (size_t j = 1; j < p->cols; j++)
			if (fabs(x[j] - profile_row(p, i - 1)[j - 1]) > 0)
				return false;
	}
	return true;
}

/* Whether x is the shortest decimal of a value of d. */
static bool is_decimal_of(enum dtype d, double x)
{
	return dtype_holds(d, x) &&
	       reads_back(x, shortest_decimal(dtype_round(d, x), d));
}

/* Of all values, or of many, spread over all columns. */
static bool all_decimals_of(const struct profile *p, enum dtype d)
{
	const size_t all = p->n * p->cols;

	for (size_t k = 0; k < all && k < MANY; k++) {
		const size_t i = all > MANY ? k * STRIDE % all : k;

		if (!is_decimal_of(d, profile_value(p, i / p->cols,
						    i % p->cols)))
			return false;
	}
	return true;
}

/* The dtype whose shortest decimals all values are, or F64. */
static enum dtype decimals_of(const struct profile *p)
{
	/* Digits of shortest decimals; fewer are decimals of any dtype. */
	static const struct {
		enum dtype d;
		int least, most;
	} of[] = { { BF16, 1, 4 }, { F16, 1, 5 }, { F32, 8, 9 } };

	for (size_t k = 0; k < sizeof of / sizeof *of; k++)
		if (p->digits >= of[k].least && p->digits <= of[k].most &&
		    all_decimals_of(p, of[k].d))
			return of[k].d;
	return F64;
}

/*
 * The fewest digits after the point that read back as x, or, if is_float, as
 * the float x; MAX_DIGITS if there are more than text usually has.
 */
static int digits_of(double x, bool exponent, bool is_float)
{
	const int most =
		is_float && exponent ? MAX_FLOAT_DIGITS : MAX_TEXT_DIGITS;

	for (int n = 0; n < most; n++) {
		const double y = exponent ? round_digits(x, n + 1)
					  : round_decimals(x, n);

		if (fabs((is_float ? (double)(float)y : y) - x) <= 0)
			return n;
	}
	return MAX_DIGITS;
}

/* Count the digits of a sample of values, spread over all columns. */
static void count_digits(struct profile *p)
{
	const size_t all = p->n * p->cols, n = all < SAMPLE ? all : SAMPLE;
	const bool is_float = p->stored == F32;

	p->digits = 1;
	p->decimals = 0;
	for (size_t k = 0; p->digits < MAX_DIGITS && k < n; k++) {
		const size_t i = all > SAMPLE ? k * STRIDE % all : k;
		const double x = profile_value(p, i / p->cols, i % p->cols);
		const int digits = isfinite(x)
					   ? digits_of(x, true, is_float) + 1
					   : 1;
		const int decimals =
			isfinite(x) ? digits_of(x, false, is_float) : 0;

		p->digits = digits > p->digits ? digits : p->digits;
		p->decimals = decimals > p->decimals ? decimals : p->decimals;
	}
	if (p->digits > MAX_TEXT_DIGITS)
		p->digits = p->decimals = MAX_DIGITS;
}

/* Measure the finite values of a table whose others are all -inf. */
static void measure_masked(struct profile *p)
{
	double min = HUGE_VAL;

	for (size_t i = 0; i < p->n; i++) {
		const double *x = profile_row(p, i);

		for (size_t j = 0; j < p->cols; j++) {
			if (isnan(x[j]))
				return;
			if (isfinite(x[j]))
				min = fmin(min, x[j]);
		}
	}
	p->masked = isfinite(min) && isfinite(p->max);
	if (p->masked)
		p->min = min;
}

static void measure_values(struct profile *p)
{
	const size_t n = p->n * p->cols;
	double sum = 0, squares = 0, min = HUGE_VAL, max = -HUGE_VAL;
	bool finite = true, mask = true, integers = true;

	for (size_t i = 0; i < p->n; i++) {
		const double *x = profile_row(p, i);

		for (size_t j = 0; j < p->cols; j++) {
			finite = finite && isfinite(x[j]);
			mask = mask && (x[j] == 0 || x[j] == -HUGE_VAL);
			integers = integers && rint(x[j]) == x[j];
			min = x[j] < min ? x[j] : min;
			max = x[j] > max ? x[j] : max;
			sum += x[j];
		}
	}
	p->finite = finite;
	p->integers = integers;
	p->min = min;
	p->max = max;
	p->additive_mask = mask && !finite && max == 0;
	p->mean = sum / (double)n;
	if (!finite && !p->additive_mask)
		measure_masked(p);
	for (size_t i = 0; finite && i < p->n; i++) {
		const double *x = profile_row(p, i);

		for (size_t j = 0; j < p->cols; j++)
			squares += (x[j] - p->mean) * (x[j] - p->mean);
	}
	/* Squares of very large values are infinite. */
	p->deviation = isfinite(squares) ? sqrt(squares / (double)n) : 0;
}

const char *profile_lengths(const struct profile *p, char text[64])
{
	if (p->n == p->cols)
		snprintf(text, 64, "len=%zu", p->cols);
	else
		snprintf(text, 64, "query-len=%zu key-len=%zu", p->n, p->cols);
	return text;
}

/* How much the values were rounded, by their dtype or as text. */
static void measure_noise(struct profile *p)
{
	static const double units[] = {
		[F64] = 0x1p-53,
		[F32] = 0x1p-24,
		[F16] = 0x1p-11,
		[BF16] = 0x1p-8,
	};
	const bool text = p->digits < MAX_DIGITS;

	p->noise = text ? fmax(0x1p-24, 0.5 * pow(10, 1 - p->digits))
			: units[p->stored];
	p->rounded_to = text ? decimals_of(p) : p->stored;
	if (text && p->rounded_to != F64)
		p->dtype_noise = units[p->rounded_to];
	if (text && p->rounded_to == F16)
		p->dtype_abs_noise = 0x1p-25;
	p->noise = fmax(p->noise, p->dtype_noise);
	p->abs_noise = p->stored == F16 || p->digits <= 5 ? 0x1p-25 : 0;
	if (text)
		p->abs_noise = fmax(p->abs_noise, 0.5 * pow(10, -p->decimals));
	p->epsilon = p->stored == F64 && !text ? 0x1p-53 : 0x1p-24;
}

void profile_table(struct profile *p, const struct table *t)
{
	*p = (struct profile){
		.table = t, .n = t->planes * t->rows, .cols = t->cols,
	};
	measure_values(p);
	p->digits = p->decimals = MAX_DIGITS;
	if (!p->finite && !p->masked)
		return;
	p->stored = table_smallest(t);
	if (p->stored <= F32)
		count_digits(p);
	measure_noise(p);
}

enum dtype profile_dtype(const struct profile *p)
{
	return dtype_integer(p->table->dtype) ? p->table->dtype : p->stored;
}
