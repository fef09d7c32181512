/* heatmap.c: a table as coloured cells, one panel for each plane. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "text/utf8.h"
#include "figure/marks.h"

enum { PANELS_MOST = 64 };

/* Whether each panel has a title: it is one of several, or has a name. */
static bool panels_titled(const struct table *t)
{
	return t->planes > 1 || t->plane_axis.names;
}

enum { PANEL_TITLE = 4 * TICK_TEXT };

static size_t title_begin(const struct figure *f, const struct table *t,
			  size_t i, char title[PANEL_TITLE])
{
	const struct axis *a = &t->plane_axis;

	return index_name(title, PANEL_TITLE, a,
			  a->names ? i : t->begin / t->rows + i,
			  f->language);
}

/* As "%.3g" writes it. */
#define END_LONGEST "\xe2\x88\x92" "8.88e\xe2\x88\x92" "88"
#define RANGE_LONGEST " (" END_LONGEST " to " END_LONGEST ")"

/* "head 3"; with a range of its own, "head 3 (-1.94 to 0)". */
static void panel_title(const struct heat *h, const struct figure *f,
			const struct table *t, size_t i,
			char title[PANEL_TITLE])
{
	char ends[2][TICK_TEXT], plain[TICK_PLAIN];
	const size_t n = title_begin(f, t, i, title);

	if (!h->spans || h->spans[i].x > h->spans[i].y)
		return;
	for (int k = 0; k < 2; k++) {
		snprintf(plain, sizeof plain, "%.3g",
			 /* not -0 */
			 (k ? h->spans[i].y : h->spans[i].x) + 0.0);
		tick_minus(ends[k], plain);
	}
	snprintf(title + n, PANEL_TITLE - n, " (%s to %s)", ends[0],
		 ends[1]);
}

/* The width of the widest title of a panel. */
static int titles_width(const struct figure *f, const struct heat *h)
{
	const struct table *t = h->s.t;
	int most = 1;

	for (size_t i = 0; i < h->panels && panels_titled(t); i++) {
		char title[PANEL_TITLE];

		if (f->fixed && h->spans)
			title_begin(f, t, i, title);
		else
			panel_title(h, f, t, i, title);
		most = greatest(most, figure_width(f, TICK_POINTS, title));
	}
	if (f->fixed && h->spans)
		most += figure_width(f, TICK_POINTS, RANGE_LONGEST);
	return most;
}

/* The side of square panels if so many are side by side on the page. */
static int side_of_panels(const struct heat *h, const struct figure *f,
			  size_t across)
{
	const size_t down = (h->panels + across - 1) / across;
	const int wide = greatest(f->wide - pt(f, BESIDE), f->wide / 4) /
			 (int)across;
	const int high = greatest(f->high - pt(f, BESIDE), f->high / 4) /
			 (int)down;

	return f->high && high < wide ? high : wide;
}

/*
 * The number of panels side by side with which they are largest on a page of a
 * given height; one of full rows, if those are about as large.
 */
static size_t largest(const struct heat *h, const struct figure *f, size_t most)
{
	size_t best = 1;

	for (size_t k = 2; k <= most && k <= h->panels; k++) {
		const bool full = h->panels % k == 0;
		const int side = side_of_panels(h, f, k);
		const int other = side_of_panels(h, f, best);

		if (full == (h->panels % best == 0) ? side > other
		    : full ? 5 * side > 4 * other : 4 * side > 5 * other)
			best = k;
	}
	return best;
}

/* How many panels are side by side with --width: as fit, in full rows if so. */
static size_t fitting(const struct heat *h, const struct figure *f,
		      const struct look *look)
{
	double lo, hi;
	const int range = look_span(look, &lo, &hi) != SPAN_EACH ? 0
		: figure_width(f, TICK_POINTS, RANGE_LONGEST);
	const int wide = titles_width(f, h) + range + pt(f, APART);
	const int most = (f->wide - pt(f, BESIDE)) / wide;
	const size_t fit = most > 1 ? (size_t)most : 1;

	if (f->high)
		return largest(h, f, fit);
	for (size_t k = fit; 2 * k > fit; k--)
		if (h->panels % k == 0)
			return k;
	return fit;
}

