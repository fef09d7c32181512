/* heatmap.c: a table as coloured cells, one panel for each plane. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "figure/layout.h"

/* The columns or the rows of a panel. */
struct heat_axis {
	const struct axis *axis;
	size_t first, n;     /* indices of the axis */
	size_t cells;
	int cell;            /* pixels of a cell */
	bool columns;        /* the table's columns, not its rows */
	const char *words;   /* labels, or NULL */
	struct side side;
};

struct heat {
	struct sample s;
	struct color_scale colors;
	struct heat_axis x, y;
	size_t panels, per_row, rows;
	bool none;           /* some value is NaN or hidden */
	unsigned char *levels;
	bool cells;          /* each with its value as text */
	struct heading heading;
	struct bar bar;
	char note[240];      /* six of the largest integers fit */
};

enum {
	PANELS_MOST = 64,
	APART = 18,              /* space between panels, points */
};

/* The number of panels, and of those side by side: a divisor if possible. */
static void panels_grid(struct heat *h)
{
	size_t n = 1;

	h->panels = h->s.planes < PANELS_MOST ? h->s.planes : PANELS_MOST;
	while (n * n < h->panels)
		n++;
	h->per_row = n;
	for (size_t k = n; k <= 2 * n; k++)
		if (h->panels % k == 0) {
			h->per_row = k;
			break;
		}
	h->rows = (h->panels + h->per_row - 1) / h->per_row;
	h->s.planes = h->panels;
}

/* Whether each panel has a title: it is one of several. */
static bool panels_titled(const struct table *t)
{
	return t->planes > 1;
}

static void panel_title(const struct table *t, size_t i,
			char title[2 * TICK_TEXT])
{
	char text[TICK_TEXT];

	tick_text(text, axis_label(&t->plane_axis, t->begin / t->rows + i));
	snprintf(title, (size_t)2 * TICK_TEXT, "%s %s", t->plane_axis.name,
		 text);
}

/* The space between panels of that width, so that no titles overlap. */
static int panels_apart(const struct figure *f, const struct heat *h,
			const struct table *t, int width)
{
	int most = pt(f, APART);

	for (size_t i = 0; i < h->panels && panels_titled(t); i++) {
		char title[2 * TICK_TEXT];

		panel_title(t, i, title);
		most = greatest(most, pt(f, GAP) - width +
				      figure_width(f, TICK_POINTS, title));
	}
	return most;
}

enum {
	CELL_WIDE_LEAST = 36,    /* points */
	CELL_HIGH = 28,
	PADDING = 8,             /* on both sides of a value, points */
	DECIMALS_BELOW = 1000,   /* greater values have no decimals */
};

/* How all values are written, so that decimal points are aligned. */
enum form { WHOLE, DECIMALS, DIGITS };

static enum form form_of(const struct heat *h)
{
	const struct colormap *m = &h->colors.map;
	const double most = fmax(fabs(m->lo), fabs(m->hi));

	if (dtype_integer(h->s.t->dtype))
		return WHOLE;
	return most < DECIMALS_BELOW && most >= 0.1 ? DECIMALS : DIGITS;
}

