/* profile.c: statistics, dtype and rounding of a table. */
#include <math.h>
#include <stdio.h>

#include "identify/profile.h"
#include "identify/rounding.h"
#include "text/decimal.h"

enum { SAMPLE = 256, MANY = 1 << 15 };
enum { MAX_TEXT_DIGITS = 9, MAX_FLOAT_DIGITS = 7 };

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

bool profile_zero_row(const struct profile *p, size_t i)
{
	const double *x;
	size_t j = 0;

	if (p->least_peak > p->assumed)
		return false;
	x = profile_row(p, i);
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

double profile_last_digit(const struct profile *p, double x)
{
	const double size = floor(log10(fabs(x)) + 1e-7) + 1;
	const double last = p->decimals < MAX_DIGITS ? -p->decimals : -HUGE_VAL;

	return pow(10, fmax(size - p->digits, last));
}

struct moments *profile_columns(const struct profile *p, struct table *owner,
			       struct error *err)
{
	const size_t n = p->n < SAMPLE ? p->n : SAMPLE;
	struct moments *all = table_alloc(owner, p->cols, sizeof *all, err);

	for (size_t k = 0; all && k < n; k++) {
		const double *x = profile_row(p, k * p->n / n);

		for (size_t j = 0; j < p->cols; j++) {
			const double off = x[j] - all[j].mean;

			all[j].mean += off / (double)(k + 1);
			all[j].variance +=
				off * (x[j] - all[j].mean) / (double)n;
		}
	}
	return all;
}

size_t sample_index(size_t k, size_t n)
{
	return k * 2654435761u % n;  /* a prime near 2^32 / golden ratio */
}

/*
 * Whether values are shortest decimals of values of d: all, or many, spread
 * over all columns.
 */
static bool all_decimals_of(const struct profile *p, enum dtype d)
{
	const size_t all = p->n * p->cols;

	for (size_t k = 0; k < all && k < MANY; k++) {
		const size_t i = all > MANY ? sample_index(k, all) : k;
		const double x = profile_value(p, i / p->cols, i % p->cols);

		if (!dtype_holds(d, x) ||
		    !reads_back(x, shortest_decimal(dtype_round(d, x), d)))
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
 * the float x; MAX_DIGITS if there are more than text usually has. Infinities
 * have none.
 */
static int digits_of(double x, bool exponent, bool is_float)
{
	const int most =
		is_float && exponent ? MAX_FLOAT_DIGITS : MAX_TEXT_DIGITS;

	if (!isfinite(x))
		return 0;
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
		const size_t i = all > SAMPLE ? sample_index(k, all) : k;
		const double x = profile_value(p, i / p->cols, i % p->cols);
		const int digits = digits_of(x, true, is_float) + 1;
		const int decimals = digits_of(x, false, is_float);

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
	p->additive_mask = min == 0 && p->max == 0;
	p->masked = !p->additive_mask && isfinite(min) && isfinite(p->max);
	if (p->masked)
		p->min = min;
}

struct pass {
	struct profile *p;
	bool exact[DTYPES];     /* for a floating-point dtype */
	size_t n;               /* values so far, their */
	double sum, mean;
	double squares;         /* sum of squares about the mean */
};

/* Merge the statistics of more values: Chan, Golub and LeVeque 1979. */
static void merge(struct pass *a, double sum, double squares, size_t n)
{
	const double by = (double)n, all = (double)(a->n + n);
	const double off = sum / by - a->mean;

	a->squares += squares + off * off * ((double)a->n * by / all);
	a->mean += off * (by / all);
	a->sum += sum;
	a->n += n;
}

/*
 * Measure n values, the next of the table; returns the largest absolute value,
 * or less if not all are finite.
 */
static double measure(struct pass *a, const double *x, size_t n)
{
	struct profile *p = a->p;
	double sum = 0, squares = 0, lo = HUGE_VAL, hi = -HUGE_VAL;

	for (size_t j = 0; j < n; j++) {
		sum += x[j];
		lo = x[j] < lo ? x[j] : lo;
		hi = x[j] > hi ? x[j] : hi;
	}
	for (size_t j = 0; j < n; j++)
		squares += (x[j] - sum / (double)n) * (x[j] - sum / (double)n);
	p->min = lo < p->min ? lo : p->min;
	p->max = hi > p->max ? hi : p->max;
	for (size_t j = 0; !isfinite(sum) && p->finite && j < n; j++)
		p->finite = isfinite(x[j]);
	for (size_t j = 0; p->integers && j < n; j++)
		p->integers = rint(x[j]) == x[j];
	merge(a, sum, squares, n);
	for (int d = F32; d <= BF16; d++)
		a->exact[d] = a->exact[d] && dtype_exact((enum dtype)d, x, n);
	return hi > -lo ? hi : -lo;
}

/* Measure values of a dense table, whose rows may be short, in pieces. */
static void measure_dense(struct pass *a, const double *x, size_t n)
{
	enum { PIECE = 1 << 11 };

	for (size_t k; n; n -= k, x += k) {
		k = n < PIECE ? n : PIECE;
		measure(a, x, k);
	}
}

static void measure_rows(struct pass *a, double *column)
{
	struct profile *p = a->p;

	p->least_peak = HUGE_VAL;
	for (size_t i = 0; i < p->n; i++) {
		const double *x = profile_row(p, i);
		const double most = measure(a, x, p->cols);

		if (column)
			column[i] = x[0];
		p->least_peak = most < p->least_peak ? most : p->least_peak;
	}
	p->column = column;
}

/* Measure all values; keep column 0 in column [n], if not NULL. */
static void measure_values(struct profile *p, double *column)
{
	struct pass a = { .p = p, .exact = { [F32] = true, [F16] = true,
					     [BF16] = true } };

	p->finite = p->integers = true;
	p->min = HUGE_VAL;
	p->max = -HUGE_VAL;
	if (table_is_dense(p->table))
		measure_dense(&a, profile_row(p, 0), p->n * p->cols);
	else
		measure_rows(&a, column);
	p->mean = a.sum / (double)a.n;
	if (!p->finite)
		measure_masked(p);
	/* Squares of very large values are infinite. */
	p->deviation = p->finite && isfinite(a.squares)
			       ? sqrt(a.squares / (double)a.n) : 0;
	if (p->finite || p->masked)
		p->stored = a.exact[BF16]  ? BF16
			    : a.exact[F16] ? F16
			    : a.exact[F32] ? F32
					   : F64;
}

const char *profile_lengths(const struct profile *p, char text[64])
{
	if (p->n == p->cols)
		snprintf(text, 64, "len=%zu", p->cols);
	else
		snprintf(text, 64, "query-len=%zu key-len=%zu", p->n, p->cols);
	return text;
}

const char *profile_constant(const struct profile *p, char text[64])
{
	text[number_text(text, p->min, p->table->dtype, 0)] = '\0';
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

static void profile(struct profile *p, const struct table *t, double *column)
{
	*p = (struct profile){
		.table = t, .n = t->planes * t->rows, .cols = t->cols,
	};
	measure_values(p, column);
	p->digits = p->decimals = MAX_DIGITS;
	if (!p->finite && !p->masked)
		return;
	if (p->stored <= F32)
		count_digits(p);
	measure_noise(p);
}

void profile_table(struct profile *p, const struct table *t)
{
	profile(p, t, NULL);
}

bool profile_with_column(struct profile *p, const struct table *t,
			 struct table *owner, struct error *err)
{
	enum { ROWS_MOST = 1 << 20 };
	const size_t n = t->planes * t->rows;
	double *column = NULL;

	if (t->part && n <= ROWS_MOST) {
		column = table_alloc(owner, n, sizeof *column, err);
		if (!column)
			return false;
	}
	profile(p, t, column);
	return true;
}

enum dtype profile_dtype(const struct profile *p)
{
	return dtype_integer(p->table->dtype) ? p->table->dtype : p->stored;
}
