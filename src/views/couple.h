/* couple.h: two tables, and when their numbers agree. */
#ifndef COUPLE_H
#define COUPLE_H

#include "core/table.h"

/*
 * Dense tables a and b, as [rows, cols] each, and how much they may differ:
 * |a - b| to atol + rtol |b|, or so many steps of dtype, from 0 on.
 */
struct couple {
	const struct table *a, *b;
	size_t a_rows, b_rows;     /* through all planes */
	enum dtype dtype;          /* the coarser one */
	double atol, rtol, ulp;
	double largest;            /* |a - b|, of equal shapes; else infinite */
};

/* Whether the numbers a and b agree. NaN agrees with NaN. */
bool couple_agree(const struct couple *c, double a, double b);

/* |a - b|: 0 for two NaN or equal infinities, infinite for one of them. */
double couple_apart(double a, double b);

#endif
