/* svd.c: singular values, by the LAPACK that the system has. */
#include <dlfcn.h>
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

static dgesdd *find(void **library)
{
	static const char *const names[] = {
		"liblapack.so.3", "libopenblas.so.0", "liblapack.so", NULL
	};
	dgesdd *f = NULL;

	for (size_t i = 0; !f && names[i]; i++) {
		void *symbol;

		*library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
		symbol = *library ? dlsym(*library, "dgesdd_") : NULL;
		memcpy(&f, &symbol, sizeof f);  /* as POSIX has it */
	}
	return f;
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
	void *library = NULL;
	dgesdd *f = find(&library);
	double *a;
	bool done;

	if (!f)
		return SVD_ABSENT;
	a = x->rows <= INT32_MAX && x->cols <= INT32_MAX ? copy(x, centred)
							 : NULL;
	done = a && decompose(f, x, a, values);
	free(a);
	return done ? SVD_DONE : SVD_FAILED;
}

bool svd_present(void)
{
	void *library = NULL;

	return find(&library) != NULL;
}
