/* plot.c: a table as lines or steps, with axes, a grid and a legend. */
#include <float.h>
#include <math.h>
#include <stdio.h>

#include "figure/layout.h"

/* Curves through (x[k], y[c][k]), k < n. */
struct curves {
	size_t count, n;
	double *x, *y[CURVES_MOST];
	char names[CURVES_MOST][40];
	const char *x_name;      /* "position" */
	const struct axis *axis; /* that x labels; NULL: x is a distance */
	size_t every;            /* 1: all rows are drawn, 2: every second */
	size_t all;              /* planes; the first count are drawn */
};

/* The plotted range, the panel and what is around it. */
struct plot_area {
	const struct curves *curves;
	bool steps;
	double left, right, low, high;
	struct box box;
	struct side x, y;
	struct heading heading;
	int legend;          /* width */
};

enum {
	POINTS_MOST = 4096,  /* of a curve */
	ALL_MOST = 8,        /* columns that are all drawn without --dims; */
	USUAL = 6,           /* of more, so many */
};

/* False if memory ran out, now or before. */
static bool make_room(struct curves *c, struct figure *f)
{
	c->x = figure_room(f, c->n, sizeof *c->x);
	for (size_t i = 0; i < c->count; i++)
		c->y[i] = figure_room(f, c->n, sizeof *c->y[i]);
	return !f->err.text[0];
}

/* "dim 4" */
static void name_curve(struct curves *c, size_t i, const struct axis *a,
		       size_t index)
{
	char number[TICK_TEXT];
	const char *what = a->name ? a->name : "";

	if (a->kind == AXIS_DIMENSION)
		what = "dim";
	tick_text(number, axis_label(a, index));
	snprintf(c->names[i], sizeof c->names[i], "%.16s %.20s", what, number);
}

/* The columns of --dims, or some, evenly spaced. */
static void choose_columns(struct curves *c, const struct table *t,
			   const struct look *look, size_t columns[CURVES_MOST])
{
	struct range d = look->dims;
	size_t step = 1;

	range_fill(&d, t->cols);
	c->count = (size_t)(d.last - d.first);
	if (!d.given && t->cols > ALL_MOST) {
		c->count = USUAL;
		step = t->cols / c->count;
	}
	for (size_t i = 0; i < c->count; i++) {
		columns[i] = (size_t)d.first + i * step;
		name_curve(c, i, &t->col_axis, columns[i]);
	}
}

static bool curve_of_row(struct curves *c, struct figure *f,
			 const struct table *t)
{
	c->count = 1;
	c->n = t->cols;
	c->x_name = t->col_axis.name;
	c->axis = &t->col_axis;
	if (!make_room(c, f))
		return false;
	table_rows(t, F64, t->begin, 1, NULL, c->y[0]);
	for (size_t j = 0; j < c->n; j++)
		c->x[j] = axis_label(&t->col_axis, j);
	return true;
}

/* Columns over rows; of a single row, its values. False: f has the error. */
static bool curves_of_columns(struct curves *c, struct figure *f,
			      const struct table *t, const struct look *look)
{
	const size_t rows = t->end - t->begin;
	double *row = figure_room(f, t->cols, sizeof *row);
	size_t columns[CURVES_MOST] = { 0 };

	*c = (struct curves){ .every = 1 };
	if (rows == 1)
		return curve_of_row(c, f, t);
	choose_columns(c, t, look, columns);
	c->every = 1 + (rows - 1) / POINTS_MOST;
	c->n = 1 + (rows - 1) / c->every;
	c->x_name = t->row_axis.name;
	c->axis = &t->row_axis;
	if (!make_room(c, f))
		return false;
	for (size_t k = 0; k < c->n; k++) {
		const size_t i = t->begin + k * c->every;

		table_rows(t, F64, i, 1, NULL, row);
		c->x[k] = axis_label(&t->row_axis, i % t->rows);
		for (size_t j = 0; j < c->count; j++)
			c->y[j][k] = row[columns[j]];
	}
	return true;
}

