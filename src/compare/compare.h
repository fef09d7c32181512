/*
 * compare.h: posenc compare: how two tables differ (compare.c), and which
 * simple change explains the difference (explain.c). Both work on a struct
 * comparison. This folder includes identify and the folders below it.
 */
#ifndef COMPARE_H
#define COMPARE_H

#include "table/table.h"

/*
 * Two dense tables as [rows, cols] each, and the tolerance: |a - b| up to
 * atol + rtol |b|, or up to ulp steps of dtype.
 */
struct comparison {
	const struct table *a, *b;
	size_t a_rows, b_rows;     /* of all planes together */
	enum dtype dtype;          /* the less precise of the two */
	double atol, rtol;
	double ulp;                /* -1: no steps are tolerated */
	double largest;            /* |a - b|; infinite for unequal shapes */
};

/* Whether the values a and b are equal within the tolerance; NaN equals NaN. */
bool values_equal(const struct comparison *c, double a, double b);

/* |a - b|: 0 for equal infinities or two NaN; else infinite for any of them. */
double value_difference(double a, double b);

/*
 * Write the first sentence that explains B by A, to text [size]: columns
 * reordered, rows shifted or reversed, a sign, a scale, a rounding, a part.
 * False if none does.
 */
bool explain(const struct comparison *c, char *text, size_t size);

#endif
