/*
 * before_after.c: one column of a table of cells before and after it was
 * resized, as two maps of about the same size in the same colours: side by
 * side, or on a narrow page one below the other.
 */
#include <math.h>
#include <stdio.h>

#include "figure/before_after.h"
#include "figure/columns.h"
#include "figure/layout.h"

enum {
	SIDE = 260,         /* a map, points */
	FLAT = 2,           /* how many times as long as wide it is at most */
	APART = 48,         /* maps, points, beside the axis */
	NAME = 80,          /* bytes */
};

/* The column of one table, and its map. */
struct grid_map {
	const struct table *t;
	size_t column, height, width;
	double *values;            /* [height, width], in those of both */
	unsigned char *levels;     /* [height, width] */
	int wide, high;            /* a cell, pixels */
	struct box box;
	struct side x, y;
	char name[NAME];           /* "before: 7 x 7" */
};

struct before_after {
	struct grid_map maps[2];
	struct panels p;           /* of the larger of both sizes */
	bool stacked;
	char value[NAME];          /* "value of column 3" */
};

/* Take the value of row i, if it is a cell of the first frame. */
static bool take_row(void *self, size_t i, const double *x)
{
	const struct grid_map *m = self;
	const size_t cell = lattice_index(&m->t->grid, i);

	if (cell < m->height * m->width)
		m->values[cell] = x[m->column];
	return true;
}

/* The values of both maps, one after another, and what they are of. */
static double *find(struct before_after *b, struct figure *f,
		    const struct table *t, const struct look *look)
{
	const struct table *tables[] = { t->before, t };
	const size_t n = t->before->grid.height * t->before->grid.width;
	double *all = figure_room(f, n + t->grid.height * t->grid.width,
				  sizeof *all);

	for (size_t i = 0; i < 2; i++) {
		struct grid_map *m = &b->maps[i];

		*m = (struct grid_map){
			.t = tables[i], .height = tables[i]->grid.height,
			.width = tables[i]->grid.width,
			.column = look->dims ? columns_at(look, t->cols, 0)
					     : 0,
			.values = all ? all + i * n : NULL,
		};
		snprintf(m->name, sizeof m->name, "%s: %zu \303\227 %zu",
			 i ? "after" : "before", m->height, m->width);
		if (!all || !table_each(m->t, take_row, m, &f->err))
			return NULL;
	}
	return all;
}

/* A range of colours for the values of both. */
static void choose_colors(struct before_after *b, struct figure *f,
			  double *all, const struct look *look, size_t threads)
{
	const struct grid_map *last = &b->maps[1];
	struct table both = {
		.planes = 1, .rows = 1, .end = 1,
		.cols = (size_t)(last->values - all) +
			last->height * last->width,
		.dtype = F64,
	};
	struct sample s;

	table_dense(&both, all);
	s = sample_all(&both, threads);
	color_scale_choose(&b->p.colors, f, look, &s, LEVELS);
}

/* Ticks at the middles of n cells. */
static void choose_ticks(struct side *s, const struct figure *f, size_t n,
			 int cell)
{
	const struct axis counts = { .step = 1 };
	const size_t most = n * (size_t)cell / (size_t)pt(f, 3 * TICK_POINTS);

	ticks_labels(&s->ticks, &counts, 0, n, most + 1);
	ticks_center(&s->ticks, cell);
}

/* Pixels of one of n cells, if others are so many pixels. */
static int cell_size(int side, size_t n, int other)
{
	return greatest(other, side / FLAT / (int)n);
}

static void size_map(struct before_after *b, struct figure *f,
		     struct grid_map *m)
{
	const size_t n = m->height > m->width ? m->height : m->width;
	const int all = panels_wide(f, 2 * SIDE);
	const int side = b->stacked ? all : all / 2;
	const int cell = greatest(side / (int)n, 1);

	m->wide = cell_size(side, m->width, cell);
	m->high = cell_size(side, m->height, cell);
	m->box.w = (int)m->width * m->wide;
	m->box.h = (int)m->height * m->high;
}

