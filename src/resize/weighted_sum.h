/* weighted_sum.h: sums of rows, each times a weight. */
#ifndef WEIGHTED_SUM_H
#define WEIGHTED_SUM_H

#include <stdbool.h>
#include <stddef.h>

#include "exact/simd.h"

enum { SUM_ROWS = 4 };          /* that are added at a time */

struct weighted_sum {
	double *out;            /* [cols] */
	size_t cols;
	size_t taken, waiting;  /* rows in all, and not yet added */
	double weight[SUM_ROWS];     /* of those that wait */
	const void *x[SUM_ROWS];
	bool single;            /* they are float32 */
	enum simd simd;
};

struct weighted_sum weighted_sum_begin(double *out, size_t cols, bool single);

/* Take the row x [cols], doubles or floats, which must last to the end. */
void weighted_sum_add(struct weighted_sum *s, double weight, const void *x);

/*
 * The sum divided by that of the weights: out, or a row that was alone. There
 * is one at least.
 */
const double *weighted_sum_end(const struct weighted_sum *s, double weights);

#endif