/* Values over distance, one curve for each plane. */
static bool curves_of_distances(struct curves *c, struct figure *f,
				const struct table *t)
{
	const bool whole = table_shape(t, NULL) == 3;
	const size_t rows = whole ? t->rows : t->end - t->begin;
	const size_t last = (t->end - 1) % t->rows;
	const size_t plane = t->begin / t->rows;

	*c = (struct curves){ .every = 1, .x_name = "key \xe2\x88\x92 query" };
	c->all = (t->end - t->begin) / rows;
	c->count = c->all < CURVES_MOST ? c->all : CURVES_MOST;
	c->n = t->cols + rows - 1;
	if (!make_room(c, f))
		return false;
	for (size_t k = 0; k < c->n; k++)
		c->x[k] = (double)k - (double)last;
	for (size_t i = 0; i < c->count; i++) {
		t->diagonals(t, plane + i, t->rows - 1 - last, c->n, c->y[i]);
		name_curve(c, i, &t->plane_axis, plane + i);
	}
	return true;
}

#define STROKE 1.75  /* points */

/* Values in pixels from the left and the top of the panel. */
static double plot_x(const struct plot_area *p, double x)
{
	return (x / 2 - p->left / 2) / (p->right / 2 - p->left / 2) * p->box.w;
}

static double plot_y(const struct plot_area *p, double y)
{
	return (p->high / 2 - y / 2) / (p->high / 2 - p->low / 2) * p->box.h;
}

/* Whether point k has no finite neighbour to draw a line from. */
static bool alone(const double *y, size_t n, size_t k)
{
	return (k == 0 || !isfinite(y[k - 1])) &&
	       (k + 1 == n || !isfinite(y[k + 1]));
}

/*
 * The corners of curve i: one for each value; two for a step, and for a value
 * without neighbours, which becomes a dot.
 */
static size_t corners(const struct plot_area *p, size_t i, struct point *to)
{
	const struct curves *c = p->curves;
	const double half = p->steps ? 0.5 : 0;
	size_t n = 0;

	for (size_t k = 0; k < c->n; k++) {
		const int ends = p->steps || alone(c->y[i], c->n, k) ? 2 : 1;

		for (int end = 0; end < ends; end++)
			to[n++] = (struct point){
				plot_x(p, c->x[k] + (end ? half : -half)),
				plot_y(p, c->y[i][k]),
			};
	}
	return n;
}

static struct point between(struct point a, struct point b, double y)
{
	const double part = (y - a.y) / (b.y - a.y);

	return (struct point){ a.x + (b.x - a.x) * part, y };
}

/* Clip the line from a to b to heights 0 to high; false: none is left. */
static bool inside(struct point *a, struct point *b, double high)
{
	const struct point from = *a, to = *b;

	if (!isfinite(from.y) || !isfinite(to.y) ||
	    fmax(from.y, to.y) < 0 || fmin(from.y, to.y) > high)
		return false;
	if (from.y < 0 || from.y > high)
		*a = between(from, to, from.y < 0 ? 0 : high);
	if (to.y < 0 || to.y > high)
		*b = between(from, to, to.y < 0 ? 0 : high);
	return true;
}

/* Whether all of a path is one point. */
static bool is_dot(const struct point *p, size_t n)
{
	return n == 2 && !(fabs(p[1].x - p[0].x) + fabs(p[1].y - p[0].y) > 0);
}

/* Curve i through points [n] of the panel; nothing if n is 0. */
static void plot_path(struct figure *f, const struct plot_area *p, size_t i,
		      const struct point *points, size_t n)
{
	struct point *at;
	struct item *item;
	/* Lengths in points; lines of the same colour get different dashes */
	static const double dashes[] = { 0, 8, 3, 16 };
	const size_t dash = (i + i / LINES_COLORS) % 4;

	if (!n)
		return;
	at = figure_room(f, n, sizeof *at);
	item = figure_add(f, ITEM_PATH, INK_LINE + (int)(i % LINES_COLORS));
	if (!at)
		return;
	for (size_t k = 0; k < n; k++)
		at[k] = (struct point){ p->box.x + points[k].x,
					p->box.y + points[k].y };
	item->points = at;
	item->n = n;
	item->width = STROKE * f->scale;
	if (!is_dot(points, n))
		item->dash = dashes[dash] * f->scale;
}

