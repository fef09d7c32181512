/*
 * maps.c: columns of a table whose rows are the cells of a grid, as a map of
 * the grid each: what every pair of rotary positions in two dimensions turns
 * by, or every dimension of a 2-D sinusoid has.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>

#include "figure/columns.h"
#include "figure/marks.h"

enum {
	MAPS_MOST = 64,      /* all frames of all columns */
	ACROSS_MOST = 8,     /* frames side by side */
	SIDE_MOST = 512,     /* cells of the grid, across or down */
	NAME = 80,           /* bytes */
};

/* The columns that are drawn, and their maps as the planes of a table. */
struct maps {
	const struct table *t;
	size_t columns[CURVES_MOST], n;
	double *values;      /* [n, frames, height, width] */
	const char *names[MAPS_MOST];
};

/* The number of columns that are drawn: of --dims, or as many as have room. */
static size_t count_columns(const struct table *t, const struct look *look)
{
	const size_t fit = MAPS_MOST / t->grid.frames;
	const size_t most = !fit ? 1 : fit < CURVES_MOST ? fit : CURVES_MOST;

	return columns_count(look, t, most, most);
}

/* The cell of the grid that column j is of, as row j is; SIZE_MAX: of none. */
static size_t cell_of(const struct table *t, size_t j)
{
	return t->col_axis.kind == AXIS_CELL && t->grid.frames == 1
		       ? lattice_index(&t->grid, j) : SIZE_MAX;
}

/* "row 7, column 2" of a cell, "pair 3 (y)"; its length. */
static size_t name_column(const struct table *t, enum language l, size_t j,
			  char *name)
{
	const size_t cell = cell_of(t, j), width = t->grid.width;

	if (cell == SIZE_MAX)
		return index_name(name, NAME / 2, &t->col_axis, j, l);
	return (size_t)snprintf(name, NAME / 2, "%.9s %zu, %.9s %zu",
				language_text(l, "row"), cell / width,
				language_text(l, "column"), cell % width);
}

/* "pair 3 (y)", or with frames "dim 3 (y), frame 0". */
static const char *name_map(const struct maps *m, struct figure *f, size_t j,
			    size_t frame)
{
	const struct table *t = m->t;
	char *name = figure_room(f, NAME, 1), along = 0;
	size_t n;

	if (!name)
		return "";
	if (t->along)
		along = t->along(t, j);
	n = name_column(t, f->language, j, name);
	if (along)
		n += (size_t)snprintf(name + n, NAME - n, " (%c)", along);
	if (t->grid.frames > 1)
		snprintf(name + n, NAME - n, ", frame %zu", frame);
	return name;
}

/* Take the values of row i, if it is a cell. */
static bool take_row(void *self, size_t i, const double *x)
{
	const struct maps *m = self;
	const struct table *t = m->t;
	const struct lattice *g = &t->grid;
	const size_t cell = lattice_index(g, i % t->rows);

	for (size_t k = 0; cell < SIZE_MAX && k < m->n; k++)
		m->values[k * g->height * g->width * g->frames + cell] =
			x[m->columns[k]];
	return true;
}

/* The values of all maps, and their names; false: f has the error. */
static bool find(struct maps *m, struct figure *f)
{
	const struct lattice *g = &m->t->grid;
	const size_t n = m->n * g->frames;

	m->values = figure_room(f, n * g->height * g->width,
				sizeof *m->values);
	for (size_t i = 0; i < n; i++)
		m->names[i] = name_map(m, f, m->columns[i / g->frames],
				       i % g->frames);
	return m->values && table_each(m->t, take_row, m, &f->err);
}

/* In maps of what is between cells, frames around the cells they are of. */
static void frame_cells(struct figure *f, const struct maps *m,
			const struct heat *h)
{
	for (size_t i = 0; h && i < m->n; i++) {
		const size_t cell = cell_of(m->t, m->columns[i]);
		const size_t width = m->t->grid.width;

		if (cell < SIZE_MAX)
			marks_cell(f, h, i, cell / width, cell % width);
	}
}

static void layout(struct figure *f, const struct table *t,
		   const struct look *look, size_t threads)
{
	const struct lattice *g = &t->grid;
	struct maps *m = f->kept ? f->kept : figure_room(f, 1, sizeof *m);
	struct table all;
	struct look one = *look;

	if (!m)
		return;
	m->t = t;
	m->n = count_columns(t, look);
	columns_choose(m->columns, m->n, look, t);
	/* Once for all attempts to be as wide as --width */
	if (!f->kept && !find(m, f))
		return;
	f->kept = m;
	all = (struct table){
		.planes = m->n * g->frames, .rows = g->height,
		.cols = g->width, .dtype = t->dtype, .bounds = t->bounds,
		.lo = t->lo, .hi = t->hi, .title = t->title,
		.value = t->value, .from = t->from,
		.row_axis = { .name = "row of the cell", .step = 1 },
		.col_axis = { .name = "column of the cell", .step = 1 },
		.plane_axis = { .name = "map", .step = 1, .names = m->names },
	};
	all.end = all.planes * all.rows;
	table_dense(&all, m->values);
	if (g->frames > 1 && g->frames <= ACROSS_MOST)
		one.across = g->frames;
	frame_cells(f, m, heat_layout(f, &all, &one, threads, HEAT_MAPS));
}

static bool check(const struct look *look, const struct table *t,
		  size_t planes, size_t rows, struct error *err)
{
	const struct lattice *g = &t->grid;
	const size_t n = count_columns(t, look) * g->frames;

	(void)rows;
	if (g->height > SIDE_MOST || g->width > SIDE_MOST)
		return fail(err, "--plot maps draws grids up to %d x %d, got "
			    "%zu x %zu", SIDE_MOST, SIDE_MOST, g->height,
			    g->width);
	if (n > MAPS_MOST)
		return fail(err, "--plot maps draws at most %d maps, one per "
			    "column and frame, got %zu", MAPS_MOST, n);
	return plot_one_plane(look, planes, err);
}

const struct plot plot_maps = {
	.bar = true, .panels = true, .columns = true, .cells = true,
	.maps = true, .check = check, .layout = layout,
};
