/* middle.c: medians, for what a few odd numbers must not move. */
#include <math.h>
#include <stdlib.h>

#include "views/middle.h"

static int by_size(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The median of x [n], which it sorts. */
static double median(double *x, size_t n)
{
	qsort(x, n, sizeof *x, by_size);
	return (x[(n - 1) / 2] + x[n / 2]) / 2;
}

bool middle_of(struct middle *m, const double *x, size_t n,
	       struct error *err)
{
	double *sorted = malloc(n * sizeof *sorted);
	size_t count = 0;

	*m = (struct middle){ 0 };
	if (!sorted)
		return fail_room(err, n, sizeof *sorted);
	for (size_t i = 0; i < n; i++)
		if (isfinite(x[i]))
			sorted[count++] = x[i];
	if (count) {
		m->median = median(sorted, count);
		for (size_t i = 0; i < count; i++)
			sorted[i] = fabs(sorted[i] - m->median);
		m->spread = 1.4826 * median(sorted, count);
	}
	free(sorted);
	return true;
}
