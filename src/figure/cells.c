/* cells.c: the numbers in the cells of a small table. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "figure/heat.h"

enum {
	WIDE_LEAST = 36, HIGH = 28,  /* of a cell, points */
	BESIDE = 8,                  /* a number, points */
	ENOUGH = 1000,               /* from here on digits are not decimals */
};

/* How all numbers are written, so that their points stand in line. */
enum form { WHOLE, DECIMALS, DIGITS };

static enum form form_of(const struct heat *h)
{
	const struct colormap *m = &h->paint.map;
	const double most = fmax(fabs(m->lo), fabs(m->hi));

	if (dtype_integer(h->s.t->dtype))
		return WHOLE;
	return most < ENOUGH && most >= 0.1 ? DECIMALS : DIGITS;
}

static void cell_text(char text[TICK_TEXT], enum form form, double x)
{
	char plain[TICK_PLAIN];

	if (isnan(x))
		snprintf(plain, sizeof plain, "NaN");
	else if (form == WHOLE)
		snprintf(plain, sizeof plain, "%.0f", x);
	else if (form == DECIMALS && fabs(x) < ENOUGH)
		snprintf(plain, sizeof plain, "%.3f", x);
	else
		snprintf(plain, sizeof plain, "%.3g", x);
	if (strcmp(plain, "-0.000") == 0)
		memmove(plain, plain + 1, strlen(plain));
	tick_minus(text, plain);
}

/* What is done with each number of a panel, of column j and row i of it. */
typedef void cell_visit(void *self, size_t i, size_t j, const char *text);

static void visit_cells(struct error *err, const struct heat *h, size_t panel,
			cell_visit *visit, void *self)
{
	const struct table *t = h->s.t;
	const enum form form = form_of(h);
	struct table memory = { 0 };
	double *scratch = table_alloc(&memory, t->cols, sizeof *scratch, err);

	for (size_t i = 0; scratch && i < h->s.rows; i++) {
		const double *x = t->row(t, t->begin + panel * h->s.rows + i,
					 scratch);

		for (size_t j = 0; j < t->cols; j++) {
			char text[TICK_TEXT];

			cell_text(text, form, dtype_round(t->dtype, x[j]));
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
	struct widest w = { .f = f, .w = pt(f, WIDE_LEAST - 2 * BESIDE) };

	for (size_t i = 0; i < h->panels; i++)
		visit_cells(&f->err, h, i, widen, &w);
	h->x.cell = w.w + pt(f, 2 * BESIDE);
	h->y.cell = pt(f, HIGH);
}

struct panel {
	struct figure *f;
	const struct heat *h;
	const unsigned char *levels;
	const struct box *b;
};

/* Black or white, whichever stands out more. */
static int ink_on(struct color c)
{
	const double red = c.red / 255.0, green = c.green / 255.0,
		     blue = c.blue / 255.0;
	const double luminance = 0.2126 * red * red + 0.7152 * green * green +
				 0.0722 * blue * blue;

	return luminance > 0.179 ? INK_BLACK : INK_WHITE;
}

static void write_cell(void *self, size_t i, size_t j, const char *text)
{
	const struct panel *p = self;
	const struct heat *h = p->h;
	const bool turned = !h->x.columns;
	const int x = (int)(turned ? i : j), y = (int)(turned ? j : i);
	const int level = p->levels[(size_t)y * h->x.cells + (size_t)x];

	figure_text(p->f, ink_on(p->f->palette[level]), TICK_POINTS,
		    p->b->x + x * h->x.cell + h->x.cell / 2,
		    p->b->y + y * h->y.cell + h->y.cell / 2 +
		    rise(p->f, TICK_POINTS) / 2, text)->anchor = ANCHOR_MIDDLE;
}

void cells_draw(struct figure *f, const struct heat *h, size_t panel,
		const struct box *b)
{
	const size_t n = h->x.cells * h->y.cells;
	struct panel p = { f, h, h->levels + panel * n, b };

	for (size_t i = 1; i < h->x.cells; i++)
		figure_rect(f, INK_PAGE, b->x + (int)i * h->x.cell - f->scale,
			    b->y, 2 * f->scale, b->h);
	for (size_t i = 1; i < h->y.cells; i++)
		figure_rect(f, INK_PAGE, b->x, b->y + (int)i * h->y.cell -
			    f->scale, b->w, 2 * f->scale);
	visit_cells(&f->err, h, panel, write_cell, &p);
}