/* The number of panels, and of those side by side: a divisor if possible. */
static void panels_grid(struct heat *h, const struct figure *f,
			const struct look *look)
{
	size_t n = 1, across;

	h->panels = h->s.planes < PANELS_MOST ? h->s.planes : PANELS_MOST;
	while (n * n < h->panels)
		n++;
	across = n;
	for (size_t k = n; k <= 2 * n; k++)
		if (h->panels % k == 0) {
			across = k;
			break;
		}
	if (f->wide && (f->high || fitting(h, f, look) < across))
		across = fitting(h, f, look);
	if (h->sum)
		across = h->panels;
	if (look->across)
		across = look->across;
	h->p.across = (int)across;
	h->p.down = (int)((h->panels + across - 1) / across);
	h->s.planes = h->panels;
}

enum {
	WIDE = 640, HIGH = 512,  /* of all panels together, points */
	CELL_MOST = 48,          /* of a square cell, points */
	LONG_MOST = 64,          /* of the longer side of another */
	PIXELS_MOST = 2048,      /* of a panel; larger tables are sampled */
	LABELS_FEW = 20,         /* up to here each may be shown */
};

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
static int panel_room(const struct heat *h, struct figure *f)
{
	const int room = panels_wide(f, WIDE) / h->p.across -
			 (h->panels > 1 ? pt(f, APART) : 0);

	/* Panels with --width are not narrower than their titles */
	return greatest(room, f->wide ? titles_width(f, h) : 1);
}

/* The height of a panel so wide. */
static int panel_height(const struct heat *h, struct figure *f, int wide)
{
	if (f->high)
		return greatest(panels_high(f, HIGH) / h->p.down,
				pt(f, 2 * TICK_POINTS));
	return h->panels > 1 ? wide : panels_high(f, HIGH);
}

static void share_cells(struct heat *h, struct figure *f,
			const struct look *look)
{
	const int room = panel_room(h, f);
	const int high = f->high ? panel_height(h, f, room) : room;
	const bool all = h->panels == 1 && !f->wide;
	const size_t x = (size_t)(all ? PIXELS_MOST : least(room, PIXELS_MOST));
	const size_t y = (size_t)(all ? PIXELS_MOST : least(high, PIXELS_MOST));

	if (!look->cell)
		sample_shrink(&h->s, look->transpose ? x : y,
			      look->transpose ? y : x);
	sample_means(&h->s, &f->memory, &f->err);
	h->x.cells = look->transpose ? h->s.height : h->s.width;
	h->y.cells = look->transpose ? h->s.width : h->s.height;
}

