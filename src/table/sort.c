/* sort.c: ascending order. */
#include <stdlib.h>

#include "table/sort.h"

static int ascending(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

void sort_doubles(double *x, size_t n)
{
	qsort(x, n, sizeof *x, ascending);
}

int integers_order(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}
