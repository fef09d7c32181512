/* lapack_routines.c: routines of LAPACK with the memory that they work in. */
#include <math.h>
#include <stdlib.h>

#include "views/lapack.h"

/* The size of a work array, from the optimum that a routine reports. */
static int32_t work_size(double best)
{
	return (int32_t)fmin(best, INT32_MAX);
}

bool lapack_singular_values(const struct lapack *l, double *a, size_t m,
			    size_t n, double *values)
{
	const int32_t rows = (int32_t)m, cols = (int32_t)n, one = 1;
	const size_t rank = m < n ? m : n;
	int32_t *iwork = calloc(rank, 8 * sizeof *iwork);
	int32_t size = -1, info;
	double none = 0, best = 0, *work;

	l->dgesdd("N", &rows, &cols, a, &rows, values, &none, &one, &none,
		  &one, &best, &size, iwork, &info, 1);
	size = work_size(best);
	work = calloc((size_t)size, sizeof *work);
	info = 1;
	if (iwork && work)
		l->dgesdd("N", &rows, &cols, a, &rows, values, &none, &one,
			  &none, &one, work, &size, iwork, &info, 1);
	free(iwork);
	free(work);
	return info == 0;
}

bool lapack_least_squares(const struct lapack *l, double *a, double *b,
			  size_t m, size_t n)
{
	const int32_t rows = (int32_t)m, cols = (int32_t)n;
	const double rcond = 1e-10;
	double best = 0, *s = calloc(n, sizeof *s), *work;
	int32_t size = -1, isize = 0, rank, info, *iwork;

	l->dgelsd(&rows, &cols, &cols, a, &rows, b, &rows, s, &rcond, &rank,
		  &best, &size, &isize, &info);
	size = work_size(best);
	work = calloc((size_t)size, sizeof *work);
	iwork = calloc((size_t)isize, sizeof *iwork);
	info = 1;
	if (s && work && iwork)
		l->dgelsd(&rows, &cols, &cols, a, &rows, b, &rows, s, &rcond,
			  &rank, work, &size, iwork, &info);
	free(s);
	free(work);
	free(iwork);
	return info == 0;
}
