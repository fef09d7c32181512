/* inspect_values.c: the values of a table: range, mean, deviation, dtype. */
#include <math.h>
#include <string.h>

#include "views/inspect.h"

/* Statistics of the finite values, and where the others are. */
struct value_statistics {
	size_t n, nan, infinite;
	size_t row, col;            /* of the first that is not finite */
	double min, max, sum, squares;
	double largest;             /* |x|, or NaN if every value is NaN */
};

/* A value of a row that has some that are not finite. */
static void count(struct value_statistics *m, double x, size_t row, size_t col)
{
	m->largest = fmax(m->largest, fabs(x));
	if (isfinite(x)) {
		m->n++;
		m->sum += x;
		m->min = fmin(m->min, x);
		m->max = fmax(m->max, x);
		return;
	}
	if (m->nan + m->infinite == 0) {
		m->row = row;
		m->col = col;
	}
	m->nan += isnan(x) != 0;
	m->infinite += isinf(x) != 0;
}

/* A row of finite values: no other times 0 is NaN. */
static bool all_finite(const double *x, size_t n)
{
	bool odd = false;

	for (size_t j = 0; j < n; j++)
		odd |= isnan(0 * x[j]);
	return !odd;
}

static void count_finite(struct value_statistics *m, const double *x, size_t n)
{
	double sum = m->sum, min = m->min, max = m->max;

	for (size_t j = 0; j < n; j++) {
		sum += x[j];
		min = x[j] < min ? x[j] : min;
		max = x[j] > max ? x[j] : max;
	}
	m->n += n;
	m->sum = sum;
	m->min = min;
	m->max = max;
	m->largest = fmax(m->largest, fmax(fabs(min), fabs(max)));
}

static void count_row(struct value_statistics *m, const double *x, size_t n,
		      size_t row)
{
	if (all_finite(x, n))
		count_finite(m, x, n);
	else
		for (size_t j = 0; j < n; j++)
			count(m, x[j], row, j);
}

static double squares_of(const double *x, size_t n, double mean, double sum)
{
	for (size_t j = 0; j < n; j++) {
		const double d = x[j] - mean;

		sum += isfinite(d) ? d * d : 0;
	}
	return sum;
}

static struct value_statistics measure_values(const struct table *x)
{
	struct value_statistics m = { .min = HUGE_VAL, .max = -HUGE_VAL,
			     .largest = (double)NAN };

	for (size_t i = 0; i < x->rows; i++)
		count_row(&m, x->row(x, i, NULL), x->cols, i);
	for (size_t i = 0; i < x->rows; i++)
		m.squares = squares_of(x->row(x, i, NULL), x->cols,
				       m.sum / (double)m.n, m.squares);
	return m;
}

static bool same(double a, double b)
{
	return (a <= b && a >= b) || (isnan(a) && isnan(b));
}

/* How many columns have one value; varies [cols] notes those that do not. */
static size_t constant_columns(const struct table *x, double *first,
			       bool *varies)
{
	size_t n = x->cols;

	memcpy(first, x->row(x, 0, NULL), x->cols * sizeof *first);
	for (size_t i = 1; n && i < x->rows; i++) {
		const double *row = x->row(x, i, NULL);

		for (size_t j = 0; j < x->cols; j++)
			if (!varies[j] && !same(row[j], first[j])) {
				varies[j] = true;
				n--;
			}
	}
	return n;
}

static void add_finite(struct report *r, const struct value_statistics *m)
{
	const bool finite = m->nan + m->infinite == 0;

	report_flag(r, "finite", finite);
	if (!finite)
		report_text(r, "not_finite", "%zu nan, %zu infinite; first at "
			    "row %zu, column %zu", m->nan, m->infinite,
			    m->row, m->col);
}

bool inspect_values(struct inspection *s, struct error *err)
{
	const struct table *x = s->x;
	struct table room = { 0 };
	double *first = table_alloc(&room, x->cols, sizeof *first, err);
	bool *varies = table_alloc(&room, x->cols, sizeof *varies, err);
	const struct value_statistics m = measure_values(x);
	const double shape[] = { (double)x->rows, (double)x->cols };
	struct report *r = s->r;

	s->not_finite = m.nan + m.infinite;
	s->largest = m.largest;
	report_group(r, "values");
	report_numbers(r, "shape", shape, 2);
	report_text(r, "dtype", "%s", dtype_name(x->dtype));
	add_finite(r, &m);
	if (m.n && first && varies) {
		report_number(r, "min", m.min, NULL);
		report_number(r, "max", m.max, NULL);
		report_number(r, "mean", m.sum / (double)m.n, NULL);
		report_number(r, "std", sqrt(m.squares / (double)m.n),
			      "(standard deviation)");
		report_text(r, "smallest_dtype", "%s",
			    dtype_name(table_smallest(x)));
		report_number(r, "constant_columns", (double)constant_columns(
				      x, first, varies), NULL);
	}
	table_close(&room);
	return first && varies;
}
