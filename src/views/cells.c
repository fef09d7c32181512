/* cells.c: a table whose rows are the cells of a grid, as --grid says. */
#include "text/decimal.h"
#include "views/cells.h"

bool cells_take(const char *grid, struct table *t, struct error *err)
{
	double size[3], cells;

	if (!grid)
		return true;
	if (parse_extents(grid, size) != 2)
		return fail(err, "--grid: expected HxW, rows by columns, got "
			    "'%.60s'", grid);
	cells = size[0] * size[1];
	if (cells < (double)t->rows || cells > (double)t->rows)
		return fail(err, "--grid %.60s has %.17g cells, but TABLE has "
			    "%zu rows%s", grid, cells, t->rows,
			    cells > (double)t->rows ? ""
			    : "; --drop-prefix N leaves out the first N");
	t->row_axis = axis_of(AXIS_CELL);
	size[2] = 1;
	t->grid = lattice_of(size);
	return true;
}
