/*
 * narrow.c: the interval of a number of a command in which it makes all values
 * of a table, which have been rounded.
 */
#include <math.h>

#include "identify/families.h"

/* Half a unit in the last digit, or place, of the value *x of the input. */
static double half_unit(const struct profile *p, double *x, bool narrow)
{
	double size;

	/* Shortest decimals of a dtype are as far from its values. */
	*x = narrow ? dtype_round(p->rounded_to, *x) : *x;
	size = fabs(*x) > 0 ? ldexp(1, ilogb(*x)) : 0;
	return narrow ? p->dtype_noise * size + 0x1p-25
	       : p->digits < MAX_DIGITS ? 0.5 * profile_last_digit(p, *x)
	       : p->noise * size + p->abs_noise;
}

/* Narrow it by row i: values were rounded after arithmetic. */
static void narrow_by_row(struct narrowing *z, size_t i)
{
	const struct candidate *c = z->candidate;
	const double position = fabs(axis_label(&z->made.row_axis, i));
	const double off = z->unit / 4 *
			   (c->absolute + c->per_position * position);

	table_rows(&z->made, F64, i, 1, NULL, z->row);
	table_rows(&z->moved, F64, i, 1, NULL, z->moved_row);
	for (size_t j = 0; j < z->profile->cols; j++) {
		double x = profile_row(z->profile, i)[j];
		const double half = half_unit(z->profile, &x, z->narrow);
		const double y = z->row[j], by = (z->moved_row[j] - y) / z->h;
		const double within = (half + off) / fabs(by);

		if (!(within < HUGE_VAL))
			continue;
		z->low = fmax(z->low, (x - y) / by - within);
		z->high = fmin(z->high, (x - y) / by + within);
	}
}

bool narrow_by_rows(struct narrowing *z)
{
	enum { VALUES = 1 << 17 };
	const struct profile *p = z->profile;
	const size_t step = p->n * p->cols / VALUES + 1;

	z->low = -HUGE_VAL;
	z->high = HUGE_VAL;
	for (size_t i = p->n - 1; i < p->n && z->low <= z->high; i -= step)
		if (!profile_zero_row(p, i))
			narrow_by_row(z, i);
	return z->low <= z->high && z->high < HUGE_VAL;
}
