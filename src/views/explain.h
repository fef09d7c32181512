/* explain.h: what may have been done to a table to make another of it. */
#ifndef EXPLAIN_H
#define EXPLAIN_H

#include "core/table.h"

/*
 * Two dense tables of numbers, as [rows, cols] each, and how much may differ:
 * |a - b| to atol + rtol |b|, or so many steps of dtype, from 0 on.
 */
struct couple {
	const struct table *a, *b;
	size_t a_rows, b_rows;     /* through all planes */
	enum dtype dtype;          /* the coarser one */
	double atol, rtol, ulp;
	double largest;            /* |a - b|, of equal shapes; else infinite */
};

/* Whether a and b agree within the tolerance. NaN agrees with NaN. */
bool couple_agree(const struct couple *c, double a, double b);

/* |a - b|: 0 for two NaN or equal infinities, infinite for one of them. */
double couple_apart(double a, double b);

/*
 * How B comes from A, one sentence to text, the simplest that holds: other
 * columns, other rows, a sign, a scale, a rounding. False: nothing was found.
 */
bool explain(const struct couple *c, char *text, size_t size);

#endif