static void cell_text(char text[TICK_TEXT], enum form form, double x)
{
	char plain[TICK_PLAIN];

	if (isnan(x))
		snprintf(plain, sizeof plain, "NaN");
	else if (form == WHOLE)
		snprintf(plain, sizeof plain, "%.0f", x);
	else if (form == DECIMALS && fabs(x) < DECIMALS_BELOW)
		snprintf(plain, sizeof plain, "%.3f", x);
	else
		snprintf(plain, sizeof plain, "%.3g", x);
	if (strcmp(plain, "-0.000") == 0)
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

			cell_text(text, form,
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

/* Make cells as wide as the widest value. */
static void cells_size(struct heat *h, struct figure *f)
{
	struct widest w = { .f = f, .w = pt(f, CELL_WIDE_LEAST - 2 * PADDING) };

	for (size_t i = 0; i < h->panels; i++)
		visit_cells(&f->err, h, i, widen, &w);
	h->x.cell = w.w + pt(f, 2 * PADDING);
	h->y.cell = pt(f, CELL_HIGH);
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
		    cap_height(p->f, TICK_POINTS) / 2, text)->anchor =
		ANCHOR_MIDDLE;
}

/* The values of a panel in their cells, and lines between the cells. */
static void cells_draw(struct figure *f, const struct heat *h, size_t panel,
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

enum {
	WIDE = 640, HIGH = 512,  /* of all panels together, points */
	CELL_MOST = 48,          /* of a square cell, points */
	LONG_MOST = 64,          /* of the longer side of another */
	PIXELS_MOST = 2048,      /* of a panel; larger tables are sampled */
	LABELS_FEW = 20,         /* up to here each may be shown */
};

#define SPARSE 3.4  /* distance of labels, in font sizes */

static int least(int a, int b)
{
	return a < b ? a : b;
}

/* Enlarge cells of an axis that is much shorter than the other. */
static void stretch(struct heat_axis *w, int other, int most)
{
	const int n = (int)w->cells;

	if (n * w->cell * 3 < other)
		w->cell = greatest(w->cell, least(other / 3 / n, most));
}

/* The width of a panel, pixels: all together are as wide as one alone. */
static int panel_room(const struct heat *h, const struct figure *f)
{
	return pt(f, WIDE) / (int)h->per_row -
	       (h->panels > 1 ? pt(f, APART) : 0);
}

static void share_cells(struct heat *h, const struct figure *f,
			const struct look *look)
{
	const size_t most = h->panels > 1 ? (size_t)panel_room(h, f)
					  : PIXELS_MOST;

	if (!look->cell)
		sample_shrink(&h->s, most, most);
	h->x.cells = look->transpose ? h->s.height : h->s.width;
	h->y.cells = look->transpose ? h->s.width : h->s.height;
}

static void size_cells(struct heat *h, struct figure *f,
		       const struct look *look)
{
	const int wide = panel_room(h, f);
	const int high = h->panels > 1 ? wide : pt(f, HIGH);
	const int cell = least(wide / (int)h->x.cells,
			       high / (int)h->y.cells);

	h->x.cell = h->y.cell = greatest(least(cell, pt(f, CELL_MOST)), 1);
	stretch(&h->x, (int)h->y.cells * h->y.cell, pt(f, LONG_MOST));
	stretch(&h->y, (int)h->x.cells * h->x.cell, pt(f, LONG_MOST));
	if (look->cell)
		h->x.cell = h->y.cell = (int)look->cell;
	else if (h->cells)
		cells_size(h, f);
}

/* The middle of the cell of an index, in pixels. */
static double middle(const struct heat *h, const struct heat_axis *w,
		     double index)
{
	const size_t i = (size_t)index;
	const size_t cell = w->columns ? sample_column_of(&h->s, i)
				       : sample_row_of(&h->s, i);

	return ((double)cell + 0.5) * w->cell;
}

/* Ticks at least spacing pixels apart; the width of the widest label. */
static int label_side(struct heat_axis *w, const struct figure *f, int spacing)
{
	struct ticks *ticks = &w->side.ticks;
	const size_t most = (size_t)((int)w->cells * w->cell / spacing) + 1;

	if (w->words)
		ticks_words(ticks, w->words, w->n, (size_t)((int)w->cells *
			    w->cell / pt(f, 1.2 * TICK_POINTS)) + 1);
	else
		ticks_labels(ticks, w->axis, w->first, w->n, most);
	return ticks_width(f, ticks);
}

static void place_ticks(struct heat *h, struct heat_axis *w)
{
	for (size_t i = 0; i < w->side.ticks.n; i++)
		w->side.ticks.tick[i].at = middle(h, w,
						  w->side.ticks.tick[i].at);
}

static void choose_ticks(struct heat *h, const struct figure *f)
{
	struct heat_axis *x = &h->x, *y = &h->y;
	const bool few = x->cells <= LABELS_FEW;
	int spacing = pt(f, (few ? 1 : SPARSE) * TICK_POINTS), wide;

	label_side(y, f, pt(f, (y->cells <= LABELS_FEW ? 1.5 : SPARSE) *
			       TICK_POINTS));
	wide = label_side(x, f, spacing);
	if (wide + pt(f, TICK_POINTS) > spacing)
		wide = label_side(x, f, wide + pt(f, TICK_POINTS));
	x->side.upright = x->words && wide + pt(f, 4) > x->cell;
	x->side.bare = y->side.bare = h->cells;
	x->side.name.usual = x->axis->name;
	y->side.name.usual = y->axis->name;
	place_ticks(h, x);
	place_ticks(h, y);
}

/* What was reduced: "each pixel is the mean of 15 x 15". */
static void make_note(struct heat *h, const struct table *t)
{
	const struct sample *s = &h->s;
	const size_t read = sample_rows_read(s);
	const size_t planes = (t->end - t->begin) / s->rows;
	size_t n = 0;

	if (s->cell_rows > 1 || s->cell_cols > 1)
		n = (size_t)snprintf(h->note, sizeof h->note,
			"%zu \xc3\x97 %zu values; each pixel is the %s of "
			"%zu \xc3\x97 %zu%s", s->rows, s->cols,
			s->first ? "first" : "mean", s->cell_rows,
			s->cell_cols, s->first || !s->interleaved ||
			s->cell_cols == 1 ? "" :
			", even and odd columns separately");
	if (read < s->cell_rows && !s->first)
		n += (size_t)snprintf(h->note + n, sizeof h->note - n,
				      " (%zu of the rows)", read);
	if (h->panels < planes)
		snprintf(h->note + n, sizeof h->note - n, "%sthe first %zu of "
			 "%zu", n ? "; " : "", h->panels, planes);
}

static bool fill_levels(struct heat *h, struct figure *f,
			const struct look *look)
{
	const size_t n = h->panels * h->s.height * h->s.width;

	h->levels = figure_room(f, n, 1);
	if (!h->levels ||
	    !sample_levels(&h->s, &h->colors.map, look->transpose, h->levels,
			   &f->err))
		return false;
	h->none = memchr(h->levels, f->levels, n);
	return true;
}

static void draw_panel(struct figure *f, struct heat *h,
		       const struct table *t, size_t i, const struct box *b)
{
	const size_t below = i + h->per_row;
	struct item *item = figure_add(f, ITEM_IMAGE, 0);
	char title[2 * TICK_TEXT];

	item->x = b->x;
	item->y = b->y;
	item->w = h->x.cell;
	item->h = h->y.cell;
	item->cols = h->x.cells;
	item->rows = h->y.cells;
	item->levels = h->levels + i * item->cols * item->rows;
	if (h->cells)
		cells_draw(f, h, i, b);
	else
		frame(f, b);
	side_left(f, b, &h->y.side, i % h->per_row == 0);
	side_bottom(f, b, &h->x.side, below >= h->panels);
	if (!panels_titled(t))
		return;
	panel_title(t, i, title);
	figure_text(f, INK_TEXT, TICK_POINTS, b->x + b->w / 2,
		    b->y - pt(f, GAP), title)->anchor = ANCHOR_MIDDLE;
}

/* Below the figure, in small text. */
static void draw_note(struct figure *f, const char *note)
{
	const int margin = pt(f, MARGIN);

	if (!note[0])
		return;
	f->h += pt(f, NOTE_POINTS);
	f->w = greatest(f->w, 2 * margin + figure_width(f, NOTE_POINTS, note));
	figure_text(f, INK_MUTED, NOTE_POINTS, margin, f->h - pt(f, 10), note);
}

/* The panels side by side, the colour bar to their right. */
static void place(struct figure *f, struct heat *h, const struct table *t,
		  const struct look *look)
{
	const int margin = pt(f, MARGIN);
	const int label = panels_titled(t) ? pt(f, GAP + TICK_POINTS) : 0;
	const struct box panel = { 0, 0, (int)h->x.cells * h->x.cell,
				   (int)h->y.cells * h->y.cell };
	const int apart = panels_apart(f, h, t, panel.w);
	const int wide = (int)h->per_row * (panel.w + apart) - apart;
	const int high = (int)h->rows * (panel.h + label + apart) - apart;
	const int out = greatest(side_bottom_out(f, &h->x.side, panel.w),
				 (apart - pt(f, APART)) / 2);
	const int left = greatest(side_left_room(f, &h->y.side), out) + margin;
	int top, middle, shift, body;

	if (!h->cells)
		bar_make(&h->bar, f, &h->colors, value_name(t, look->zlabel),
			 high - label, h->none);
	heading_make(&h->heading, f, t, look, wide);
	top = margin + h->heading.h + pt(f, GAP);
	body = greatest(high - label, h->bar.h +
			(h->none ? pt(f, GAP + 16) : 0));
	shift = greatest(0, margin + h->heading.w / 2 - left - wide / 2);
	middle = left + shift + wide / 2;
	f->w = greatest(left + shift + wide +
			greatest(out, h->cells ? 0 : margin + h->bar.room),
			middle + h->heading.w / 2) + margin;
	f->h = top + label + body + side_bottom_room(f, &h->x.side) + margin;
	heading_draw(f, &h->heading, middle, margin);
	for (size_t i = 0; i < h->panels; i++) {
		struct box b = panel;

		b.x = left + shift + (int)(i % h->per_row) * (b.w + apart);
		b.y = top + label + (body - high + label) / 2 +
		      (int)(i / h->per_row) * (b.h + label + apart);
		draw_panel(f, h, t, i, &b);
	}
	if (!h->cells)
		bar_draw(f, &h->bar, &h->colors, left + shift + wide + margin,
			 top + label + (body - h->bar.h) / 2);
	draw_note(f, h->note);
}

void layout_heatmap(struct figure *f, const struct table *t,
		    const struct look *look, size_t threads)
{
	/* Not on the stack, which may have 64 KiB */
	struct heat *h = figure_room(f, 1, sizeof *h);
	struct heat_axis down = { .axis = &t->row_axis,
				  .first = t->begin % t->rows,
				  .words = look->words };
	struct heat_axis across = { .axis = &t->col_axis, .columns = true,
				    .words = look_words_across(look, t)
					     ? look->words : NULL };

	if (!h)
		return;
	h->s = sample_all(t, threads);
	h->cells = look->plot == CELLS;
	down.n = h->s.rows;
	across.n = h->s.cols;
	h->x = look->transpose ? down : across;
	h->y = look->transpose ? across : down;
	h->x.side.name.given = look->xlabel;
	h->y.side.name.given = look->ylabel;
	panels_grid(h);
	share_cells(h, f, look);
	color_scale_choose(&h->colors, f, look, &h->s,
			   h->cells ? CELLS_LEVELS : LEVELS);
	size_cells(h, f, look);
	choose_ticks(h, f);
	make_note(h, t);
	if (fill_levels(h, f, look))
		place(f, h, t, look);
}
