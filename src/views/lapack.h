/*
 * lapack.h: the system's LAPACK, loaded at run time in a child process.
 *
 * Not linked: linking would add 0.6 ms (reference LAPACK) or 2.9 ms (OpenBLAS,
 * which also starts its threads) to the 1.0 ms start of every command. In a
 * child: if memory runs out, these libraries end their process. libgfortran
 * exits or overflows the stack, OpenBLAS raises SIGINT.
 */
#ifndef LAPACK_H
#define LAPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "table/error.h"

/* Fortran routines: matrices are column-major, arguments are addresses. */
struct lapack {
	void (*dgesdd)(const char *job, const int32_t *m, const int32_t *n,
		       double *a, const int32_t *lda, double *s, double *u,
		       const int32_t *ldu, double *vt, const int32_t *ldvt,
		       double *work, const int32_t *lwork, int32_t *iwork,
		       int32_t *info, size_t job_length);
	void (*dgelsd)(const int32_t *m, const int32_t *n,
		       const int32_t *sides, double *a, const int32_t *lda,
		       double *b, const int32_t *ldb, double *s,
		       const double *rcond, int32_t *rank, double *work,
		       const int32_t *lwork, int32_t *iwork, int32_t *info);
	void (*dsyev)(const char *job, const char *half, const int32_t *n,
		      double *a, const int32_t *lda, double *values,
		      double *work, const int32_t *lwork, int32_t *info,
		      size_t job_length, size_t half_length);
	void (*dposv)(const char *half, const int32_t *n, const int32_t *sides,
		      double *a, const int32_t *lda, double *b,
		      const int32_t *ldb, int32_t *info, size_t half_length);
	void (*dpocon)(const char *half, const int32_t *n, const double *a,
		       const int32_t *lda, const double *norm,
		       double *reciprocal, double *work, int32_t *iwork,
		       int32_t *info, size_t half_length);
};

/* LAPACK_SKIPPED: not tried, as it can't be loaded or memory is short. */
enum lapack_result { LAPACK_DONE, LAPACK_SKIPPED, LAPACK_FAILED };

/* Computes result [n] from self; false if that failed. */
typedef bool lapack_work(const struct lapack *l, const void *self,
			 double *result);

/*
 * Run work, which needs this many bytes, in the child; copies its result [n].
 * Without work, only look for LAPACK. Of LAPACK_SKIPPED, why says the reason,
 * which goes after its name.
 */
enum lapack_result lapack_run(lapack_work *work, const void *self,
			      size_t bytes, double *result, size_t n,
			      struct error *why);

/* Singular values of a column-major [m, n], which is lost; largest first. */
bool lapack_singular_values(const struct lapack *l, double *a, size_t m,
			    size_t n, double *values);

/*
 * Least squares: the M [n, n] of least ||a M - b||, singular values of a below
 * 1e-10 times the largest taken as 0. a and b are column-major [m, n], m >= n,
 * and are lost: M is in the first n values of each column of b.
 */
bool lapack_least_squares(const struct lapack *l, double *a, double *b,
			  size_t m, size_t n);

#endif
