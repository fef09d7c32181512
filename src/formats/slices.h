/* slices.h: rows that are slices of one vector, without making them. */
#ifndef SLICES_H
#define SLICES_H

#include "formats/progress.h"
#include "formats/rows.h"

/* Whether t has diagonals, not too many, and fewer than half its numbers. */
bool slices_pay(const struct table *t);

/*
 * As rows_give(), for a table with diagonals: each number is made into bytes
 * once, and a row is a piece of those.
 */
bool slices_give(const struct rows *r, rows_taker *take, void *taker,
		 struct progress *progress, struct error *err);

#endif
