/* svd.h: singular values, by the LAPACK that the system has. */
#ifndef SVD_H
#define SVD_H

#include "core/table.h"

struct svd {
	bool known;       /* there is a LAPACK; without one, no more is said */
	size_t n;         /* min(rows, cols) */
	double *values;   /* [n] of x, the largest first */
	double *centred;  /* [n] of x less the mean of each column */

	/*
	 * How far T[by:] is from T[:-by] M for the best matrix M, relative to
	 * T[by:]: least squares, singular values below 1e-10 of the largest
	 * taken for 0. NaN where x has not more than by + cols rows.
	 */
	double residual;
};

/* Of a dense x, finite, of one plane; what s points to is owner's. */
bool svd_open(struct svd *s, const struct table *x, size_t by,
	      struct table *owner, struct error *err);

/* Whether this system has a LAPACK. */
bool svd_present(void);

/* What to install where it has none. */
#define SVD_PACKAGE "liblapack3"

#endif
