/* inspect.h: what is found out about a table, a file for each part. */
#ifndef INSPECT_H
#define INSPECT_H

#include "core/report.h"
#include "views/svd.h"

/* The table, where findings go, and those that the verdict is made of. */
struct inspection {
	const struct table *x;      /* one plane */
	struct report *r;
	size_t shift;               /* rows */

	size_t not_finite;          /* numbers */
	double largest;             /* |x|; or NaN, of nothing else */
	size_t repeated;            /* rows equal to an earlier one */
	size_t odd;                 /* rows */
	double invariance;          /* of dot products, 1 at best */
	double residual;            /* of the shift, 0 at best; or NaN */

	struct svd svd;             /* where all numbers are finite */
};

/* Shape, dtype and the numbers themselves. */
void inspect_numbers(struct inspection *s);

/* Lengths of rows, equal rows, rows that are not like the others. */
bool inspect_rows(struct inspection *s, struct error *err);

/* All pairs of rows: nearest ones, translation invariance, monotonicity. */
bool inspect_pairs(struct inspection *s, struct error *err);

/* How well one rotation of pairs of columns moves every row on. */
bool inspect_shift(struct inspection *s, struct error *err);

/* Singular values, rank, components. */
void inspect_spectrum(struct inspection *s);

/* Wavelengths of columns. */
bool inspect_columns(struct inspection *s, struct error *err);

#endif
