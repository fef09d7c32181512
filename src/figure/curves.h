/* curves.h: the numbers of lines and steps. */
#ifndef CURVES_H
#define CURVES_H

#include "figure/figure.h"

/* Numbers y[c] [n] of each curve at x [n]. */
struct curves {
	size_t count, n;
	double *x, *y[CURVES_MOST];
	char names[CURVES_MOST][40];
	const char *across;      /* what x is: "position" */
	const struct axis *axis; /* whose labels x is; NULL: it is a distance */
	size_t every;            /* row of the table that was taken */
	size_t all;              /* planes, of which the first are drawn */
};

/* Columns over rows; or, of a single row, that row. False: f knows why. */
bool curves_of_columns(struct curves *c, struct figure *f,
		       const struct table *t, const struct look *look);

/* Numbers over distance, a curve for each plane. */
bool curves_of_distances(struct curves *c, struct figure *f,
			 const struct table *t);

#endif