/* Curve i in pieces: it is interrupted outside the panel and at NaN. */
static void plot_curve(struct figure *f, const struct plot_area *p, size_t i)
{
	const size_t most = 2 * p->curves->n;
	struct point *all = figure_room(f, 2 * most, sizeof *all);
	struct point *piece;
	size_t count, n = 0;

	if (!all)
		return;
	piece = all + most;
	count = corners(p, i, all);
	for (size_t k = 1; k < count; k++) {
		struct point a = all[k - 1], b = all[k];
		const bool visible = inside(&a, &b, p->box.h);

		if (!visible || fabs(a.y - all[k - 1].y) > 0) {
			plot_path(f, p, i, piece, n);
			n = 0;
		}
		if (visible && !n)
			piece[n++] = a;
		if (visible)
			piece[n++] = b;
	}
	plot_path(f, p, i, piece, n);
}

enum {
	PLOT_WIDE = 600, PLOT_HIGH = 320,   /* points */
	SWATCH = 40,                        /* of a line in the legend */
	LEGEND_LINE = 20,
};

/* Widen lo to hi to contain all finite values of x [n]. */
static void widen(double *lo, double *hi, const double *x, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (isfinite(x[i])) {
			*lo = fmin(*lo, x[i]);
			*hi = fmax(*hi, x[i]);
		}
}

/* Make an empty range one around 0; sym: make it symmetric about 0. */
static void settle(double *lo, double *hi, bool sym)
{
	if (*lo > *hi)
		*lo = *hi = 0;
	if (sym)
		look_center(lo, hi);
	look_widen(lo, hi);
}

static void choose_span(struct plot_area *p, const struct table *t,
			const struct look *look)
{
	const struct curves *c = p->curves;
	const enum span span = look_span(look, &p->low, &p->high);
	double room;

	p->left = HUGE_VAL;
	p->right = -HUGE_VAL;
	widen(&p->left, &p->right, c->x, c->n);
	if (p->steps) {
		p->left -= 0.5;
		p->right += 0.5;
	}
	settle(&p->left, &p->right, false);
	if (span == SPAN_GIVEN)
		return;
	p->low = HUGE_VAL;
	p->high = -HUGE_VAL;
	for (size_t i = 0; i < c->count; i++)
		widen(&p->low, &p->high, c->y[i], c->n);
	if (span == SPAN_TABLE && t->bounds == BOUNDS_TIGHT && !p->steps)
		widen(&p->low, &p->high, (double []){ t->lo, t->hi }, 2);
	settle(&p->low, &p->high, span == SPAN_SYM);
	/* Space above and below, so that no line touches the frame. */
	room = 0.05 * p->high - 0.05 * p->low;
	p->high = fmin(p->high + room, DBL_MAX);
	p->low = fmax(p->low - room, -DBL_MAX);
}

/* At most most, and of integers at most one for each. */
static size_t most_ticks(double lo, double hi, bool counts, int most)
{
	return (size_t)(counts && hi - lo < most ? (int)ceil(hi - lo) + 1
						: most);
}

/* --words as labels of the rows. */
static void word_ticks(struct plot_area *p, const struct figure *f,
		       const char *words)
{
	const struct curves *c = p->curves;
	struct ticks *x = &p->x.ticks;

	ticks_words(x, words, c->n, TICKS_MOST);
	for (size_t i = 0; i < x->n; i++)
		x->tick[i].at = c->x[(size_t)x->tick[i].at];
	p->x.upright = (ticks_width(f, x) + pt(f, GAP)) * (int)x->n > p->box.w;
}

/* Numeric labels, fewer if they are long. */
static void value_ticks(struct plot_area *p, const struct figure *f)
{
	const struct axis *a = p->curves->axis;
	const bool counts = !a || (!a->at && a->step == 1);
	struct ticks *x = &p->x.ticks;
	int apart = pt(f, 60);

	ticks_values(x, p->left, p->right, most_ticks(p->left, p->right,
		      counts, p->box.w / apart));
	apart = greatest(apart, ticks_width(f, x) + pt(f, TICK_POINTS));
	ticks_values(x, p->left, p->right, most_ticks(p->left, p->right,
		      counts, p->box.w / apart));
}

