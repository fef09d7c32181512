/*
 * before_after.c: one column of a table of cells before and after it was
 * resized, as two maps of about the same size in the same colours.
 */
#include <math.h>
#include <stdio.h>

#include "figure/before_after.h"
#include "figure/layout.h"

enum {
	SIDE = 260,         /* a map, points */
	APART = 48,         /* maps, points, beside the axis */
	NAME = 80,          /* bytes */
};

/* The column of one table, and its map. */
struct grid_map {
	const struct table *t;
	size_t column, height, width;
	double *values;            /* [height, width], in those of both */
	unsigned char *levels;     /* [height, width] */
	int cell;                  /* pixels */
	struct box box;
	struct side x, y;
	char name[NAME];           /* "column 3 before: 7 x 7" */
};

struct before_after {
	struct grid_map maps[2];
	struct color_scale colors;
	struct heading heading;
	struct bar bar;
	unsigned missing;
};

/* Take the value of row i, if it is a cell of the first frame. */
static bool take_row(void *self, size_t i, const double *x)
{
	const struct grid_map *m = self;
	const size_t cell = m->t->grid.cell(m->t, i);

	if (cell < m->height * m->width)
		m->values[cell] = x[m->column];
	return true;
}

static void name_map(struct grid_map *m, const char *when)
{
	char column[NAME / 2];

	index_name(column, sizeof column, &m->t->col_axis, m->column);
	snprintf(m->name, sizeof m->name, "%s %s: %zu \303\227 %zu", column,
		 when, m->height, m->width);
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
			.column = look->dims.given ? (size_t)look->dims.first
						   : 0,
			.values = all ? all + i * n : NULL,
		};
		name_map(m, i ? "after" : "before");
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
	color_scale_choose(&b->colors, f, look, &s, LEVELS);
}

/* Ticks at the middles of n cells. */
static void choose_ticks(struct side *s, const struct figure *f, size_t n,
			 int cell)
{
	const struct axis counts = { .step = 1 };
	const size_t most = n * (size_t)cell / (size_t)pt(f, 3 * TICK_POINTS);

	ticks_labels(&s->ticks, &counts, 0, n, most + 1);
	for (size_t i = 0; i < s->ticks.n; i++)
		s->ticks.tick[i].at = (s->ticks.tick[i].at + 0.5) * cell;
}

/* Size a map and its axes, and choose its colours. */
static void size_map(struct before_after *b, struct figure *f,
		     struct grid_map *m, const struct look *look)
{
	const size_t n = m->height > m->width ? m->height : m->width;

	m->cell = greatest(panels_wide(f, 2 * SIDE) / 2 / (int)n, 1);
	m->box.w = (int)m->width * m->cell;
	m->box.h = (int)m->height * m->cell;
	m->levels = figure_room(f, m->height * m->width, 1);
	if (!m->levels)
		return;
	colormap_doubles(&b->colors.map, m->values, m->height * m->width,
			 m->levels);
	b->missing |= levels_missing(f, m->levels, m->height * m->width);
	choose_ticks(&m->x, f, m->width, m->cell);
	choose_ticks(&m->y, f, m->height, m->cell);
	m->x.name = (struct name){ "column of the cell", look->xlabel };
	m->y.name = (struct name){ "row of the cell", look->ylabel };
}

static void draw_map(struct figure *f, const struct grid_map *m)
{
	struct item *image = figure_add(f, ITEM_IMAGE, 0);
	const struct box *b = &m->box;

	image->x = b->x;
	image->y = b->y;
	image->w = image->h = m->cell;
	image->rows = m->height;
	image->cols = m->width;
	image->levels = m->levels;
	frame(f, b);
	side_left(f, b, &m->y, true);
	side_bottom(f, b, &m->x, true);
	figure_text(f, INK_TEXT, TICK_POINTS, b->x + b->w / 2,
		    b->y - pt(f, GAP), m->name)->anchor = ANCHOR_MIDDLE;
}

static void draw(struct figure *f, struct before_after *b)
{
	struct grid_map *one = &b->maps[0], *two = &b->maps[1];
	const int margin = pt(f, MARGIN);
	const int high = greatest(greatest(one->box.h, two->box.h),
				  bar_height(f, &b->bar));
	const int top = margin + b->heading.h + pt(f, 2 * GAP) +
			pt(f, TICK_POINTS);

	one->box.x = margin + side_left_room(f, &one->y);
	two->box.x = one->box.x + one->box.w + pt(f, APART) +
		     side_left_room(f, &two->y);
	one->box.y = top + (high - one->box.h) / 2;
	two->box.y = top + (high - two->box.h) / 2;
	f->w = two->box.x + two->box.w + 2 * margin + b->bar.room;
	f->h = top + high + margin +
	       greatest(side_bottom_room(f, &one->x),
			side_bottom_room(f, &two->x));
	heading_draw(f, &b->heading,
		     (one->box.x + two->box.x + two->box.w) / 2, margin);
	draw_map(f, one);
	draw_map(f, two);
	bar_draw(f, &b->bar, &b->colors, two->box.x + two->box.w + margin,
		 top + (high - b->bar.h) / 2);
}

void before_after_layout(struct figure *f, const struct table *t,
			 const struct look *look, size_t threads)
{
	struct before_after *b = figure_room(f, 1, sizeof *b);
	double *all = b ? find(b, f, t, look) : NULL;

	if (!all)
		return;
	choose_colors(b, f, all, look, threads);
	for (size_t i = 0; i < 2; i++)
		size_map(b, f, &b->maps[i], look);
	if (f->err.text[0])
		return;
	bar_make(&b->bar, f, &b->colors, value_name(t, look->zlabel),
		 greatest(b->maps[0].box.h, b->maps[1].box.h), b->missing);
	heading_make(&b->heading, f, t, look,
		     b->maps[0].box.w + b->maps[1].box.w + pt(f, APART));
	draw(f, b);
}
