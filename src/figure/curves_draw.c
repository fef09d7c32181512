/* curves_draw.c: curves, bands and dots within their panel, and the legend. */
#include <math.h>
#include <string.h>

#include "figure/curves.h"

#define STROKE 1.75  /* points */
#define THIN 0.15    /* parts of the panel's height; the middle of a lower
			band of groups is drawn as a line, */
#define TALL 0.5     /* and a higher one fills the panel, with others that do */
#define NEAR 0.01    /* points between lines that are on one another, */
#define STRETCH 24   /* on so many or more; the lower is wider there: */
#define WIDER 3      /* by 3 strokes at most */
#define DOT 4.5      /* how wide the mark of a row is */
#define POINT 7      /* of a row that has no line */
#define LONE 3.5     /* and the mark of a value without neighbours */

/* Whether point k has no finite neighbour to draw a line from. */
static bool alone(const double *y, size_t n, size_t k)
{
	return (k == 0 || !isfinite(y[k - 1])) &&
	       (k + 1 == n || !isfinite(y[k + 1]));
}

/*
 * The corners of a curve: one for each value; two for a step, and for a value
 * without neighbours, which becomes a dot.
 */
static size_t corners(const struct plot_area *p, const struct curve *c,
		      struct point *to)
{
	const bool steps = p->as == AS_STEPS && !c->low;
	const double half = steps ? 0.5 : 0;
	size_t n = 0;

	for (size_t k = 0; k < c->n; k++) {
		const int ends = steps || alone(c->y, c->n, k) ? 2 : 1;

		for (int end = 0; end < ends; end++) {
			const double x = c->x[k] + (end ? half : -half);

			/* A logarithmic axis may begin at the first value */
			to[n++] = (struct point){
				panels_x(&p->p, steps ? fmax(x, p->p.left) : x),
				panels_y(&p->p, c->y[k]),
			};
		}
	}
	return n;
}

static struct point between(struct point a, struct point b, double y)
{
	const double along = (y - a.y) / (b.y - a.y);

	return (struct point){ a.x + (b.x - a.x) * along, y };
}

/* Clip the line from a to b to heights 0 to high; false: none is left. */
static bool inside(struct point *a, struct point *b, double high)
{
	const struct point from = *a, to = *b;

	if (!isfinite(from.x + to.x) || !isfinite(from.y) ||
	    !isfinite(to.y) || fmax(from.y, to.y) < 0 ||
	    fmin(from.y, to.y) > high)
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
	return n == 2 && p[0].x == p[1].x && p[0].y == p[1].y;
}

/* The item of curve i through points [n] of the panel. */
static struct item *place(struct figure *f, const struct plot_area *p,
			  enum item_kind kind, size_t i, struct point *points,
			  size_t n)
{
	for (size_t k = 0; k < n; k++) {
		points[k].x += p->p.box.x;
		points[k].y += p->p.box.y;
	}
	return figure_points(f, kind, INK_LINE + (int)(i % LINES_COLORS),
			     points, n);
}

/*
 * Curve i through points [n] of the panel, without dashes if it is wider than
 * others; nothing if n is 0.
 */
static void draw_piece(struct figure *f, const struct plot_area *p, size_t i,
		       int wider, struct point *points, size_t n)
{
	/* Lengths in points; lines of the same colour get different dashes */
	static const double dashes[] = { 0, 8, 3, 16 };
	struct item *item;

	if (!n)
		return;
	figure_note(f, p->curves->curve[i].groups
		    ? "lines: the mean of minimum and maximum" : "");
	if (is_dot(points, n)) {
		place(f, p, ITEM_DOTS, i, points, 1)->width = LONE * f->unit;
		return;
	}
	item = place(f, p, ITEM_PATH, i, points, n);
	item->width = (1 + 0.8 * wider) * STROKE * f->unit;
	item->dash = wider ? 0
			   : dashes[(i + i / LINES_COLORS) % 4] * f->unit;
}

