/*
 * inspect_tall.c: singular values and the residual of a shift. A table with
 * more rows than columns is made triangular first, in faster loops than those
 * of the system's LAPACK (qr.c), which then works on a square of the columns.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "views/inspect_tall.h"
#include "views/qr.h"

/*
 * A = x[:-by] and B = x[by:], or A = x where rows are too few to fit a shift;
 * R = Q^T A.
 */
struct tall {
	const struct lapack *l;
	const struct table *x;
	size_t rows, n;       /* of A */
	bool shifts;          /* there is B */
	struct matrix all;    /* the columns of R, of Q^T B, and of Q^T 1 */
	double *mean;         /* [n] of the columns of x */
	double *y;            /* [n] for the inverse iterations */
	double *square[2];    /* [n, n] for least squares, touched if needed */
	double total;         /* ||B||^2 */
};

static double *column(const struct tall *a, size_t k)
{
	return a->all.v + k * a->all.height;
}

/* Set the columns of A, B and 1, before they are reduced. */
static void load_columns(struct tall *a)
{
	const size_t n = a->n, by = a->x->rows - a->rows;
	const size_t ones = a->shifts ? 2 * n : n;

	for (size_t i = 0; i < a->rows; i++) {
		const double *x = a->x->row(a->x, i, NULL);
		const double *y = a->x->row(a->x, i + by, NULL);

		for (size_t j = 0; j < n; j++)
			column(a, j)[i] = x[j];
		for (size_t j = 0; a->shifts && j < n; j++) {
			column(a, n + j)[i] = y[j];
			a->total += y[j] * y[j];
		}
		column(a, ones)[i] = 1;
	}
}

static void measure_means(struct tall *a)
{
	for (size_t i = 0; i < a->x->rows; i++) {
		const double *x = a->x->row(a->x, i, NULL);

		for (size_t j = 0; j < a->n; j++)
			a->mean[j] += x[j];
	}
	for (size_t j = 0; j < a->n; j++)
		a->mean[j] /= (double)a->x->rows;
}

/*
 * The singular values of x, or of x minus the means: of R and the rows of x
 * that are not in A, or of those minus Q^T 1 and 1 times the means. What Q^T 1
 * has below R is one row, as only its length matters.
 */
static bool values_of(const struct tall *a, bool centered, double *values)
{
	const size_t n = a->n, rest = a->x->rows - a->rows;
	const size_t rows = n + 1 + rest;
	const double *one = column(a, a->all.n - 1);
	double *room = calloc(rows * n, sizeof *room), below = 0;
	bool good;

	for (size_t i = n; i < a->rows; i++)
		below += one[i] * one[i];
	for (size_t j = 0; room && j < n; j++) {
		const double mean = centered ? a->mean[j] : 0;
		double *to = room + j * rows;

		for (size_t i = 0; i < n; i++)
			to[i] = column(a, j)[i] - one[i] * mean;
		to[n] = -sqrt(below) * mean;
		for (size_t i = 0; i < rest; i++)
			to[n + 1 + i] = a->x->row(a->x, a->rows + i, NULL)[j] -
					mean;
	}
	good = room && lapack_singular_values(a->l, room, rows, n, values);
	free(room);
	return good;
}

/* y becomes (R^T R)^-1 y; returns its length before that of 1. */
static double invert(const struct tall *a, double *y)
{
	double length = 0;

	for (size_t k = 0; k < a->n; k++) {
		const double *r = column(a, k);

		for (size_t i = 0; i < k; i++)
			y[k] -= r[i] * y[i];
		y[k] /= r[k];
	}
	for (size_t k = a->n; k-- > 0;) {
		const double *r = column(a, k);

		y[k] /= r[k];
		for (size_t i = 0; i < k; i++)
			y[i] -= r[i] * y[k];
		length += y[k] * y[k];
	}
	length = sqrt(length);
	for (size_t k = 0; k < a->n; k++)
		y[k] /= length;
	return length;
}

/*
 * Whether all singular values of R are surely above 1e-10 times the largest: so
 * many inverse iterations end within a tenth of the smallest.
 */
static bool full_rank(const struct tall *a, double largest)
{
	enum { ITERATIONS = 24 };
	double length = HUGE_VAL;

	for (size_t k = 0; k < a->n; k++)
		a->y[k] = k % 3 ? 1 : -1;
	for (int k = 0; k < ITERATIONS; k++)
		length = invert(a, a->y);
	return 1 / sqrt(length) > 1.25e-10 * largest;
}

/* Column j of C = Q^T B minus that of R M, of n values; its squares. */
static double remaining(const struct tall *a, const double *m, size_t j,
			double *c)
{
	double sum = 0;

	for (size_t k = 0; k < a->n; k++) {
		const double *r = column(a, k);

		for (size_t i = 0; i <= k; i++)
			c[i] -= r[i] * m[j * a->n + k];
	}
	for (size_t i = 0; i < a->n; i++)
		sum += c[i] * c[i];
	return sum;
}

/* Add what R M leaves of the first rows of C, where R is not of full rank. */
static bool add_remaining(const struct tall *a, double *sum)
{
	const size_t n = a->n;
	double *r = a->square[0], *m = a->square[1];

	for (size_t j = 0; j < n; j++)
		for (size_t i = 0; i < n; i++) {
			r[j * n + i] = column(a, j)[i];
			m[j * n + i] = column(a, n + j)[i];
		}
	if (!lapack_least_squares(a->l, r, m, n, n))
		return false;
	for (size_t j = 0; j < n; j++)
		*sum += remaining(a, m, j, column(a, n + j));
	return true;
}

/* ||B - A M|| / ||B|| is that of C - R M: what C has below R, M can't make. */
static bool residual_of(const struct tall *a, double largest, double *residual)
{
	double sum = 0;

	for (size_t j = 0; j < a->n; j++)
		for (size_t i = a->n; i < a->rows; i++)
			sum += column(a, a->n + j)[i] * column(a, a->n + j)[i];
	if (!full_rank(a, largest) && !add_remaining(a, &sum))
		return false;
	*residual = a->total > 0 ? sqrt(sum / a->total) : 0;
	return true;
}

/* What rounding may leave of columns that do not vary is no variance. */
static void drop_rounding(const struct tall *a, double largest,
			  double *centered)
{
	if (centered[0] <= 0x1p-52 * (double)a->x->rows * largest)
		memset(centered, 0, a->n * sizeof *centered);
}

bool tall_decompose(const struct lapack *l, const struct table *x, size_t by,
		    double *values, double *centered, double *residual)
{
	const bool shifts = x->rows > by + x->cols;
	struct tall a = { .l = l, .x = x, .n = x->cols, .shifts = shifts,
			  .rows = shifts ? x->rows - by : x->rows };
	bool good = matrix_alloc(&a.all, a.rows, (shifts ? 2 : 1) * a.n + 1);

	a.mean = calloc(a.n, (2 + 2 * a.n) * sizeof *a.mean);
	good = good && a.mean;
	if (good) {
		a.y = a.mean + a.n;
		a.square[0] = a.y + a.n;
		a.square[1] = a.square[0] + a.n * a.n;
		load_columns(&a);
		measure_means(&a);
		good = qr_reduce(&a.all, a.n) &&
		       values_of(&a, false, values) &&
		       values_of(&a, true, centered);
	}
	if (good)
		drop_rounding(&a, values[0], centered);
	good = good && (!shifts || residual_of(&a, values[0], residual));
	free(a.all.v);
	free(a.mean);
	return good;
}
