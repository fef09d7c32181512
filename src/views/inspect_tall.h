/* inspect_tall.h: decompositions of tables that have more rows than columns. */
#ifndef INSPECT_TALL_H
#define INSPECT_TALL_H

#include "table/table.h"
#include "views/lapack.h"

/*
 * The singular values of a finite x [rows, n] of one plane, rows > n, and of x
 * minus the mean of each column, the largest first. If x has more than by + n
 * rows, also the residual of the shift by so many (struct svd); else it stays
 * as it is. False: LAPACK failed, or memory ran out.
 */
bool tall_decompose(const struct lapack *l, const struct table *x, size_t by,
		    double *values, double *centered, double *residual);

#endif
