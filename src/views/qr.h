/* qr.h: a tall matrix made triangular by orthogonal transformations. */
#ifndef QR_H
#define QR_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The columns of a matrix, each in a row of v: column k is v + k * height, and
 * its values from rows on are 0, as is what pads the columns.
 */
struct matrix {
	size_t rows, n, height;
	double *v;
};

/* Zeroed memory for a matrix [rows, n], to be freed: v; or false. */
bool matrix_alloc(struct matrix *c, size_t rows, size_t n);

/*
 * Multiply by an orthogonal matrix, by which the first n columns, at most as
 * many as there are rows, become R: values below the diagonal are 0. Singular
 * values do not change, up to rounding. False: memory ran out.
 */
bool qr_reduce(struct matrix *c, size_t n);

#endif
