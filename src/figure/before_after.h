/* before_after.h: what --plot tiles draws of a resized table. */
#ifndef BEFORE_AFTER_H
#define BEFORE_AFTER_H

#include "figure/figure.h"

enum { BEFORE_AFTER_SIDE = 512 };  /* cells of either grid, across or down */

/* One column of t->before and of t, a map each, in the same colours. */
void before_after_layout(struct figure *f, const struct table *t,
			 const struct look *look, size_t threads);

#endif