static void choose_ticks(struct plot_area *p, const struct figure *f,
			 const struct table *t, const struct look *look)
{
	const struct curves *c = p->curves;
	struct ticks *x = &p->x.ticks, *y = &p->y.ticks;

	ticks_values(y, p->low, p->high,
		      most_ticks(p->low, p->high, dtype_integer(t->dtype),
				 p->box.h / pt(f, 3.2 * TICK_POINTS)));
	for (size_t i = 0; i < y->n; i++)
		y->tick[i].at = plot_y(p, y->tick[i].at);
	p->y.name = value_name(t, look->ylabel);
	p->x.name = (struct name){ c->x_name, look->xlabel };
	if (look->words && c->axis == &t->row_axis && c->every == 1)
		word_ticks(p, f, look->words);
	else
		value_ticks(p, f);
	for (size_t i = 0; i < x->n; i++)
		x->tick[i].at = plot_x(p, x->tick[i].at);
}

static void draw_legend(struct figure *f, const struct plot_area *p)
{
	const int x = p->box.x + p->box.w + pt(f, MARGIN);
	int y = p->box.y + pt(f, LEGEND_LINE) / 2;

	for (size_t i = 0; i < p->curves->count; i++) {
		const struct point ends[2] = {
			{ x - p->box.x, y - p->box.y },
			{ x - p->box.x + pt(f, SWATCH), y - p->box.y },
		};

		plot_path(f, p, i, ends, 2);
		figure_text(f, INK_TEXT, TICK_POINTS,
			    x + pt(f, SWATCH + GAP),
			    y + cap_height(f, TICK_POINTS) / 2,
			    p->curves->names[i]);
		y += pt(f, LEGEND_LINE);
	}
}

static int legend_room(const struct figure *f, const struct curves *c)
{
	int most = 0;

	for (size_t i = 0; i < c->count; i++) {
		const int w = figure_width(f, TICK_POINTS, c->names[i]);

		most = w > most ? w : most;
	}
	return c->count > 1 ? pt(f, MARGIN + SWATCH + GAP) + most : 0;
}

/* A note that says what is not drawn. */
static void draw_note(struct figure *f, const struct curves *c)
{
	char text[80];

	if (c->every > 1)
		snprintf(text, sizeof text, "one of %zu rows is drawn",
			 c->every);
	else if (c->count < c->all)
		snprintf(text, sizeof text, "the first %zu of %zu", c->count,
			 c->all);
	else
		return;
	f->h += pt(f, NOTE_POINTS);
	figure_text(f, INK_MUTED, NOTE_POINTS, pt(f, MARGIN),
		    f->h - pt(f, 10), text);
}

static void draw(struct figure *f, struct plot_area *p)
{
	const struct box *b = &p->box;
	const int rows = pt(f, LEGEND_LINE) * (int)p->curves->count;

	f->w = b->x + b->w + pt(f, MARGIN) +
	       greatest(p->legend, side_bottom_out(f, &p->x, b->w));
	f->h = b->y + greatest(rows, b->h) +
	       side_bottom_room(f, &p->x) + pt(f, MARGIN);
	heading_draw(f, &p->heading, b->x + b->w / 2, pt(f, MARGIN));
	for (size_t i = 0; i < p->y.ticks.n; i++)
		figure_rect(f, INK_GRID, b->x, b->y +
			    tick_begin(f, p->y.ticks.tick[i].at), b->w,
			    f->scale);
	for (size_t i = 0; i < p->curves->count; i++)
		plot_curve(f, p, i);
	frame(f, b);
	side_left(f, b, &p->y, true);
	side_bottom(f, b, &p->x, true);
	if (p->legend)
		draw_legend(f, p);
	draw_note(f, p->curves);
}

void layout_curves(struct figure *f, const struct table *t,
		   const struct look *look)
{
	struct curves c;
	/* Not on the stack, which may have 64 KiB */
	struct plot_area *p = figure_room(f, 1, sizeof *p);

	if (!p)
		return;
	p->curves = &c;
	p->steps = look->plot == STEPS;
	if (p->steps && t->diagonals && t->end - t->begin > 1
	    ? !curves_of_distances(&c, f, t)
	    : !curves_of_columns(&c, f, t, look))
		return;
	p->box.w = pt(f, PLOT_WIDE);
	p->box.h = pt(f, PLOT_HIGH);
	choose_span(p, t, look);
	choose_ticks(p, f, t, look);
	p->legend = legend_room(f, &c);
	heading_make(&p->heading, f, t, look, p->box.w);
	p->box.x = pt(f, MARGIN) + greatest(side_left_room(f, &p->y),
					    side_bottom_out(f, &p->x,
							    p->box.w));
	p->box.y = pt(f, MARGIN + GAP) + p->heading.h;
	draw(f, p);
}
