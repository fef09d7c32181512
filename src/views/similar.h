/* similar.h: the table of every row of a table with every row. */
#ifndef SIMILAR_H
#define SIMILAR_H

#include "core/table.h"

enum metric { METRIC_DOT, METRIC_COSINE, METRIC_L2 };

/*
 * Make t, of which no more is known yet than what it owns, [rows, rows] of x:
 * x_i . x_j, or x_i . x_j / (|x_i| |x_j|), or |x_i - x_j|. The cosine of a row
 * of zeros with any is 0. Fails where x has planes, or numbers that are not
 * finite or too large to multiply.
 */
bool similar_open(struct table *t, const struct table *x, enum metric metric,
		  struct error *err);

/* Whether the numbers of x, an input, can be multiplied; a sentence if not. */
bool similar_check(const struct table *x, struct error *err);

#endif
