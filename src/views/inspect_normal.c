/*
 * inspect_normal.c: singular values and the residual of a shift by the normal
 * equations, X^T X, several times as fast as by the system's LAPACK alone:
 * gram.c makes the products. They square the condition, so that this is for
 * tables whose columns are far from dependent; others are for LAPACK's
 * decompositions (inspect_spectrum.c).
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "views/gram.h"
#include "views/inspect_normal.h"

/*
 * The smallest eigenvalue beside the largest, and the smallest squared residual
 * beside 1: results are then exact to about 1e-12.
 */
#define CONDITION 1e-4
#define REMAINS 1e-2

/* Fewer columns are decomposed in no time. */
enum { COLS_LEAST = 128 };

/* Products of the columns of x; n of them. */
struct normal {
	const struct table *x;
	size_t by, n;
	bool shifts;      /* there are rows enough to fit the shift */
	bool no_memory;
	double *from;     /* [n, n] A^T A, A = x[:-by]; or of x */
	double *to;       /* [n, n] row k: A^T B of column k of B = x[by:] */
	double *work;     /* [n, n] */
	double *mean;     /* [n] of the columns of x */
};

static void *allocate(struct normal *a, size_t n, size_t size)
{
	void *made = calloc(n, size);

	a->no_memory |= !made;
	return made;
}

/*
 * The columns of rows 0 to m - 1 as rows of a table; then, if they shift, of
 * rows by to by + m - 1.
 */
static bool transpose(const struct normal *a, size_t m, struct table *t)
{
	struct error err = { 0 };
	double *v;

	t->planes = 1;
	t->rows = a->shifts ? 2 * a->n : a->n;
	t->cols = m;
	v = table_alloc(t, t->rows * m, sizeof *v, &err);
	for (size_t i = 0; v && i < m; i++) {
		const double *row = a->x->row(a->x, i, NULL);
		const double *next = row + a->by * a->n;

		for (size_t j = 0; j < a->n; j++)
			v[j * m + i] = row[j];
		for (size_t j = 0; a->shifts && j < a->n; j++)
			v[(a->n + j) * m + i] = next[j];
	}
	table_dense(t, v);
	return v;
}

/* Set from, to and mean. */
static bool multiply(struct normal *a)
{
	const size_t all = a->x->rows, m = all - (a->shifts ? a->by : 0);
	const size_t n = a->n;
	struct table t = { 0 };
	struct error err = { 0 };
	struct gram g;
	double *rows = allocate(a, n * (a->shifts + 1U), n * sizeof *rows);
	const bool good = rows && transpose(a, m, &t) &&
			  gram_open(&g, GRAM_DOTS, &(struct gram_source){
				&t, 0, t.rows, 0, t.cols }, &t, &err);

	if (good)
		gram_rows(&g, &g, 0, n, rows);
	for (size_t i = 0; good && i < n; i++) {
		const double *row = rows + i * t.rows;

		memcpy(a->from + i * n, row, n * sizeof *row);
		for (size_t k = 0; a->shifts && k < n; k++)
			a->to[k * n + i] = row[n + k];
	}
	for (size_t i = 0; i < all * n; i++)
		a->mean[i % n] += a->x->row(a->x, i / n, NULL)[i % n] /
				  (double)all;
	table_close(&t);
	free(rows);
	a->no_memory |= !good;
	return good;
}

/* X^T X to g, minus that of the means of columns if centered. */
static void all_products(const struct normal *a, bool centered, double *g)
{
	const struct table *x = a->x;
	const size_t n = a->n, rows = x->rows;

	memcpy(g, a->from, n * n * sizeof *g);
	for (size_t r = a->shifts ? rows - a->by : rows; r < rows; r++) {
		const double *row = x->row(x, r, NULL);

		for (size_t i = 0; i < n; i++)
			for (size_t j = 0; j < n; j++)
				g[i * n + j] += row[i] * row[j];
	}
	for (size_t i = 0; centered && i < n; i++)
		for (size_t j = 0; j < n; j++)
			g[i * n + j] -= (double)rows * a->mean[i] * a->mean[j];
}

