/* svd.c: singular values, by the LAPACK that the system has. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "views/svd.h"

/* The room that a routine asks for; it makes do with less. */
static int32_t room_for(double best)
{
	return (int32_t)fmin(best, INT32_MAX);
}

/* The numbers of x to a [rows, cols]; less the mean of each column. */
static void load(const struct table *x, bool centred, double *a)
{
	for (size_t i = 0; i < x->rows; i++)
		memcpy(a + i * x->cols, x->row(x, i, NULL),
		       x->cols * sizeof *a);
	for (size_t j = 0; centred && j < x->cols; j++) {
		double sum = 0;

		for (size_t i = 0; i < x->rows; i++)
			sum += a[i * x->cols + j];
		for (size_t i = 0; i < x->rows; i++)
			a[i * x->cols + j] -= sum / (double)x->rows;
	}
}

/* Row-major rows are columns of the transpose, whose values are the same. */
static bool decompose(const struct lapack *l, const struct table *x,
		      bool centred, double *values)
{
	const int32_t m = (int32_t)x->cols, n = (int32_t)x->rows, one = 1;
	const int32_t least = m < n ? m : n;
	double *a = calloc(x->rows * x->cols, sizeof *a), none = 0, best = 0;
	int32_t *iwork = calloc((size_t)least, 8 * sizeof *iwork);
	int32_t room = -1, info;
	double *work;

	l->dgesdd("N", &m, &n, a, &m, values, &none, &one, &none, &one, &best,
		  &room, iwork, &info, 1);
	room = room_for(best);
	work = calloc((size_t)room, sizeof *work);
	info = 1;
	if (a && iwork && work) {
		load(x, centred, a);
		l->dgesdd("N", &m, &n, a, &m, values, &none, &one, &none, &one,
			  work, &room, iwork, &info, 1);
	}
	free(a);
	free(iwork);
	free(work);
	return info == 0;
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
static bool solve(const struct lapack *l, double *a, double *b, size_t rows,
		  size_t cols)
{
	const int32_t m = (int32_t)rows, n = (int32_t)cols;
	const double rcond = 1e-10;
	double best = 0, *s = calloc(cols, sizeof *s), *work;
	int32_t room = -1, least = 0, rank, info, *iwork;

	l->dgelsd(&m, &n, &n, a, &m, b, &m, s, &rcond, &rank, &best, &room,
		  &least, &info);
	room = room_for(best);
	work = calloc((size_t)room, sizeof *work);
	iwork = calloc((size_t)least, sizeof *iwork);
	info = 1;
	if (s && work && iwork)
		l->dgelsd(&m, &n, &n, a, &m, b, &m, s, &rcond, &rank, work,
			  &room, iwork, &info);
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

static bool shift(const struct lapack *l, const struct table *x, size_t by,
		  double *residual)
{
	const size_t m = x->rows - by;
	double *a = calloc(m * x->cols, sizeof *a);
	double *b = calloc(m * x->cols, sizeof *b);
	bool good = a && b;

	if (good) {
		by_columns(x, 0, m, a);
		by_columns(x, by, m, b);
		good = solve(l, a, b, m, x->cols);
	}
	if (good)
		*residual = left_over(x, by, m, b);
	free(a);
	free(b);
	return good;
}

/* What is asked of a table; all of it goes to one array. */
struct question {
	const struct table *x;
	size_t by, n;
};

static bool answer(const struct lapack *l, const void *self, double *result)
{
	const struct question *q = self;
	const struct table *x = q->x;
	double *const residual = result + 2 * q->n;

	*residual = (double)NAN;
	return decompose(l, x, false, result) &&
	       decompose(l, x, true, result + q->n) &&
	       (x->rows <= q->by + x->cols ||
		shift(l, x, q->by, residual));
}

bool svd_open(struct svd *s, const struct table *x, size_t by,
	      struct table *owner, struct error *err)
{
	const size_t n = x->rows < x->cols ? x->rows : x->cols;
	const struct question q = { x, by, n };
	static const char *const left_out[] = {
		[LAPACK_DONE] = NULL,
		[LAPACK_ABSENT] = "needs LAPACK (Debian: " SVD_PACKAGE ")",
		[LAPACK_NO_ROOM] = "LAPACK has no memory",
		[LAPACK_FAILED] = NULL,  /* no more is said at all */
	};
	double *all = table_alloc(owner, 2 * n + 1, sizeof *all, err);
	enum lapack_result done;

	if (!all)
		return false;
	done = lapack_run(answer, &q, 4 * x->rows * x->cols * sizeof *all, all,
			  2 * n + 1);
	*s = (struct svd){
		.left_out = left_out[done], .n = n, .values = all,
		.centred = all + n, .residual = all[2 * n],
	};
	if (done == LAPACK_FAILED)
		return fail(err, "LAPACK failed, perhaps for want of memory");
	return true;
}

static bool nothing(const struct lapack *l, const void *self, double *result)
{
	(void)l;
	(void)self;
	(void)result;
	return true;
}

enum lapack_result svd_try(void)
{
	double none;

	return lapack_run(nothing, NULL, 0, &none, 0);
}
