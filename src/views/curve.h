/* curve.h: similarity by the distance of positions. */
#ifndef CURVE_H
#define CURVE_H

#include "core/table.h"

/* Of all pairs of rows i and i + k, by their distance k. */
struct curve {
	size_t n;                  /* distances, from 0 on: the table's rows */
	double *mean, *std;        /* [n]; std of all, not of a sample */
	double *lo, *hi;           /* [n] */
	double *first;             /* [n] of rows 0 and k */
};

/* The curve of t, a similar table; what it points to is owner's. */
bool curve_open(struct curve *c, const struct table *t, struct table *owner,
		struct error *err);

/*
 * The same by steps, where more is to be learned of the rows: of n rows; then
 * each row in turn; then the end.
 */
bool curve_begin(struct curve *c, size_t n, struct table *owner,
		 struct error *err);
void curve_row(struct curve *c, size_t i, const double *x);
void curve_end(struct curve *c);

#endif