/* A line in pieces: it is interrupted outside the panel and at NaN. */
static void draw_line(struct figure *f, const struct plot_area *p, size_t i,
		      int wider, const struct curve *c)
{
	const size_t most = 2 * c->n;
	struct point *all = figure_room(f, 2 * most, sizeof *all);
	struct point *piece;
	size_t count, n = 0;

	if (!all)
		return;
	piece = all + most;
	count = corners(p, c, all);
	for (size_t k = 1; k < count; k++) {
		struct point a = all[k - 1], b = all[k];
		const bool visible = inside(&a, &b, p->p.box.h);

		if (!visible || a.y != all[k - 1].y) {
			draw_piece(f, p, i, wider, piece, n);
			n = 0;
		}
		if (visible && !n)
			piece[n++] = a;
		if (visible)
			piece[n++] = b;
	}
	draw_piece(f, p, i, wider, piece, n);
}

/* Whether curve b is on curve a at point k. */
static bool meets(const struct figure *f, const struct plot_area *p,
		  const struct curve *a, const struct curve *b, size_t k)
{
	return k < a->n && a->n == b->n && !(a->x[k] < b->x[k]) &&
	       !(a->x[k] > b->x[k]) &&
	       fabs(panels_y(&p->p, a->y[k]) - panels_y(&p->p, b->y[k])) <=
	       NEAR * f->unit;
}

/* Take values of a to y where b is on it; whether that is anywhere. */
static bool take_shared(const struct figure *f, const struct plot_area *p,
			const struct curve *a, const struct curve *b, double *y)
{
	bool any = false;
	size_t n;

	for (size_t k = 0; k < a->n; k += n + 1) {
		for (n = 0; meets(f, p, a, b, k + n); n++)
			;
		if (n < 2 || panels_x(&p->p, a->x[k + n - 1]) -
		    panels_x(&p->p, a->x[k]) < STRETCH * f->unit)
			continue;
		memcpy(y + k, a->y + k, n * sizeof *y);
		any = true;
	}
	return any;
}

/* What later curves would hide of curve i: a wider line below them. */
static void draw_shared(struct figure *f, const struct plot_area *p, size_t i)
{
	struct curve c = p->curves->curve[i];
	double *y = figure_room(f, c.n, sizeof *y);
	int wider = 0;

	for (size_t k = 0; y && k < c.n; k++)
		y[k] = (double)NAN;
	for (size_t j = i + 1; y && !c.low && j < p->curves->count; j++)
		wider += take_shared(f, p, &c, &p->curves->curve[j], y);
	c.y = y;
	if (wider)
		draw_line(f, p, i, wider < WIDER ? wider : WIDER, &c);
}

double curves_edge(const struct plot_area *p, double y)
{
	const double at = panels_y(&p->p, y);

	return at < p->p.box.h ? fmax(at, 0) : p->p.box.h;
}

/* The area from low to high, in pieces where not all values are finite. */
static void draw_band(struct figure *f, const struct plot_area *p,
		      const struct curve *c, int ink)
{
	struct point *area = figure_room(f, 2 * c->n, sizeof *area);
	size_t n;

	for (size_t k = 0; area && k < c->n; k += n + 1) {
		for (n = 0; k + n < c->n && isfinite(c->low[k + n]) &&
			    isfinite(c->high[k + n]) &&
			    isfinite(panels_x(&p->p, c->x[k + n])); n++)
			area[n] = (struct point){ panels_x(&p->p, c->x[k + n]),
						  curves_edge(p,
							      c->low[k + n]) };
		for (size_t j = 0; j < n; j++)
			area[n + j] = (struct point){
				area[n - 1 - j].x,
				curves_edge(p, c->high[k + n - 1 - j]) };
		if (n > 1)
			place(f, p, ITEM_AREA, 0, area, 2 * n)->ink = ink;
	}
}

/* Mark the points that are rows of the table. */
static void draw_dots(struct figure *f, const struct plot_area *p, size_t i)
{
	const struct curve *c = &p->curves->curve[i];
	struct point *at = figure_room(f, c->n, sizeof *at);
	size_t n = 0;

	for (size_t k = 0; at && k < c->n; k += c->every) {
		const struct point dot = { panels_x(&p->p, c->x[k]),
					   panels_y(&p->p, c->y[k]) };

		if (isfinite(dot.x) && dot.y >= 0 && dot.y <= p->p.box.h)
			at[n++] = dot;
	}
	if (n)
		place(f, p, ITEM_DOTS, i, at, n)->width = DOT * f->unit;
}

