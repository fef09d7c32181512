/* inspect.h: the parts of the report that posenc inspect makes of a table. */
#ifndef INSPECT_H
#define INSPECT_H

#include "recipe/report.h"

/* The results of a singular value decomposition by LAPACK. */
struct svd {
	char skipped[sizeof "LAPACK " + sizeof(struct error)];  /* why there
				  are no results, or "" */
	size_t n;              /* min(rows, cols) */
	double *values;        /* [n] singular values of x, largest first */
	double *centered;      /* [n] of x minus the mean of each column */

	/*
	 * ||T[by:] - T[:-by] M|| / ||T[by:]|| for the least-squares matrix M,
	 * singular values below 1e-10 times the largest taken as 0. NaN unless
	 * x has more than by + cols rows.
	 */
	double residual;
};

/* The table, its report, and the measures that the verdict depends on. */
struct inspection {
	const struct table *x;      /* one plane */
	struct report *r;
	size_t shift;               /* rows */

	size_t not_finite;          /* values */
	double largest;             /* |x|, or NaN if every value is NaN */
	size_t repeated;            /* rows equal to an earlier one */
	size_t unusual;             /* rows */
	double invariance;          /* translation invariance, 1 at best */
	double residual;            /* of the shift, 0 at best; or NaN */
	double identity;            /* residual if rows did not change */

	struct svd svd;             /* if all values are finite */
};

/*
 * Each adds a group of facts to the report. False: memory ran out, or LAPACK
 * failed.
 */

/* Shape, dtype, range, mean and deviation; sets not_finite and largest. */
bool inspect_values(struct inspection *s, struct error *err);

/* Norms of rows, repeated rows, unusual rows. */
bool inspect_rows(struct inspection *s, struct error *err);

/* All pairs of rows: nearest rows, translation invariance, monotonicity. */
bool inspect_pairs(struct inspection *s, struct error *err);

/* Singular values, ranks, principal components; after svd_open(). */
void inspect_spectrum(struct inspection *s);

/* The wavelength of each column. */
bool inspect_columns(struct inspection *s, struct error *err);

/* Decompose a dense, finite x of one plane; owner keeps what s points to. */
bool svd_open(struct svd *s, const struct table *x, size_t by,
	      struct table *owner, struct error *err);

#endif
