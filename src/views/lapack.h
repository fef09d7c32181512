/*
 * lapack.h: the LAPACK that the system has, in a process of its own. Where
 * memory is wanting, the libraries below it end the process they are in:
 * libgfortran by an exit or by calling itself till the stack is full, OpenBLAS
 * by SIGINT; and libgfortran keeps some of what it took to its end.
 */
#ifndef LAPACK_H
#define LAPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Its routines, as Fortran calls them: column-major, all by address. */
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
};

/* LAPACK_NO_ROOM: it was not tried, as memory would not have been enough. */
enum lapack_result {
	LAPACK_DONE, LAPACK_ABSENT, LAPACK_NO_ROOM, LAPACK_FAILED
};

/* Computes result, of what self says; false where that failed. */
typedef bool lapack_work(const struct lapack *l, const void *self,
			 double *result);

/* Have work done that takes so many bytes, whose result is n numbers. */
enum lapack_result lapack_run(lapack_work *work, const void *self,
			      size_t bytes, double *result, size_t n);

#endif
