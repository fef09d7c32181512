/* cells.c: the values of a heat map, as text in its cells. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "figure/heat.h"

enum {
	CELLS_MOST = 32,         /* rows, and columns */
	CELL_WIDE_LEAST = 36,    /* points */
	CELL_HIGH = 28,
	PADDING = 8,             /* on both sides of a value, points */
	DECIMALS_BELOW = 1000,   /* greater values have no decimals */
};

/* How all values are written, so that decimal points are aligned. */
enum form { WHOLE, DECIMALS, DIGITS };

static enum form form_of(const struct heat *h)
{
	const struct colormap *m = &h->p.colors.map;
	const double most = fmax(fabs(m->lo), fabs(m->hi));

	if (dtype_integer(h->s.t->dtype))
		return WHOLE;
	return most < DECIMALS_BELOW && most >= 0.1 ? DECIMALS : DIGITS;
}

static void cell_text(char text[TICK_TEXT], enum form form, int digits,
		      double x)
{
	char plain[TICK_PLAIN];

	if (isnan(x))
		snprintf(plain, sizeof plain, "NaN");
	else if (form == WHOLE)
		snprintf(plain, sizeof plain, "%.0f", x);
	else if (form == DECIMALS && fabs(x) < DECIMALS_BELOW)
		snprintf(plain, sizeof plain, "%.*f", digits, x);
	else
		snprintf(plain, sizeof plain, "%.*g", digits, x);
	if (plain[0] == '-' && strspn(plain + 1, "0.") == strlen(plain + 1))
		memmove(plain, plain + 1, strlen(plain));
	tick_minus(text, plain);
}

/* Called with the text of the value in row i and column j of a panel. */
typedef void cell_visit(void *self, size_t i, size_t j, const char *text);

static void visit_cells(struct error *err, const struct heat *h, size_t panel,
			cell_visit *visit, void *self)
{
	const struct table *t = h->s.t;
	const enum form form = form_of(h);
	struct table memory = { 0 };
	double *scratch = table_alloc(&memory, t->cols, sizeof *scratch, err);

	for (size_t i = 0; scratch && i < h->s.rows; i++) {
		table_rows(t, F64, t->begin + panel * h->s.rows + i, 1, NULL,
			   scratch);
		for (size_t j = 0; j < t->cols; j++) {
			char text[TICK_TEXT];

			cell_text(text, form, h->digits,
				  dtype_round(t->dtype, scratch[j]));
			visit(self, i, j, text);
		}
	}
	table_close(&memory);
}

struct widest {
	const struct figure *f;
	int w;
};

static void widen(void *self, size_t i, size_t j, const char *text)
{
	struct widest *w = self;
	const int width = figure_width(w->f, TICK_POINTS, text);

	(void)i;
	(void)j;
	w->w = width > w->w ? width : w->w;
}

void cells_size(struct heat *h, struct figure *f)
{
	struct widest w = { .f = f, .w = pt(f, CELL_WIDE_LEAST - 2 * PADDING) };

	for (size_t i = 0; i < h->panels; i++)
		visit_cells(&f->err, h, i, widen, &w);
	if (f->fixed)
		w.w = greatest(w.w, figure_width(f, TICK_POINTS,
						 "\xe2\x88\x92" "0.00000"));
	w.w += pt(f, 2 * PADDING);
	h->x.cell = f->high ? greatest(h->x.cell, w.w) : w.w;
	h->y.cell = f->high ? greatest(h->y.cell, pt(f, CELL_HIGH))
			    : pt(f, CELL_HIGH);
}

struct panel {
	struct figure *f;
	const struct heat *h;
	const unsigned char *levels;
	const struct box *b;
};

/* Black or white, whichever has more contrast. */
static int ink_on(struct color c)
{
	return color_luminance(c) > 0.179 ? INK_BLACK : INK_WHITE;
}

static void write_cell(void *self, size_t i, size_t j, const char *text)
{
	const struct panel *p = self;
	const struct heat *h = p->h;
	const bool turned = !h->x.columns;
	const int x = (int)(turned ? i : j), y = (int)(turned ? j : i);
	const int level = p->levels[(size_t)y * h->x.cells + (size_t)x];
	const int gap = p->f->scale;

	if (p->f->transparent)
		figure_rect(p->f, level, p->b->x + x * h->x.cell + gap,
			    p->b->y + y * h->y.cell + gap,
			    h->x.cell - 2 * gap, h->y.cell - 2 * gap);
	figure_text(p->f, ink_on(p->f->palette[level]), TICK_POINTS,
		    p->b->x + x * h->x.cell + h->x.cell / 2,
		    p->b->y + y * h->y.cell + h->y.cell / 2 +
		    cap_height(p->f, TICK_POINTS) / 2, text)->anchor =
		ANCHOR_MIDDLE;
}

void cells_draw(struct figure *f, const struct heat *h, size_t panel,
		const struct box *b)
{
	const size_t n = h->x.cells * h->y.cells;
	struct panel p = { f, h, h->levels + panel * n, b };

	for (size_t i = 1; i < h->x.cells && !f->transparent; i++)
		figure_rect(f, INK_PAGE, b->x + (int)i * h->x.cell - f->scale,
			    b->y, 2 * f->scale, b->h);
	for (size_t i = 1; i < h->y.cells && !f->transparent; i++)
		figure_rect(f, INK_PAGE, b->x, b->y + (int)i * h->y.cell -
			    f->scale, b->w, 2 * f->scale);
	visit_cells(&f->err, h, panel, write_cell, &p);
}

static void layout_cells(struct figure *f, const struct table *t,
			 const struct look *look, size_t threads)
{
	heat_layout(f, t, look, threads, HEAT_CELLS);
}

static bool check_cells(const struct look *look, const struct table *t,
			size_t planes, size_t rows, struct error *err)
{
	(void)look;
	(void)planes;
	return (rows <= CELLS_MOST && t->cols <= CELLS_MOST) ||
	       fail(err, "--plot cells draws at most %d x %d values, got "
		    "%zu x %zu", CELLS_MOST, CELLS_MOST, rows, t->cols);
}

const struct plot plot_cells = {
	.panels = true, .transposes = true, .check = check_cells,
	.layout = layout_cells,
};
