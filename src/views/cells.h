/* cells.h: --grid of views: the rows of a table are the cells of a grid. */
#ifndef CELLS_H
#define CELLS_H

#include "recipe/recipe.h"

/*
 * Note in t that its rows are the cells of grid, row by row; omitted: they are
 * not. Fail unless there are as many.
 */
bool cells_take(const struct extents *grid, struct table *t,
		struct error *err);

#endif
