/* lattice.c: the step that the values of a table were rounded to. */
#include <math.h>

#include "identify/lattice.h"
#include "table/sort.h"

enum { SORTED = 4096, MOST_STEPS = 1 << 16 };

/* Half a step, and what arithmetic before the rounding may add. */
#define HALF 0.505

/* Up to SORTED values of the table, sorted; how many there are. */
static size_t sorted_values(const struct profile *p, double *x)
{
	const size_t all = p->n * p->cols, step = all / SORTED + 1;
	size_t n = 0;

	for (size_t i = 0; i < all; i += step)
		x[n++] = profile_value(p, i / p->cols, i % p->cols);
	sort_doubles(x, n);
	return n;
}

/*
 * The step of which all differences of sorted values are multiples, or 0; off
 * becomes how far these are off at most.
 */
static double common_step(const double *x, size_t n, double *off)
{
	const double range = x[n - 1] - x[0];
	double step = range;

	for (size_t i = 1; i < n; i++)
		if (x[i] - x[i - 1] > range / (2.0 * MOST_STEPS))
			step = fmin(step, x[i] - x[i - 1]);
	for (size_t i = 1; i < n; i++) {
		const double steps = rint((x[i] - x[0]) / step);
		const double far = fabs(x[i] - x[0] - steps * step);

		if (far > 0.05 * step)
			return 0;
		*off = fmax(*off, far);
		if (steps > 0)
			step = (x[i] - x[0]) / steps;
	}
	return step;
}

double lattice_step(struct search *s, const struct profile *p, double *off)
{
	double *x = search_alloc(s, SORTED, sizeof *x);

	*off = 0;
	return x ? common_step(x, sorted_values(p, x), off) : 0;
}

double lattice_most(double step)
{
	return HALF * step;
}

bool lattice_explains(double step, double off, double largest)
{
	return step > 0 && largest <= lattice_most(step) && off < largest / 4;
}

double lattice_noise(double step)
{
	return step / sqrt(12);
}
