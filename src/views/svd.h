/* svd.h: singular values, by the LAPACK that the system has. */
#ifndef SVD_H
#define SVD_H

#include "core/table.h"

/* What to install where there is no LAPACK. */
#define SVD_PACKAGE "liblapack3"

enum svd_result { SVD_DONE, SVD_ABSENT, SVD_FAILED };

/*
 * The singular values of a dense x, largest first, to values [min(rows,
 * cols)]; of x less the mean of each column where centred. The library is
 * looked for when this is called, not when the program starts.
 */
enum svd_result svd_values(const struct table *x, bool centred,
			   double *values);

/* Whether this system has a LAPACK. */
bool svd_present(void);

/*
 * How far T[by:] is from T[:-by] M for the best matrix M, relative to T[by:]:
 * least squares, singular values below 1e-10 of the largest taken for 0. x
 * must have more than by + cols rows.
 */
enum svd_result svd_shift(const struct table *x, size_t by, double *residual);

#endif