void curve_point(struct figure *f, const struct plot_area *p, size_t i,
		 double x, double y)
{
	struct point at = { panels_x(&p->p, x), panels_y(&p->p, y) };

	if (at.y >= 0 && at.y <= p->p.box.h)
		place(f, p, ITEM_DOTS, i, &at, 1)->width = POINT * f->unit;
}

/* The height of the band of point k, in parts of the panel's. */
static double band_height(const struct plot_area *p, const struct curve *c,
			  size_t k)
{
	return (curves_edge(p, c->low[k]) - curves_edge(p, c->high[k])) /
	       p->p.box.h;
}

/* The mean height of the band of groups; 0: it is none. */
static double mean_height(const struct plot_area *p, const struct curve *c)
{
	double sum = 0;

	for (size_t k = 0; c->low && c->groups && k < c->n; k++)
		sum += band_height(p, c, k);
	return sum / (double)c->n;
}

/* Whether curve i has a line: rows, or groups of rows that are much alike. */
static bool has_line(const struct plot_area *p, size_t i)
{
	return mean_height(p, &p->curves->curve[i]) <= THIN * p->share;
}

/* Whether curve i alternates too fast for its band to tell it from others. */
static bool is_fast(const struct plot_area *p, size_t i)
{
	const struct curve *c = &p->curves->curve[i];

	return !p->p.log_x && c->x == p->curves->curve->x &&
	       mean_height(p, c) > TALL * p->share;
}

/* Whether curve i shares a band with others, as their mixed colours would say
   nothing. */
static bool is_mixed(const struct plot_area *p, size_t i)
{
	size_t n = 0;

	for (size_t k = 0; k < p->curves->count; k++)
		n += is_fast(p, k);
	return n > 1 && is_fast(p, i);
}

/* The ink of its band. */
static int band_ink(const struct plot_area *p, size_t i)
{
	return is_mixed(p, i) ? INK_MUTED
			      : INK_LINE + (int)(i % LINES_COLORS);
}

/* Whether there is a group k whose rows are much alike. */
static bool thin(const struct plot_area *p, const struct curve *c, size_t k)
{
	return k < c->n && band_height(p, c, k) <= THIN * p->share;
}

/* The line of curve i where some groups are such: single rows, at least. */
static void draw_thin(struct figure *f, const struct plot_area *p, size_t i)
{
	struct curve c = p->curves->curve[i];
	double *y = figure_room(f, c.n, sizeof *y);

	for (size_t k = 0; y && k < c.n; k++)
		y[k] = thin(p, &c, k) &&
		       (thin(p, &c, k - 1) || thin(p, &c, k + 1))
			? c.y[k] : (double)NAN;
	c.y = y;
	if (y)
		draw_line(f, p, i, 0, &c);
}

/* Widen the band all by that of curve c. */
static void join(struct curve *all, const struct curve *c)
{
	for (size_t k = 0; k < c->n; k++) {
		all->low[k] = fmin(all->low[k], c->low[k]);
		all->high[k] = fmax(all->high[k], c->high[k]);
	}
}

/* One band for all curves that share it. */
static void draw_mixed(struct figure *f, const struct plot_area *p)
{
	const struct curve *first = p->curves->curve;
	struct curve c = { .n = first->n, .x = first->x };

	for (size_t i = 0; i < p->curves->count; i++) {
		if (!is_mixed(p, i))
			continue;
		if (!c.low) {
			c.low = figure_room(f, 2 * c.n, sizeof *c.low);
			if (!c.low)
				return;
			c.high = c.low + c.n;
			for (size_t k = 0; k < 2 * c.n; k++)
				c.low[k] = (double)NAN;
			figure_note(f, "grey: one band of several lines");
		}
		join(&c, &first[i]);
	}
	if (c.low)
		draw_band(f, p, &c, INK_MUTED);
}