/* Choose the colours of a map, and its ticks. */
static void fill_map(struct before_after *b, struct figure *f,
		     struct grid_map *m, const struct look *look)
{
	const size_t n = m->height * m->width;

	m->levels = figure_room(f, n, 1);
	if (!m->levels)
		return;
	colormap_doubles(&b->p.colors.map, m->values, n, m->levels);
	b->p.missing |= levels_missing(f, m->levels, n);
	choose_ticks(&m->x, f, m->width, m->wide);
	choose_ticks(&m->y, f, m->height, m->high);
	m->x.name = (struct name){ "column of the cell", look->xlabel };
	m->y.name = (struct name){ "row of the cell", look->ylabel };
}

/* Size both maps; one below the other where their names have no room. */
static void size_maps(struct before_after *b, struct figure *f,
		      const struct look *look)
{
	for (int i = 0; i < 2; i++)
		size_map(b, f, &b->maps[i]);
	for (int i = 0; i < 2; i++)
		b->stacked |= figure_width(f, TICK_POINTS, b->maps[i].name) >
			      b->maps[i].box.w;
	for (int i = 0; i < 2; i++) {
		size_map(b, f, &b->maps[i]);
		fill_map(b, f, &b->maps[i], look);
	}
}

/* The height of the name above a map. */
static int name_height(const struct figure *f)
{
	return pt(f, TICK_POINTS) + pt(f, GAP);
}

static void draw_map(struct figure *f, const struct grid_map *m)
{
	const struct box *b = &m->box;

	figure_image(f, b->x, b->y, &(struct image){
		m->levels, m->height, m->width, m->wide, m->high });
	frame(f, b);
	side_left(f, b, &m->y, true);
	side_bottom(f, b, &m->x, true);
	figure_text(f, INK_TEXT, TICK_POINTS, b->x + b->w / 2,
		    b->y - pt(f, GAP), m->name)->anchor = ANCHOR_MIDDLE;
}

/* Place both maps, with the room of the larger axes. */
static void place(struct figure *f, struct before_after *b,
		  const struct table *t, const struct look *look)
{
	struct grid_map *one = &b->maps[0], *two = &b->maps[1];
	const bool lower = side_left_room(f, &one->y) <
			   side_left_room(f, &two->y);
	struct panels *p = &b->p;

	p->x = two->x;
	p->y = lower ? two->y : one->y;
	p->box.w = greatest(one->box.w, two->box.w);
	p->box.h = greatest(one->box.h, two->box.h);
	p->above = name_height(f);
	p->across = b->stacked ? 1 : 2;
	p->down = b->stacked ? 2 : 1;
	p->step_x = p->box.w + pt(f, APART) + side_left_room(f, &two->y);
	p->step_y = p->box.h + side_bottom_room(f, &one->x) + p->above +
		    pt(f, GAP);
	panels_place(f, p, t, look);
	for (size_t i = 0; i < 2; i++) {
		struct box *at = &b->maps[i].box;

		at->x = panels_at(p, i).x;
		at->y = panels_at(p, i).y;
	}
}

/* Resized tables have values of no other name. */
static void name_values(struct before_after *b, const struct figure *f,
			const struct table *t)
{
	const int n = snprintf(b->value, sizeof b->value, "value of ");

	index_name(b->value + n, sizeof b->value - (size_t)n, &t->col_axis,
		   b->maps[1].column, f->language);
}

void before_after_layout(struct figure *f, const struct table *t,
			 const struct look *look, size_t threads)
{
	struct before_after *b = figure_room(f, 1, sizeof *b);
	double *all = b ? find(b, f, t, look) : NULL;

	if (!all)
		return;
	choose_colors(b, f, all, look, threads);
	size_maps(b, f, look);
	if (f->err.text[0])
		return;
	name_values(b, f, t);
	b->p.value = (struct name){ b->value, look->zlabel };
	place(f, b, t, look);
	draw_map(f, &b->maps[0]);
	draw_map(f, &b->maps[1]);
	panels_bar(f, &b->p);
}
