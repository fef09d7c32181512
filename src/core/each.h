/* each.h: every row of a table in turn, made in blocks, by threads. */
#ifndef EACH_H
#define EACH_H

#include "core/table.h"

/* Looks at row i, x [cols]; false ends it. */
typedef bool row_look(void *self, size_t i, const double *x);

/*
 * Show the rows of t that were asked for to look(), in order, in the thread of
 * the caller. Fails for want of memory only.
 */
bool table_each(const struct table *t, row_look *look, void *self,
		struct error *err);

#endif
