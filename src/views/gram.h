/*
 * gram.h: the dot products or distances of every row of a matrix with every row
 * of another, or of the same. Each sum runs over the columns in order, for
 * every instruction set and every division of the work: the result is always
 * the same, bit for bit.
 */
#ifndef GRAM_H
#define GRAM_H

#include "table/table.h"

enum gram_of { GRAM_DOTS, GRAM_DISTANCES };

struct gram {
	enum gram_of of;
	size_t rows, cols;
	const double *panels;  /* [rows / 8, rounded up][cols][8 rows] */
	bool exact;            /* products of its values are */
};

enum { GRAM_ROWS = 128 };  /* rows of a block that is fast to compute */

/* Rows first to first + rows - 1 of x, columns at to at + cols - 1. */
struct gram_source {
	const struct table *x;
	size_t first, rows, at, cols;
};

/* Copy finite values, of a file or in memory, to panels of owner. */
bool gram_open(struct gram *g, enum gram_of of, const struct gram_source *from,
	       struct table *owner, struct error *err);

/*
 * Rows first to first + n - 1 of a with all rows of b, which has as many
 * columns, to out [n, b->rows]: the sums of products, or of squared
 * differences.
 */
void gram_rows(const struct gram *a, const struct gram *b, size_t first,
	       size_t n, double *out);

/*
 * The same for other rows x [n, b->cols], stride apart, which are copied to
 * panels [gram_room()].
 */
void gram_others(const double *x, size_t stride, size_t n, const struct gram *b,
		 double *panels, double *out);
size_t gram_room(size_t n, size_t cols);

/* Add a times row i to sum [cols]. */
void gram_add(const struct gram *g, size_t i, double a, double *sum);

/* x_i . x_i of all rows, to squares, with the same rounding as in GRAM_DOTS. */
void gram_squares(const struct gram *g, double *squares);

#endif