void curves_draw(struct figure *f, const struct plot_area *p)
{
	const struct curves *all = p->curves;

	draw_mixed(f, p);
	for (size_t i = 0; i < all->count; i++)
		if (p->as == AS_BARS)
			bars_draw(f, p, i);
		else if (all->curve[i].low && !is_mixed(p, i))
			draw_band(f, p, &all->curve[i], band_ink(p, i));
	for (size_t i = 0; p->as != AS_BARS && i < all->count; i++) {
		draw_shared(f, p, i);
		if (has_line(p, i))
			draw_line(f, p, i, 0, &all->curve[i]);
		else if (p->p.log_x)
			draw_thin(f, p, i);
		if (all->curve[i].dots)
			draw_dots(f, p, i);
	}
}

enum {
	SWATCH_BAND = 12,   /* how high a band is in the legend, points, */
	LEGEND_NAME = 520,  /* and how wide a name is at most */
};

/* How many lines of the legend are in a row. */
static int legend_columns(const struct figure *f, const struct plot_area *p)
{
	const int room = f->high ? f->wide - 2 * pt(f, MARGIN)
				 : p->p.box.x + p->p.box.w;
	const int most = (int)p->curves->count;

	const int fit = greatest(room / p->legend, 1);

	return !f->wide ? 1 : fit < most ? fit : most;
}

/* The width of a legend's line without its name. */
static int legend_margin(const struct figure *f)
{
	return pt(f, MARGIN + SWATCH + GAP);
}

int legend_name_room(const struct figure *f)
{
	const int room = f->wide - 2 * pt(f, MARGIN) - legend_margin(f);

	return f->wide && room < pt(f, LEGEND_NAME)
		? greatest(room, word_room(f)) : pt(f, LEGEND_NAME);
}

int legend_room(const struct figure *f, const struct curves *c)
{
	int most = 0;

	for (size_t i = 0; i < c->count; i++) {
		const int w = figure_width(f, TICK_POINTS, c->curve[i].name);

		most = w > most ? w : most;
	}
	if (most > legend_name_room(f))
		most = legend_name_room(f);
	if (most && f->fixed)
		most = word_room(f);
	return most ? legend_margin(f) + most : 0;
}

/* A bar of curve i, or the point in its place. */
static void draw_mark(struct figure *f, const struct plot_area *p, size_t i,
		      double x, double y)
{
	const int half = pt(f, SWATCH_BAND) / 2;
	const int ink = INK_LINE + (int)(i % LINES_COLORS);

	if (p->points)
		place(f, p, ITEM_DOTS, i, &(struct point){ x, y }, 1)->width =
			POINT * f->unit;
	else
		figure_rect(f, ink, p->p.box.x + (int)x - half,
			    p->p.box.y + (int)y - half, 2 * half, 2 * half);
}

/* A part of curve i at height y, from x on. */
static void draw_swatch(struct figure *f, const struct plot_area *p, size_t i,
			double x, double y)
{
	const double high = pt(f, SWATCH_BAND) / 2.0, w = pt(f, SWATCH);
	const struct curve *c = &p->curves->curve[i];
	struct point line[] = { { x, y }, { x + w, y } };
	struct point band[] = {
		{ x, y - high }, { x + w, y - high },
		{ x + w, y + high }, { x, y + high },
	};

	if (c->low)
		place(f, p, ITEM_AREA, i, band, 4)->ink = band_ink(p, i);
	if (p->as == AS_BARS)
		draw_mark(f, p, i, x + w / 2, y);
	else if (has_line(p, i))
		draw_piece(f, p, i, 0, line, 2);
}

void legend_draw(struct figure *f, const struct plot_area *p)
{
	const int columns = legend_columns(f, p);

	for (size_t i = 0; i < p->curves->count; i++) {
		char name[CURVE_NAME];
		struct point at;

		memcpy(name, p->curves->curve[i].name, sizeof name);
		if (text_cut(f, TICK_POINTS, name, sizeof name, p->legend -
			     legend_margin(f)))
			figure_note(f, LONG_NAMES);
		at = legend_line(f, &p->p, (int)i, columns, p->legend, name);
		draw_swatch(f, p, i, at.x - p->p.box.x, at.y - p->p.box.y);
	}
	legend_grow(f, &p->p, ((int)p->curves->count + columns - 1) / columns,
		    f->high ? columns * p->legend : p->legend);
}