/* The singular values, largest first; false: too far apart for this. */
static bool values_of(const struct lapack *l, struct normal *a, bool centered,
		      double *values)
{
	const int32_t n = (int32_t)a->n, size = 64 * n;
	double *work = allocate(a, (size_t)size, sizeof *work);
	double *squares = allocate(a, a->n, sizeof *squares);
	int32_t info = 1;
	bool good;

	all_products(a, centered, a->work);
	if (work && squares)
		l->dsyev("N", "L", &n, a->work, &n, squares, work, &size, &info,
			 1, 1);
	good = info == 0 && squares[0] > CONDITION * squares[n - 1];
	for (size_t i = 0; good && i < a->n; i++)
		values[i] = sqrt(squares[a->n - 1 - i]);
	free(work);
	free(squares);
	return good;
}

/* The largest sum of magnitudes of a row: the 1-norm of a symmetric matrix. */
static double norm_of(const double *g, size_t n)
{
	double most = 0;

	for (size_t i = 0; i < n; i++) {
		double sum = 0;

		for (size_t j = 0; j < n; j++)
			sum += fabs(g[i * n + j]);
		most = fmax(most, sum);
	}
	return most;
}

/* M = (A^T A)^-1 A^T B to work; false: the columns of A are too dependent. */
static bool solve(const struct lapack *l, struct normal *a)
{
	const int32_t n = (int32_t)a->n;
	const double norm = norm_of(a->from, a->n);
	double *work = allocate(a, a->n, 3 * sizeof *work), condition = 0;
	int32_t *integers = allocate(a, a->n, sizeof *integers), info = 1;

	memcpy(a->work, a->to, a->n * a->n * sizeof *a->work);
	if (work && integers)
		l->dposv("L", &n, &n, a->from, &n, a->work, &n, &info, 1);
	if (info == 0)
		l->dpocon("L", &n, a->from, &n, &norm, &condition, work,
			  integers, &info, 1);
	free(work);
	free(integers);
	return info == 0 && condition > CONDITION / (double)a->n;
}

/* ||B - A M|| / ||B||, as ||B||^2 - tr((A^T B)^T M) is ||B - A M||^2. */
static bool residual_of(const struct lapack *l, struct normal *a,
			double *residual)
{
	const struct table *x = a->x;
	double total = 0, explained = 0;

	if (!solve(l, a))
		return false;
	for (size_t i = a->by; i < x->rows; i++)
		for (size_t j = 0; j < a->n; j++)
			total += x->row(x, i, NULL)[j] * x->row(x, i, NULL)[j];
	for (size_t i = 0; i < a->n * a->n; i++)
		explained += a->to[i] * a->work[i];
	*residual = sqrt(fmax(1 - explained / total, 0));
	return 1 - explained / total > REMAINS;
}

enum normal_result normal_decompose(const struct lapack *l,
				    const struct table *x, size_t by,
				    double *values, double *centered,
				    double *residual)
{
	const size_t n = x->cols;
	struct normal a = { .x = x, .by = by, .n = n,
			    .shifts = x->rows > by + n };
	bool good = n >= COLS_LEAST && x->rows > n;

	if (!good)
		return NORMAL_UNSUITED;
	a.from = allocate(&a, n * n, sizeof *a.from);
	a.to = allocate(&a, n * n, sizeof *a.to);
	a.work = allocate(&a, n * n, sizeof *a.work);
	a.mean = allocate(&a, n, sizeof *a.mean);
	good = a.from && a.to && a.work && a.mean && multiply(&a) &&
	       values_of(l, &a, false, values) &&
	       values_of(l, &a, true, centered) &&
	       (!a.shifts || residual_of(l, &a, residual));
	free(a.from);
	free(a.to);
	free(a.work);
	free(a.mean);
	return a.no_memory ? NORMAL_NO_MEMORY : good ? NORMAL_DONE
						     : NORMAL_UNSUITED;
}
