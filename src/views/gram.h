/*
 * gram.h: the dot products or distances of every row of a table with every row.
 * Each sum runs over the columns in order, for every instruction set and every
 * division of the work: the result is always the same, bit for bit.
 */
#ifndef GRAM_H
#define GRAM_H

#include "table/table.h"

enum gram_of { GRAM_DOTS, GRAM_DISTANCES };

struct gram {
	size_t rows, cols;
	const double *panels;  /* [rows / 8, rounded up][cols][8 rows] */
	void (*tile)(const double *a, const double *b, size_t cols,
		     double *sums);
	size_t height, width;  /* of a tile, in sums */
};

enum { GRAM_ROWS = 128 };  /* rows of a block that is fast to compute */

/* Copy the rows of a finite x of a file, of one plane, to panels of owner. */
bool gram_open(struct gram *g, enum gram_of of, const struct table *x,
	       struct table *owner, struct error *err);

/*
 * Rows first to first + n - 1 with all rows, to out [n, rows]: the sums of
 * products, or of squared differences.
 */
void gram_rows(const struct gram *g, size_t first, size_t n, double *out);

/* Add a times row i to sum [cols]. */
void gram_add(const struct gram *g, size_t i, double a, double *sum);

/* x_i . x_i, with the same rounding as in GRAM_DOTS. */
double gram_square(const struct gram *g, size_t i);

#endif
