/* heatmap.c: a table as cells of colour, a panel for each of its planes. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "figure/heat.h"

enum {
	WIDE = 640, HIGH = 512,  /* what all panels are to be, points */
	CELL_MOST = 48,          /* of a square cell, points */
	LONG_MOST = 64,          /* of the longer side of another */
	PIXELS_MOST = 2048,      /* of a panel, before cells share numbers */
	LABELS_FEW = 20,         /* of which each may be shown */
};

#define SPARSE 3.4  /* labels from one to the next, in their size */

static int least(int a, int b)
{
	return a < b ? a : b;
}

/* Stretch cells of a panel that is much shorter this way than the other. */
static void stretch(struct way *w, int other, int most)
{
	const int n = (int)w->cells;

	if (n * w->cell * 3 < other)
		w->cell = greatest(w->cell, least(other / 3 / n, most));
}

/* What a panel is to be, pixels: all of them are as wide as one. */
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

/* The middle of the cell that an index lies in, in pixels. */
static double middle(const struct heat *h, const struct way *w, double index)
{
	const size_t i = (size_t)index;
	const size_t cell = w->columns ? sample_column_of(&h->s, i)
				       : sample_row_of(&h->s, i);

	return ((double)cell + 0.5) * w->cell;
}

/* The ticks of a side with at most so many; how wide the widest is. */
static int label_side(struct way *w, const struct figure *f, int spacing)
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

static void place_ticks(struct heat *h, struct way *w)
{
	for (size_t i = 0; i < w->side.ticks.n; i++)
		w->side.ticks.tick[i].at = middle(h, w,
						  w->side.ticks.tick[i].at);
}

static void choose_ticks(struct heat *h, const struct figure *f)
{
	struct way *x = &h->x, *y = &h->y;
	const bool few = x->cells <= LABELS_FEW;
	int spacing = pt(f, (few ? 1 : SPARSE) * TICK_POINTS), wide;

	label_side(y, f, pt(f, (y->cells <= LABELS_FEW ? 1.5 : SPARSE) *
			       TICK_POINTS));
	wide = label_side(x, f, spacing);
	if (wide + pt(f, TICK_POINTS) > spacing)
		wide = label_side(x, f, wide + pt(f, TICK_POINTS));
	x->side.upright = x->words && wide + pt(f, 4) > x->cell;
	x->side.bare = y->side.bare = h->cells;
	x->side.name = x->axis->name;
	y->side.name = y->axis->name;
	place_ticks(h, x);
	place_ticks(h, y);
}

/* "a cell is the mean of 15 x 15 numbers", where that is so. */
static void make_note(struct heat *h, const struct table *t)
{
	const struct sample *s = &h->s;
	const size_t read = sample_rows_read(s);
	const size_t planes = (t->end - t->begin) / s->rows;
	size_t n = 0;

	if (s->down > 1 || s->across > 1)
		n = (size_t)snprintf(h->note, sizeof h->note,
			"%zu \xc3\x97 %zu numbers; a pixel is the %s %zu "
			"\xc3\x97 %zu%s", s->rows, s->cols,
			s->pick ? "first of" : "mean of", s->down, s->across,
			s->pick || !s->turns || s->across == 1 ? "" :
			", even and odd columns apart");
	if (read < s->down && !s->pick)
		n += (size_t)snprintf(h->note + n, sizeof h->note - n,
				      " (%zu of the rows)", read);
	if (h->panels < planes)
		snprintf(h->note + n, sizeof h->note - n, "%sthe first %zu of "
			 "%zu", n ? "; " : "", h->panels, planes);
}

static bool paint_cells(struct heat *h, struct figure *f,
			const struct look *look)
{
	const size_t n = h->panels * h->s.height * h->s.width;

	h->levels = figure_room(f, n, 1);
	if (!h->levels ||
	    !sample_levels(&h->s, &h->paint.map, look->transpose, h->levels,
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

/* In small, below all. */
static void draw_note(struct figure *f, const char *note)
{
	const int margin = pt(f, MARGIN);

	if (!note[0])
		return;
	f->h += pt(f, NOTE_POINTS);
	f->w = greatest(f->w, 2 * margin + figure_width(f, NOTE_POINTS, note));
	figure_text(f, INK_MUTED, NOTE_POINTS, margin, f->h - pt(f, 10), note);
}

/* Where things go: the panels side by side, the bar to their right. */
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
		bar_make(&h->bar, f, &h->paint, high - label, h->none);
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
		bar_draw(f, &h->bar, &h->paint, left + shift + wide + margin,
			 top + label + (body - h->bar.h) / 2);
	draw_note(f, h->note);
}

void layout_heatmap(struct figure *f, const struct table *t,
		    const struct look *look, size_t threads)
{
	struct heat h = { .s = sample_all(t, threads),
			  .cells = look->plot == CELLS };
	const struct way down = { .axis = &t->down, .n = h.s.rows,
				  .first = t->begin % t->rows,
				  .words = look->words };
	const struct way across = { .axis = &t->across, .n = h.s.cols,
				    .columns = true,
				    .words = look_words_across(look, t)
					     ? look->words : NULL };

	h.x = look->transpose ? down : across;
	h.y = look->transpose ? across : down;
	panels_grid(&h);
	share_cells(&h, f, look);
	paint_choose(&h.paint, f, look, &h.s,
		     h.cells ? CELLS_LEVELS : LEVELS);
	size_cells(&h, f, look);
	choose_ticks(&h, f);
	make_note(&h, t);
	if (paint_cells(&h, f, look))
		place(f, &h, t, look);
}
