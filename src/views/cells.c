/* cells.c: a table whose rows are the cells of a grid, as --grid says. */
#include "views/cells.h"

bool cells_take(const struct extents *grid, struct table *t, struct error *err)
{
	const size_t *size = grid->at;

	if (!grid->n)
		return true;
	if (size[0] * size[1] != t->rows)
		return fail(err, "--grid %.60s has %zu cells, but TABLE has "
			    "%zu rows%s", grid->text, size[0] * size[1],
			    t->rows, size[0] * size[1] > t->rows ? ""
			    : "; --drop-prefix N leaves out the first N");
	t->row_axis = axis_of(AXIS_CELL);
	t->grid = lattice_of(size, grid->n);
	return true;
}
