/*
 * gram.h: every row of a table with every row: dot products and distances.
 * Each sum runs over the columns from the first to the last, whatever the
 * instruction set and however the work is cut up: the same bits always.
 */
#ifndef GRAM_H
#define GRAM_H

#include "core/table.h"

enum gram_of { GRAM_DOTS, GRAM_DISTANCES };

struct gram {
	size_t rows, cols;
	const double *panels;  /* [rows / 8, rounded up][cols][8 rows] */
	void (*tile)(const double *a, const double *b, size_t cols,
		     double *sums);
	size_t down, across;   /* the rows by rows that a tile has */
};

enum { GRAM_TOGETHER = 128 };  /* rows that are best made at once */

/* Lay out the rows of a dense x, which owner will keep; one plane, finite. */
bool gram_open(struct gram *g, enum gram_of of, const struct table *x,
	       struct table *owner, struct error *err);

/*
 * The sums of rows first to first + n - 1 with all rows, to out [n, rows]:
 * of products, or of squared differences.
 */
void gram_rows(const struct gram *g, size_t first, size_t n, double *out);

/* The product of row i with itself, as GRAM_DOTS has it. */
double gram_square(const struct gram *g, size_t i);

#endif
