/* svd.h: singular values, by the LAPACK that the system has. */
#ifndef SVD_H
#define SVD_H

#include "core/table.h"
#include "views/lapack.h"

struct svd {
	const char *left_out;  /* why no more is said, or NULL */
	size_t n;              /* min(rows, cols) */
	double *values;        /* [n] of x, the largest first */
	double *centred;       /* [n] of x less the mean of each column */

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

/* How this system's LAPACK does where there is nothing to do. */
enum lapack_result svd_try(void);

/* What to install where it has none. */
#define SVD_PACKAGE "liblapack3"

#endif
