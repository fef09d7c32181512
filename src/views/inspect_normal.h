/* inspect_normal.h: a fast way to what struct svd has (inspect.h). */
#ifndef INSPECT_NORMAL_H
#define INSPECT_NORMAL_H

#include "table/table.h"
#include "views/lapack.h"

enum normal_result {
	NORMAL_DONE,
	NORMAL_UNSUITED,  /* the columns are few or nearly dependent */
	NORMAL_NO_MEMORY
};

/*
 * The singular values of a dense, finite x [rows, n] and of x minus the mean of
 * each column, largest first, to values [n] and centered [n]; the residual of
 * the shift, where there are more than by + n rows. Unless done, what was
 * written there has no meaning.
 */
enum normal_result normal_decompose(const struct lapack *l,
				    const struct table *x, size_t by,
				    double *values, double *centered,
				    double *residual);

#endif
