/* inspect_normal.h: a fast way to what struct svd has (inspect.h). */
#ifndef INSPECT_NORMAL_H
#define INSPECT_NORMAL_H

#include "table/table.h"
#include "views/lapack.h"

/*
 * The singular values of a dense, finite x [rows, n] and of x minus the mean of
 * each column, largest first, to values [n] and centered [n]; the residual of
 * the shift, where there are more than by + n rows. False if the columns are
 * few or nearly dependent, or memory ran out: then nothing is set that counts.
 */
bool normal_decompose(const struct lapack *l, const struct table *x, size_t by,
		      double *values, double *centered, double *residual);

#endif
