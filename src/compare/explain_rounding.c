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

	if (!(value_difference(a, b) > 0) || fabs(r) <= fabs(a))
		return !(value_difference(r, b) > 0);
	return fabs(b) < fabs(a) && dtype_ulps(d, r, b) <= 1 &&
	       fabs(dtype_round(d, b) - b) <= 0;
}

static bool all_truncated(const struct explainer *e, enum dtype d)
{
	const size_t n = table_size(e->b);

	for (size_t i = 0; i < n; i++)
		if (!is_truncated(d, value_of(e->a, i), value_of(e->b, i)))
			return false;
	return true;
}

/* Few values that differ, or two of them, say little. */
static bool tells_rounding(const struct explainer *e)
{
	const size_t n = e->c->shaped ? table_size(e->c->b) : 0;
	size_t differing = 0;

	for (size_t i = 0; i < n && differing < LEAST_DIFFERING; i++)
		differing += value_difference(value_of(e->a, i),
					      value_of(e->b, i)) > 0;
	return differing == LEAST_DIFFERING &&
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

/*
 * Whether b is a with as many decimals as unit, a power of 10, has zeros:
 * rounded, or cut off. Arithmetic may be off by epsilon of the value.
 */
static bool is_decimal(double a, double b, double unit, double epsilon,
		       bool cut)
{
	const double x = a * unit, y = rint(b * unit);
	const double off = epsilon * fmax(fabs(x), 1);

	if (!isfinite(a) || !isfinite(b))
		return !(value_difference(a, b) > 0);
	if (fabs(b * unit - y) > off)
		return false;
	return cut ? fabs(y) <= fabs(x) + off && fabs(x - y) < 1
		   : fabs(x - y) <= 0.5 + off;
}

/* A rounding of x to y: what one unit is, and if digits are cut off. */
struct rounding {
	const struct table *x, *y;
	double unit, epsilon;
	bool cut;
};

static bool all_decimals(const struct explainer *e, const struct rounding *r)
{
	const size_t n = table_size(e->c->b);

	for (size_t i = 0; i < n; i++)
		if (!is_decimal(value_of(r->x, i), value_of(r->y, i), r->unit,
				r->epsilon, r->cut))
			return false;
	return true;
}

/* Try decimals in both directions, rounded and cut off. */
static void try_decimals(struct explainer *e, int decimals, double unit,
			 double epsilon)
{
	for (int way = 0; way < 4; way++) {
		const bool back = way % 2, cut = way / 2;
		const struct rounding r = {
			back ? e->b : e->a, back ? e->a : e->b, unit, epsilon,
			cut,
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
	const double most = largest_finite(e->b);
	double unit = 1;

	for (int n = 0; tells_rounding(e) && n <= MOST_DECIMALS &&
	     LEAST_UNITS * epsilon * most * unit < 1; n++, unit *= 10)
		try_decimals(e, n, unit, epsilon);
}
