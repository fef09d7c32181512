/*
 * svd.h: singular values, and what least squares leave. Values must be finite,
 * with squares that a double holds. Results have the same bits everywhere.
 */
#ifndef SVD_H
#define SVD_H

#include "table/table.h"

/* A matrix by columns: column k is v + k * height, padded with zeros. */
struct matrix {
	size_t rows, n, height;
	double *v;
};

/* A matrix [rows, n] of zeros; false: memory ran out. */
bool matrix_alloc(struct matrix *c, size_t rows, size_t n, struct table *owner,
		  struct error *err);

/*
 * Multiply by an orthogonal matrix, by which the first n columns, at most as
 * many as there are rows, become R: values below the diagonal are 0. Singular
 * values do not change, up to rounding.
 */
bool matrix_reduce(struct matrix *c, size_t n, struct table *owner,
		   struct error *err);

/* The decomposition X = U S V^T of a matrix [rows, cols]. */
struct svd {
	size_t n;            /* min(rows, cols) */
	double *values;      /* [n] S, largest first */
	struct matrix r;     /* triangle of X or, if it has fewer rows than
				columns, of X^T */
	struct matrix left;  /* [n, n] left vectors of r times their values */
};

/* Decompose x [rows, cols]; owner keeps what s points to. */
bool svd_open(struct svd *s, const double *x, size_t rows, size_t cols,
	      struct table *owner, struct error *err);

/*
 * S[k] times column k of V to y [n] or, if there are fewer rows than columns,
 * of U. Zeros if S[k] <= 2^-30 S[0]: rounding would be seen.
 */
void svd_vector(const struct svd *s, size_t k, double *y);

/* Subtract its mean from each column of x; what is left of equal values is 0 */
void columns_center(double *x, size_t rows, size_t cols);

/*
 * ||B - A M|| / ||B|| for the M [n, n] that makes it least, where A and B have
 * more rows than the n columns. Singular values of A below 1e-10 times the
 * largest are taken as 0. If B is 0, the result is, too.
 */
bool least_squares(const double *a, const double *b, size_t rows, size_t n,
		   double *residual, struct error *err);

#endif
