/* columns.h: which columns of a table, or pairs of them, a figure draws. */
#ifndef COLUMNS_H
#define COLUMNS_H

#include "figure/look.h"
#include "table/table.h"

/* The columns of pair k; false: there is no such pair. */
bool pair_columns(const struct table *t, size_t k, size_t *a, size_t *b);

/* The pair of column j, whether or not there is one. */
size_t pair_of(const struct table *t, size_t j);
size_t pairs_count(const struct table *t);

/*
 * Write n of the pairs of t, or of its columns if they form no pairs, to to:
 * from the first to the last that move within rows of t, so many from the first
 * drawn, and do not only repeat (all, where no frequencies are known).
 */
void pairs_spread(size_t *to, size_t n, const struct table *t, size_t rows);

/* Whether --dims, if given, selects columns of t and the tables beside it. */
bool columns_check(const struct look *look, const struct table *t,
		   struct error *err);

/* Column k of those of cols that --dims selects; cols: there are no more. */
size_t columns_at(const struct look *look, size_t cols, size_t k);
size_t columns_selected(const struct look *look, size_t cols);

/* How many columns --dims selects; without it, all up to all, of more usual. */
size_t columns_count(const struct look *look, const struct table *t, size_t all,
		     size_t usual);

/* Write these n columns to to; of pairs the first and the second in turn. */
void columns_choose(size_t *to, size_t n, const struct look *look,
		    const struct table *t);

#endif
