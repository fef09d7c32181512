/*
 * tiles.c: the similarity of each cell of a grid to all cells: a small map for
 * each cell, at its place in the grid. Dosovitskiy et al. 2021,
 * arXiv:2010.11929, figure 7, draw so the positions of image patches. Of a
 * resized table, a column before and after.
 */
#include "figure/before_after.h"
#include "figure/columns.h"
#include "figure/layout.h"
#include "figure/plots.h"

enum {
	WIDE = 560,         /* all tiles together, points; */
	WIDE_LEAST = 104,   /* at least, if cells may be larger: names of axes
			       have room */
	CELL_MOST = 12,     /* of other cells, points */
	SIDE_MOST = 44,     /* cells of the grid, across or down */
};

struct tiles {
	size_t height, width;      /* of the grid */
	size_t rows, cols;         /* of all tiles, with a cell between two */
	int cell;                  /* pixels */
	unsigned char *levels;     /* [rows, cols] */
	unsigned char *each;       /* [height * width, height * width] of each
				      tile */
	struct panels p;           /* one, of all tiles */
};

/* Make each row of the table a tile. */
static void arrange(struct tiles *m, struct figure *f,
		    const struct sample *s)
{
	const size_t n = m->height * m->width;
	unsigned char *from = figure_room(f, n * n, 1);

	m->each = from;
	m->levels = figure_room(f, m->rows * m->cols, 1);
	if (!from || !m->levels ||
	    !sample_levels(s, &m->p.colors.map, false, from, &f->err))
		return;
	m->p.missing = levels_missing(f, from, n * n);
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++) {
			const size_t down = i / m->width * (m->height + 1) +
					    j / m->width;
			const size_t across = i % m->width * (m->width + 1) +
					      j % m->width;

			m->levels[down * m->cols + across] = from[i * n + j];
		}
}

/* The rows or columns of the grid, beside the middles of their tiles. */
static void choose_ticks(struct side *s, const struct figure *f, size_t n,
			 int cell)
{
	const struct axis counts = { .step = 1 };
	const int tile = (int)(n + 1) * cell;
	const size_t most = n * (size_t)tile / (size_t)pt(f, 2 * TICK_POINTS);

	ticks_labels(&s->ticks, &counts, 0, n, most + 1);
	ticks_center(&s->ticks, tile);
	for (size_t i = 0; i < s->ticks.n; i++)
		s->ticks.tick[i].at -= cell / 2.0;
	s->bare = true;
}

/* Each tile by itself, with nothing between them. */
static void draw_tiles(struct figure *f, const struct tiles *m)
{
	const size_t n = m->height * m->width;
	const struct box *b = &m->p.box;

	for (size_t i = 0; i < n; i++)
		figure_image(f, b->x + (int)(i % m->width * (m->width + 1)) *
			     m->cell, b->y + (int)(i / m->width *
						   (m->height + 1)) * m->cell,
			     &(struct image){ m->each + i * n, m->height,
					      m->width, m->cell, m->cell });
}

/* All tiles, and the page between them. */
static void draw_joined(struct figure *f, const struct tiles *m)
{
	const struct box *b = &m->p.box;

	figure_image(f, b->x, b->y, &(struct image){
		m->levels, m->rows, m->cols, m->cell, m->cell });
	for (size_t i = 1; i < m->height; i++)
		figure_rect(f, INK_PAGE, b->x, b->y + ((int)(i *
			    (m->height + 1)) - 1) * m->cell, b->w, m->cell);
	for (size_t i = 1; i < m->width; i++)
		figure_rect(f, INK_PAGE, b->x + ((int)(i * (m->width + 1)) -
			    1) * m->cell, b->y, m->cell, b->h);
}

static void draw(struct figure *f, struct tiles *m)
{
	const struct box *b = &m->p.box;

	if (f->transparent)
		draw_tiles(f, m);
	else
		draw_joined(f, m);
	side_left(f, b, &m->p.y, true);
	side_bottom(f, b, &m->p.x, true);
	panels_bar(f, &m->p);
}

static int cell_size(struct figure *f, const struct tiles *m)
{
	const size_t n = m->rows > m->cols ? m->rows : m->cols;
	const int fits = panels_wide(f, WIDE) / (int)n;
	const int most = greatest(pt(f, CELL_MOST), pt(f, WIDE_LEAST) / (int)n);

	return fits < 1 ? 1 : fits < most ? fits : most;
}

static void layout(struct figure *f, const struct table *t,
		   const struct look *look, size_t threads)
{
	struct sample s;
	struct tiles *m;

	if (t->before) {
		before_after_layout(f, t, look, threads);
		return;
	}
	s = sample_all(t, threads);
	m = figure_room(f, 1, sizeof *m);
	if (!m)
		return;
	m->width = t->grid.width;
	m->height = t->grid.height;
	m->rows = m->height * (m->height + 1) - 1;
	m->cols = m->width * (m->width + 1) - 1;
	m->cell = cell_size(f, m);
	m->p.box.w = (int)m->cols * m->cell;
	m->p.box.h = (int)m->rows * m->cell;
	color_scale_choose(&m->p.colors, f, look, &s, LEVELS);
	arrange(m, f, &s);
	if (f->err.text[0])
		return;
	choose_ticks(&m->p.x, f, m->width, m->cell);
	choose_ticks(&m->p.y, f, m->height, m->cell);
	m->p.x.name = (struct name){ "column of the cell", look->xlabel };
	m->p.y.name = (struct name){ "row of the cell", look->ylabel };
	m->p.value = value_name(t, look->zlabel);
	panels_place(f, &m->p, t, look);
	draw(f, m);
}

static bool check_sides(const struct table *t, size_t most, struct error *err)
{
	const struct lattice *g = &t->grid;

	return (g->width <= most && g->height <= most) ||
	       fail(err, "--plot tiles draws grids up to %zu x %zu, got %zu x "
		    "%zu", most, most, g->height, g->width);
}

static bool check(const struct look *look, const struct table *t,
		  size_t planes, size_t rows, struct error *err)
{
	(void)planes;
	(void)rows;
	if (t->before && columns_count(look, t, 1, 1) > 1)
		return fail(err, "--plot tiles draws one column before and "
			    "after, got %zu", columns_count(look, t, 1, 1));
	if (t->before)
		return check_sides(t->before, BEFORE_AFTER_SIDE, err) &&
		       check_sides(t, BEFORE_AFTER_SIDE, err);
	if (t->col_axis.kind != AXIS_CELL)
		return fail(err, "--plot tiles draws the similarity of cells, "
			    "made by 'similarity' with --grid, and a column of "
			    "'resize'; --plot maps draws columns");
	if (look->dims)
		return fail(err, "--dims does not apply to --plot tiles of "
			    "similarities");
	return check_sides(t, SIDE_MOST, err);
}

const struct plot plot_tiles = {
	.bar = true, .columns = true, .cells = true, .check = check,
	.layout = layout,
};