static void size_cells(struct heat *h, struct figure *f,
		       const struct look *look)
{
	const int wide = panel_room(h, f);
	const int high = panel_height(h, f, wide);
	const int most = f->wide ? greatest(wide, high) : pt(f, CELL_MOST);
	const int cell = least(wide / (int)h->x.cells,
			       high / (int)h->y.cells);

	h->x.cell = h->y.cell = greatest(least(cell, most), 1);
	stretch(&h->x, (int)h->y.cells * h->y.cell, pt(f, LONG_MOST));
	stretch(&h->y, (int)h->x.cells * h->x.cell, pt(f, LONG_MOST));
	if (h->fills) {
		h->x.cell = greatest(wide / (int)h->x.cells, 1);
		h->y.cell = greatest(high / (int)h->y.cells, 1);
	}
	if (h->sum && h->y.cells <= LABELS_FEW)  /* each has a label */
		h->y.cell = greatest(h->y.cell, pt(f, 1.4 * TICK_POINTS));
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

/* Whether its labels are words. */
static bool named(const struct heat_axis *w)
{
	return w->words || w->axis->names;
}

/* Ticks at least spacing pixels apart; the width of the widest label. */
static int label_side(struct heat_axis *w, const struct figure *f, int spacing)
{
	struct ticks *ticks = &w->side->ticks;
	const size_t most = (size_t)((int)w->cells * w->cell / spacing) + 1;

	if (named(w))
		ticks_words(ticks, w->words, w->axis->names, w->n,
			    (size_t)((int)w->cells * w->cell /
				     pt(f, 1.2 * TICK_POINTS)) + 1);
	else
		ticks_labels(ticks, w->axis, w->first, w->n, most);
	if (named(w))
		ticks_cut(f, ticks);
	return ticks_width(f, ticks);
}

static void place_ticks(struct heat *h, struct heat_axis *w)
{
	for (size_t i = 0; i < w->side->ticks.n; i++)
		w->side->ticks.tick[i].at = middle(h, w,
						  w->side->ticks.tick[i].at);
}

/* Words are no ids; and one row that is named as its values, "slope", is no
   axis. */
static void name_axis(struct heat_axis *w, const struct table *t)
{
	const char *name = w->axis->kind == AXIS_ID && w->words ? "token"
								: w->axis->name;

	w->side->name.usual = name;
	if (w->n == 1 && !named(w) &&
	    strcmp(name, value_name(t, NULL).usual) == 0) {
		w->side->name.usual = "";
		w->side->ticks.n = 0;
	}
}

static void choose_ticks(struct heat *h, const struct figure *f)
{
	struct heat_axis *x = &h->x, *y = &h->y;
	const bool few = x->cells <= LABELS_FEW;
	int spacing = pt(f, (few ? 1 : sparse(f)) * TICK_POINTS), wide;

	label_side(y, f, pt(f, (y->cells <= LABELS_FEW ? 1.5 : sparse(f)) *
			       TICK_POINTS));
	wide = label_side(x, f, spacing);
	if (wide + pt(f, TICK_POINTS) > spacing)
		wide = label_side(x, f, wide + pt(f, TICK_POINTS));
	h->p.x.upright = named(x) && wide + pt(f, 4) > x->cell;
	h->p.x.bare = h->p.y.bare = h->cells;
	name_axis(x, h->s.t);
	name_axis(y, h->s.t);
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

/* The levels of one panel, over the range of its own values. */
static bool fill_panel(struct heat *h, struct figure *f, size_t i,
		       const struct look *look)
{
	const size_t n = h->s.height * h->s.width;
	struct table part = *h->s.t;
	struct sample one = h->s;
	struct colormap map = h->p.colors.map;
	struct point *span = &h->spans[i];

	part.begin += i * part.rows;
	one.t = &part;
	one.planes = 1;
	if (!sample_range(&one, &span->x, &span->y, &f->err))
		return false;
	if (map.lo < 0 && map.hi > 0 && span->x <= span->y)
		look_center(&span->x, &span->y);
	if (span->x <= span->y) {
		map.lo = span->x;
		map.hi = span->y;
		look_widen(&map.lo, &map.hi);
	}
	return sample_levels(&one, &map, look->transpose, h->levels + i * n,
			     &f->err);
}

static bool fill_panels(struct heat *h, struct figure *f,
			const struct look *look)
{
	h->spans = figure_room(f, h->panels, sizeof *h->spans);
	for (size_t i = 0; i < h->panels; i++)
		if (!h->spans || !fill_panel(h, f, i, look))
			return false;
	return true;
}

/* Whether a query may look at a key; a causal model masks those behind it. */
static bool is_visible(const struct table *t, size_t query, size_t key)
{
	return t->visible ? t->visible[query * t->cols + key]
			  : (long)key <= (long)query + t->past;
}

/*
 * Cells of which a mask hides all have the colour of -inf, as they have in
 * logits, in all panels.
 */
static void hide_masked(struct heat *h, struct figure *f)
{
	const struct sample *s = &h->s;
	const size_t n = s->height * s->width, first = s->t->begin % s->t->rows;
	unsigned char *shown;

	h->p.colors.masked = masked_name(s->t);
	shown = h->p.colors.masked ? figure_room(f, n, 1) : NULL;
	for (size_t i = 0; shown && i < s->rows * s->cols; i++) {
		const size_t row = sample_row_of(s, i / s->cols);
		const size_t column = sample_column_of(s, i % s->cols);

		shown[h->x.columns ? row * s->width + column
				   : column * s->height + row] |=
			is_visible(s->t, first + i / s->cols, i % s->cols);
	}
	for (size_t i = 0; shown && i < h->panels * n; i++)
		if (!shown[i % n])
			h->levels[i] = (unsigned char)(f->levels +
						       MISSING_MINUS_INF);
}

static bool fill_levels(struct heat *h, struct figure *f,
			const struct look *look)
{
	const size_t n = h->panels * h->s.height * h->s.width;

	h->levels = figure_room(f, n, 1);
	if (!h->levels)
		return false;
	if (h->p.colors.each ? !fill_panels(h, f, look)
			   : !sample_levels(&h->s, &h->p.colors.map,
					    look->transpose, h->levels,
					    &f->err))
		return false;
	hide_masked(h, f);
	h->p.missing = levels_missing(f, h->levels, n);
	return true;
}

static void draw_panel(struct figure *f, struct heat *h,
		       const struct table *t, size_t i, const struct box *b)
{
	const size_t below = i + (size_t)h->p.across;
	const size_t n = h->x.cells * h->y.cells;
	const struct image image = { h->levels + i * n, h->y.cells, h->x.cells,
				     h->x.cell, h->y.cell };
	char title[PANEL_TITLE];

	if (!h->cells || !f->transparent)
		figure_image(f, b->x, b->y, &image);
	if (h->cells) {
		cells_draw(f, h, i, b);
	} else {
		hatch(f, b->x, b->y, &image);
		frame(f, b);
	}
	side_left(f, b, &h->p.y, i % (size_t)h->p.across == 0);
	side_bottom(f, b, &h->p.x, below >= h->panels);
	if (!panels_titled(t))
		return;
	panel_title(h, f, t, i, title);
	figure_text(f, INK_TEXT, TICK_POINTS, b->x + b->w / 2,
		    b->y - pt(f, GAP) - h->marks, title)->anchor =
		ANCHOR_MIDDLE;
}

/* A sign between two panels, with its middle at (x, y). */
static void draw_sign(struct figure *f, int x, int y, const char *sign)
{
	figure_text(f, INK_TEXT, TITLE_POINTS, x,
		    y + cap_height(f, TITLE_POINTS) / 2, sign)->anchor =
		ANCHOR_MIDDLE;
}

/*
 * Names of axes that are longer than panels are apart stand once, beside all
 * panels.
 */
static void draw_names(struct figure *f, struct panels *p)
{
	const struct box all = panels_box(p);
	const int gap = pt(f, GAP);

	p->x.unnamed = p->across > 1 &&
		       side_name_width(f, &p->x) > p->step_x - gap;
	p->y.unnamed = p->down > 1 &&
		       side_name_width(f, &p->y) > p->step_y - gap;
	if (p->x.unnamed)
		side_bottom_name(f, &all, &p->x);
	if (p->y.unnamed)
		side_left_name(f, &all, &p->y);
}

static void draw_panels(struct figure *f, struct heat *h,
			const struct table *t, const struct look *look)
{
	draw_names(f, &h->p);
	for (size_t i = 0; i < h->panels; i++) {
		const struct box b = panels_at(&h->p, i);

		draw_panel(f, h, t, i, &b);
		marks_draw(f, h, look, &b);
		if (h->sum && i)
			draw_sign(f, b.x - (h->p.step_x - b.w) / 2,
				  b.y + b.h / 2,
				  i + 1 < h->panels ? "+" : "=");
	}
}

/* How far apart panels are, so that no titles overlap. */
static void place(struct figure *f, struct heat *h, const struct table *t,
		  const struct look *look)
{
	struct panels *p = &h->p;
	int apart;

	p->box.w = (int)h->x.cells * h->x.cell;
	p->box.h = (int)h->y.cells * h->y.cell;
	apart = greatest(pt(f, h->sum ? SIGN_APART : APART),
			 pt(f, GAP) - p->box.w + titles_width(f, h));
	h->marks = marks_above(f, h, look);
	p->beside = marks_right(f, h, look);
	p->above = (panels_titled(t) ? pt(f, GAP + TICK_POINTS) : 0) +
		   h->marks;
	p->out = (apart - pt(f, APART)) / 2;
	p->step_x = p->box.w + greatest(apart, p->beside + pt(f, APART));
	p->step_y = p->box.h + p->above + (f->wide ? pt(f, APART) : apart);
	if (!h->cells)
		p->value = value_name(t, look->zlabel);
	panels_place(f, p, t, look);
	draw_panels(f, h, t, look);
	if (!h->cells)
		panels_bar(f, p);
	figure_note(f, h->note);
}

const struct heat *heat_layout(struct figure *f, const struct table *t,
			       const struct look *look, size_t threads,
			       int kind)
{
	/* Not on the stack, which may have 64 KiB */
	struct heat *h = figure_room(f, 1, sizeof *h);
	struct heat_axis down = { .axis = &t->row_axis,
				  .first = t->begin % t->rows,
				  .words = look->words };
	struct heat_axis across = { .axis = &t->col_axis, .columns = true,
				    .words = look_words_across(look, t) };

	if (!h)
		return NULL;
	h->s = sample_all(t, threads);
	h->cells = kind & HEAT_CELLS;
	h->sum = kind & HEAT_SUM;
	h->digits = look->digits ? look->digits : 3;
	down.n = h->s.rows;
	across.n = h->s.cols;
	h->x = look->transpose ? down : across;
	h->y = look->transpose ? across : down;
	h->x.side = &h->p.x;
	h->y.side = &h->p.y;
	h->p.x.name.given = look->xlabel;
	h->p.y.name.given = look->ylabel;
	/* Not where both sides have one unit, as queries and keys have */
	h->fills = f->high && (h->cells || (kind != HEAT_MAPS &&
		   t->col_axis.kind != AXIS_KEY &&
		   !axis_alike(&t->row_axis, &t->col_axis)));
	panels_grid(h, f, look);
	share_cells(h, f, look);
	color_scale_choose(&h->p.colors, f, look, &h->s,
			   h->cells ? CELLS_LEVELS : LEVELS);
	size_cells(h, f, look);
	choose_ticks(h, f);
	make_note(h, t);
	if (!fill_levels(h, f, look))
		return NULL;
	place(f, h, t, look);
	return h;
}

/* "col=0..1:sines|col=2..3:cosines" over halves of these, or "". */
static void annotate_halves(const struct figure *f, const struct table *t,
			    char *text, size_t size)
{
	const struct axis *a = &t->col_axis;
	size_t n = 0;

	text[0] = '\0';
	for (size_t j = 0; j < t->cols && a->pairs == PAIRS_SPLIT &&
			   axis_wave(a, j); j += a->apart) {
		const bool last = j + a->apart > t->cols;

		n += (size_t)snprintf(text + n, size - n, "%scol=%zu..%zu:%s",
			n ? "|" : "", j, (last ? t->cols : j + a->apart) - 1,
			language_text(f->language, strcmp(axis_wave(a, j),
					"sine") == 0 ? "sines" : "cosines"));
	}
}

static void layout_colors(struct figure *f, const struct table *t,
			  const struct look *look, size_t threads)
{
	struct look one = *look;
	char halves[120];

	annotate_halves(f, t, halves, sizeof halves);
	if (!look->annotate && t->planes == 1 && !f->fixed)
		one.annotate = halves;
	heat_layout(f, t, &one, threads, HEAT_COLORS);
}

const struct plot plot_heatmap = {
	.bar = true, .panels = true, .transposes = true,
	.layout = layout_colors,
};
