/* svd.c: singular values, by the LAPACK that the system has. */
#include <dlfcn.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "views/svd.h"

/* LAPACK's dgesdd, as Fortran calls it: column-major, all by address. */
typedef void dgesdd(const char *job, const int32_t *m, const int32_t *n,
		    double *a, const int32_t *lda, double *s, double *u,
		    const int32_t *ldu, double *vt, const int32_t *ldvt,
		    double *work, const int32_t *lwork, int32_t *iwork,
		    int32_t *info, size_t job_length);

/* And its dgelsd. */
typedef void dgelsd(const int32_t *m, const int32_t *n, const int32_t *sides,
		    double *a, const int32_t *lda, double *b,
		    const int32_t *ldb, double *s, const double *rcond,
		    int32_t *rank, double *work, const int32_t *lwork,
		    int32_t *iwork, int32_t *info);

/* The address of a routine, or NULL. */
static void *find(const char *routine)
{
	static const char *const names[] = {
		"liblapack.so.3", "libopenblas.so.0", "liblapack.so", NULL
	};
	void *symbol = NULL;

	for (size_t i = 0; !symbol && names[i]; i++) {
		void *library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);

		symbol = library ? dlsym(library, routine) : NULL;
	}
	return symbol;
}

/* A copy, [rows, cols], which LAPACK overwrites; NULL for want of memory. */
static double *copy(const struct table *x, bool centred)
{
	double *a = calloc(x->rows * x->cols, sizeof *a);

	for (size_t i = 0; a && i < x->rows; i++)
		memcpy(a + i * x->cols, x->row(x, i, NULL),
		       x->cols * sizeof *a);
	for (size_t j = 0; a && centred && j < x->cols; j++) {
		double sum = 0;

		for (size_t i = 0; i < x->rows; i++)
			sum += a[i * x->cols + j];
		for (size_t i = 0; i < x->rows; i++)
			a[i * x->cols + j] -= sum / (double)x->rows;
	}
	return a;
}

/* Row-major rows are columns of the transpose, whose values are the same. */
static bool decompose(dgesdd *f, const struct table *x, double *a,
		      double *values)
{
	const int32_t m = (int32_t)x->cols, n = (int32_t)x->rows, one = 1;
	const int32_t least = m < n ? m : n;
	int32_t *iwork = calloc((size_t)least, 8 * sizeof *iwork);
	int32_t room = -1, info = 1;
	double best = 0, none = 0, *work = NULL;

	if (iwork)
		f("N", &m, &n, a, &m, values, &none, &one, &none, &one, &best,
		  &room, iwork, &info, 1);
	if (!info)
		work = calloc((size_t)best, sizeof *work);
	room = (int32_t)best;
	if (work)
		f("N", &m, &n, a, &m, values, &none, &one, &none, &one, work,
		  &room, iwork, &info, 1);
	free(iwork);
	free(work);
	return work && info == 0;
}

enum svd_result svd_values(const struct table *x, bool centred,
			   double *values)
{
	void *symbol = find("dgesdd_");
	dgesdd *f;
	double *a;
	bool done;

	if (!symbol)
		return SVD_ABSENT;
	memcpy(&f, &symbol, sizeof f);  /* as POSIX has it */
	a = x->rows <= INT32_MAX && x->cols <= INT32_MAX ? copy(x, centred)
							 : NULL;
	done = a && decompose(f, x, a, values);
	free(a);
	return done ? SVD_DONE : SVD_FAILED;
}

bool svd_present(void)
{
	return find("dgesdd_") != NULL;
}

/* Rows first to first + m - 1, by columns. */
static void by_columns(const struct table *x, size_t first, size_t m,
		       double *a)
{
	for (size_t i = 0; i < m; i++) {
		const double *row = x->row(x, first + i, NULL);

		for (size_t j = 0; j < x->cols; j++)
			a[j * m + i] = row[j];
	}
}

/* The first [cols] of each column of b [cols, m] become M, where a M = b. */
static bool solve(dgelsd *f, double *a, double *b, size_t rows, size_t cols,
		  int32_t *rank)
{
	const int32_t m = (int32_t)rows, n = (int32_t)cols;
	const double rcond = 1e-10;
	double best = 0, *s = calloc(cols, sizeof *s), *work = NULL;
	int32_t room = -1, least = 0, info = 1, *iwork = NULL;

	if (s)
		f(&m, &n, &n, a, &m, b, &m, s, &rcond, rank, &best, &room,
		  &least, &info);
	if (!info) {
		work = calloc((size_t)best, sizeof *work);
		iwork = calloc((size_t)least, sizeof *iwork);
	}
	room = (int32_t)best;
	if (work && iwork)
		f(&m, &n, &n, a, &m, b, &m, s, &rcond, rank, work, &room,
		  iwork, &info);
	else
		info = 1;
	free(s);
	free(work);
	free(iwork);
	return info == 0;
}

/* |T[by:] - T[:-by] M| / |T[by:]|, M being b's first rows. */
static double left_over(const struct table *x, size_t by, size_t m,
			const double *b)
{
	double left = 0, all = 0;

	for (size_t i = 0; i < m; i++) {
		const double *from = x->row(x, i, NULL);
		const double *to = x->row(x, i + by, NULL);

		for (size_t j = 0; j < x->cols; j++) {
			double sum = 0;

			for (size_t k = 0; k < x->cols; k++)
				sum += from[k] * b[j * m + k];
			left += (to[j] - sum) * (to[j] - sum);
			all += to[j] * to[j];
		}
	}
	return all > 0 ? sqrt(left / all) : 0;
}

enum svd_result svd_shift(const struct table *x, size_t by, double *residual)
{
	void *symbol = find("dgelsd_");
	const size_t m = x->rows - by;
	double *a = calloc(m * x->cols, sizeof *a);
	double *b = calloc(m * x->cols, sizeof *b);
	int32_t rank = 0;
	bool done = false;
	dgelsd *f;

	memcpy(&f, &symbol, sizeof f);
	if (symbol && a && b) {
		by_columns(x, 0, m, a);
		by_columns(x, by, m, b);
		done = solve(f, a, b, m, x->cols, &rank);
	}
	if (done)
		*residual = left_over(x, by, m, b);
	free(a);
	free(b);
	return !symbol ? SVD_ABSENT : done ? SVD_DONE : SVD_FAILED;
}
