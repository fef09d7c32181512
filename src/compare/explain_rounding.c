/* explain_rounding.c: values truncated to a dtype, or rounded to decimals. */
#include "compare/explain.h"

enum {
	MOST_DECIMALS = 8,
	LEAST_DIFFERING = 8,
	LEAST_UNITS = 64,   /* units in the last place in one of a decimal */
};

/* Whether b is a cut off after the digits of d. */
static bool is_truncated(enum dtype d, double a, double b)
{
	const double r = dtype_round(d, a);

	if (!(fabs(r) > fabs(a)))
		return !(value_difference(r, b) > 0);
	return fabs(b) < fabs(a) && dtype_ulps(d, r, b) <= 1 &&
	       fabs(dtype_round(d, b) - b) <= 0;
}

static bool all_truncated(const struct explainer *e, enum dtype d)
{
	if (!is_truncated(d, most_of_a(e), most_of_b(e)))
		return false;
	for (size_t i = 0; i < e->b->planes * e->b->rows; i++) {
		const double *a = row_of(e->a, i), *b = row_of(e->b, i);

		for (size_t j = 0; j < e->b->cols; j++)
			if (!is_truncated(d, a[j], b[j]))
				return false;
	}
	return true;
}

/* Few values that differ, or two of them, say little. */
static bool tells_rounding(const struct explainer *e)
{
	return e->c->differing >= LEAST_DIFFERING &&
	       fmin(e->bits_a, e->bits_b) > 1 && !explained_exactly(e);
}

void explain_truncated(struct explainer *e)
{
	for (enum dtype d = F32; tells_rounding(e) && d <= BF16; d++)
		if (all_truncated(e, d)) {
			try_residual(e, 0);
			explained(e, "B is A truncated to %s: digits are cut "
				  "off, not rounded", dtype_name(d));
		}
}

/* A rounding of x to y: what one unit is, and if digits are cut off. */
struct rounding {
	const struct table *x, *y;
	double unit, epsilon;
	bool cut;
	double last;       /* what the last value lost, and */
	size_t changes;    /* how often that was not as before */
};

/*
 * Whether b is a with as many decimals as its unit, a power of 10, has zeros:
 * rounded, or cut off. Arithmetic may be off by epsilon of the value.
 */
static bool is_decimal(double a, double b, struct rounding *r)
{
	const double x = a * r->unit, y = rint(b * r->unit);
	const double off = r->epsilon * fmax(fabs(x), 1);

	if (!isfinite(a) || !isfinite(b))
		return !(value_difference(a, b) > 0);
	r->changes += fabs(x - y) > off && fabs(x - y - r->last) > off;
	r->last = x - y;
	if (fabs(b * r->unit - y) > off)
		return false;
	return r->cut ? fabs(y) <= fabs(x) + off && fabs(x - y) < 1
		      : fabs(x - y) <= 0.5 + off;
}

/* A constant, such as 1/2, is lost by subtraction, not by rounding. */
static bool all_decimals(const struct explainer *e, struct rounding *r)
{
	const size_t i = e->c->row, j = e->c->col;

	if (!is_decimal(row_of(r->x, i)[j], row_of(r->y, i)[j], r))
		return false;
	for (size_t k = 0; k < r->x->planes * r->x->rows; k++) {
		const double *x = row_of(r->x, k), *y = row_of(r->y, k);

		for (size_t l = 0; l < r->x->cols; l++)
			if (!is_decimal(x[l], y[l], r))
				return false;
	}
	return r->changes >= LEAST_DIFFERING;
}

/* Try decimals in both directions, rounded and cut off. */
static void try_decimals(struct explainer *e, int decimals, double unit,
			 double epsilon)
{
	for (int way = 0; way < 4; way++) {
		const bool back = way % 2, cut = way / 2;
		struct rounding r = {
			.x = back ? e->b : e->a, .y = back ? e->a : e->b,
			.unit = unit, .epsilon = epsilon, .cut = cut,
		};

		if (!all_decimals(e, &r))
			continue;
		try_residual(e, 0);
		explained(e, "%s %s %d decimals", back ? "A is B" : "B is A",
			  cut ? "cut off after" : "rounded to", decimals);
	}
}

/* Digits that are as small as the dtype's last ones say nothing. */
void explain_decimals(struct explainer *e)
{
	const double epsilon = e->c->dtype == F64 ? 0x1p-51 : 0x1p-22;
	const double most = tells_rounding(e) ? largest_finite(e->b) : 0;
	double unit = 1;

	for (int n = 0; tells_rounding(e) && n <= MOST_DECIMALS &&
	     LEAST_UNITS * epsilon * most * unit < 1; n++, unit *= 10)
		try_decimals(e, n, unit, epsilon);
}
