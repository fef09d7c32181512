/* inspect_numbers.c: shape, dtype and the numbers of a table. */
#include <math.h>

#include "views/inspect.h"

/* The numbers that are finite, and the places of those that are not. */
struct numbers {
	size_t n, nan, infinite;
	size_t row, col;            /* of the first that is not finite */
	double least, greatest, sum, squares;
	double largest;             /* |x| of all but NaN; NaN without any */
};

static void count(struct numbers *m, double x, size_t row, size_t col)
{
	m->largest = fmax(m->largest, fabs(x));
	if (isfinite(x)) {
		m->n++;
		m->sum += x;
		m->least = fmin(m->least, x);
		m->greatest = fmax(m->greatest, x);
		return;
	}
	if (m->nan + m->infinite == 0) {
		m->row = row;
		m->col = col;
	}
	m->nan += isnan(x) != 0;
	m->infinite += isinf(x) != 0;
}

static struct numbers count_all(const struct table *x)
{
	struct numbers m = { .least = HUGE_VAL, .greatest = -HUGE_VAL,
			     .largest = (double)NAN };

	for (size_t i = 0; i < x->rows; i++)
		for (size_t j = 0; j < x->cols; j++)
			count(&m, x->row(x, i, NULL)[j], i, j);
	for (size_t i = 0; i < x->rows; i++)
		for (size_t j = 0; j < x->cols; j++) {
			const double d = x->row(x, i, NULL)[j] -
					 m.sum / (double)m.n;

			m.squares += isfinite(d) ? d * d : 0;
		}
	return m;
}

static bool same(double a, double b)
{
	return (a <= b && a >= b) || isnan(a);
}

/* The shortest dtype that holds every number as it is. */
static enum dtype shortest(const struct table *x)
{
	static const enum dtype floats[] = { BF16, F16, F32 };

	for (size_t k = 0; k < 3; k++) {
		bool holds = true;

		for (size_t i = 0; holds && i < x->rows; i++)
			for (size_t j = 0; holds && j < x->cols; j++) {
				const double y = x->row(x, i, NULL)[j];

				holds = same(y, dtype_round(floats[k], y));
			}
		if (holds)
			return floats[k];
	}
	return F64;
}

static size_t constant_columns(const struct table *x)
{
	size_t n = 0;

	for (size_t j = 0; j < x->cols; j++) {
		size_t i = 1;

		while (i < x->rows && same(x->row(x, i, NULL)[j],
					   x->row(x, 0, NULL)[j]))
			i++;
		n += i >= x->rows;
	}
	return n;
}

static void tell_finite(struct report *r, const struct numbers *m)
{
	const bool finite = m->nan + m->infinite == 0;

	report_flag(r, "finite", finite);
	if (!finite)
		report_text(r, "not_finite", "%zu nan, %zu infinite, the first "
			    "at row %zu, column %zu", m->nan, m->infinite,
			    m->row, m->col);
}

void inspect_numbers(struct inspection *s)
{
	const struct table *x = s->x;
	const struct numbers m = count_all(x);
	const double shape[] = { (double)x->rows, (double)x->cols };
	struct report *r = s->r;

	s->not_finite = m.nan + m.infinite;
	s->largest = m.largest;
	report_group(r, "numbers");
	report_numbers(r, "shape", shape, 2);
	report_text(r, "dtype", "%s", dtype_name(x->dtype));
	tell_finite(r, &m);
	if (m.n == 0)
		return;
	report_number(r, "min", m.least, NULL);
	report_number(r, "max", m.greatest, NULL);
	report_number(r, "mean", m.sum / (double)m.n, NULL);
	report_number(r, "std", sqrt(m.squares / (double)m.n), NULL);
	report_text(r, "shortest_dtype", "%s", dtype_name(shortest(x)));
	report_number(r, "constant_columns", (double)constant_columns(x),
		      NULL);
}
