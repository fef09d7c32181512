/* curves_layout.c: a figure of lines, steps or bars: range, axes, legend. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "figure/curves.h"

enum { PLOT_WIDE = 600, PLOT_HIGH = 320 };  /* points */

#define ALIKE 0.75  /* bars from 0 do not show what is above this part */

/* Widen lo to hi to contain all finite values of x [n] above least. */
static void widen(double *lo, double *hi, const double *x, size_t n,
		  double least)
{
	for (size_t i = 0; i < n; i++)
		if (isfinite(x[i]) && x[i] > least) {
			*lo = fmin(*lo, x[i]);
			*hi = fmax(*hi, x[i]);
		}
}

/*
 * Widen lo to hi to contain the values of a curve above least. On a logarithmic
 * axis zeros between rows are endlessly deep: lo is then that of the rows.
 */
static void widen_to(double *lo, double *hi, const struct curve *c,
		     double least)
{
	for (size_t k = 0; k < c->n; k++) {
		double none = HUGE_VAL;
		double *to = least < 0 || curve_is_row(c, k) ? lo : &none;

		widen(to, hi, &c->y[k], 1, least);
		if (c->low)
			widen(to, hi, &c->low[k], 1, least);
		if (c->low)
			widen(to, hi, &c->high[k], 1, least);
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

/* Values that an axis can show are above this. */
static double least(bool logarithmic)
{
	return logarithmic ? 0 : -HUGE_VAL;
}

/* Make a range wide enough; a logarithmic one reaches at least a factor 4. */
static void settle_axis(double *lo, double *hi, bool logarithmic, bool sym)
{
	if (!logarithmic) {
		settle(lo, hi, sym);
		return;
	}
	if (*lo > *hi)
		*lo = *hi = 1;
	*lo = fmax(*lo, DBL_MIN);
	if (*hi / 4 < *lo) {
		*lo = fmax(*lo / 2, DBL_MIN);
		*hi = fmin(*hi, DBL_MAX / 2) * 2;
	}
}

/* Fail if a logarithmic axis can show none of the values along it. */
static bool check_shown(const struct plot_area *area, const struct look *look,
			struct error *err)
{
	const struct curves *c = area->curves;
	double lo = HUGE_VAL, hi = -HUGE_VAL;

	for (size_t i = 0; i < c->count; i++)
		widen(&lo, &hi, c->curve[i].x, c->curve[i].n, -HUGE_VAL);
	if (!area->p.log_x || lo > hi || hi > 0)
		return true;
	return fail(err, "--log %s needs values above 0 along its axis, got "
		    "%s %.17g to %.17g", log_words[look->log], c->x_name, lo,
		    hi);
}

static bool choose_width(struct plot_area *area, const struct look *look,
			 struct error *err)
{
	struct panels *p = &area->p;
	const struct curves *c = area->curves;
	const double half = area->as == AS_BARS ? bars_apart(c) / 2 : 0.5;

	p->left = HUGE_VAL;
	p->right = -HUGE_VAL;
	for (size_t i = 0; i < c->count; i++)
		widen(&p->left, &p->right, c->curve[i].x, c->curve[i].n,
		      least(p->log_x));
	if (area->as != AS_LINES) {
		p->left -= p->log_x ? 0 : half;
		p->right += half;
	}
	settle_axis(&p->left, &p->right, p->log_x, false);
	return check_shown(area, look, err);
}

/*
 * Space above and below, so that no line touches the frame, but bars that begin
 * there.
 */
static void add_room(struct plot_area *area)
{
	struct panels *p = &area->p;
	const double room = 0.05 * p->high - 0.05 * p->low;
	const bool bars = area->as == AS_BARS && !area->points;

	if (p->log_y) {
		p->high = fmin(p->high, DBL_MAX / 1.25) * 1.25;
		p->low = fmax(p->low / 1.25, DBL_MIN);
		return;
	}
	if (!bars || p->high > 0)
		p->high = fmin(p->high + room, DBL_MAX);
	if (!bars || p->low < 0)
		p->low = fmax(p->low - room, -DBL_MAX);
}

/*
 * Whether bars would have no base, or all would end within that part of them:
 * 0, if they would at all.
 */
static bool needs_points(const struct plot_area *area, double part)
{
	const struct panels *p = &area->p;

	if (area->as != AS_BARS || p->log_y)
		return area->as == AS_BARS;
	return p->low < p->high && ((p->low > 0 && p->low > part * p->high) ||
				    (p->high < 0 && p->high < part * p->low));
}

/* Make the range that of all lines that share it, which it widens. */
static void share_height(struct panels *p, struct point *heights)
{
	struct point *all = &heights[p->log_y];

	p->low = all->x = fmin(all->x, p->low);
	p->high = all->y = fmax(all->y, p->high);
}

static void choose_height(struct plot_area *area, const struct table *t,
			  const struct look *look)
{
	struct panels *p = &area->p;
	const struct curves *c = area->curves;
	const enum span span = look_span(look, &p->low, &p->high);
	const double above = least(p->log_y);

	if (span == SPAN_GIVEN) {
		area->points = needs_points(area, 0);
		return;
	}
	p->low = HUGE_VAL;
	p->high = -HUGE_VAL;
	for (size_t i = 0; i < c->count; i++)
		widen_to(&p->low, &p->high, &c->curve[i], above);
	area->empty = p->low > p->high;
	/* Integers reach less, but frames have one range */
	if (span == SPAN_TABLE && t->bounds == BOUNDS_TIGHT &&
	    (look->animate || (area->as != AS_STEPS &&
			       !dtype_integer(t->dtype))))
		widen(&p->low, &p->high, (double []){ t->lo, t->hi }, 2,
		      above);
	area->points = needs_points(area, ALIKE);
	if (area->as == AS_BARS && !area->points)
		widen(&p->low, &p->high, (double []){ 0 }, 1, above);
	settle_axis(&p->low, &p->high, p->log_y, span == SPAN_SYM);
	add_room(area);
}

/* At most most, and of integers at most one for each. */
static size_t most_ticks(double lo, double hi, bool counts, int most)
{
	return (size_t)(counts && hi - lo < most ? (int)ceil(hi - lo) + 1
						: most);
}

/* --words as labels of the rows, or the names of what is along the axis. */
static void name_ticks(struct plot_area *area, const struct figure *f,
		       const char *words, const char *const *names)
{
	struct panels *p = &area->p;
	const struct curve *c = area->curves->curve;
	struct ticks *x = &p->x.ticks;

	ticks_words(x, words, names, (c->n - 1) / c->every + 1, TICKS_MOST);
	ticks_cut(f, x);
	for (size_t i = 0; i < x->n; i++)
		x->tick[i].at = c->x[(size_t)x->tick[i].at * c->every];
	p->x.upright = (ticks_width(f, x) + pt(f, GAP)) * (int)x->n > p->box.w;
}

/* Numeric labels, fewer if they are long. */
static void value_ticks(struct plot_area *area, const struct figure *f)
{
	struct panels *p = &area->p;
	const struct axis *a = area->curves->axis;
	const bool counts = !a || (!a->at && a->step == 1);
	struct ticks *x = &p->x.ticks;
	int apart = pt(f, area->as == AS_BARS ? 16 : f->wide ? 36 : 60);

	if (area->as == AS_BARS && p->right - p->left < 2 *
	    bars_apart(area->curves)) {  /* one bar */
		x->n = 1;
		x->tick[0].at = area->curves->curve->x[0];
		tick_text(x->tick[0].text, x->tick[0].at);
		return;
	}
	if (p->log_x) {
		ticks_log(x, p->left, p->right, (size_t)(p->box.w / apart));
		return;
	}
	ticks_values(x, p->left, p->right, most_ticks(p->left, p->right,
		      counts, p->box.w / apart));
	apart = greatest(apart, ticks_width(f, x) + pt(f, TICK_POINTS));
	ticks_values(x, p->left, p->right, most_ticks(p->left, p->right,
		      counts, p->box.w / apart));
}

static void height_ticks(struct plot_area *area, const struct figure *f,
			 const struct table *t)
{
	struct panels *p = &area->p;
	const int most = p->box.h / pt(f, (sparse(f) - 0.2) * TICK_POINTS);
	struct ticks *y = &p->y.ticks;

	if (p->log_y)
		ticks_log(y, p->low, p->high, (size_t)most);
	else
		ticks_values(y, p->low, p->high,
			      most_ticks(p->low, p->high,
					 dtype_integer(t->dtype), most));
}

/* Label the values of tokens, of n rows, that are no cells. */
static void name_tokens(struct ticks *ticks, const struct axis *a, size_t n)
{
	for (struct tick *t = ticks->tick; t < ticks->tick + ticks->n; t++) {
		const double i = t->at - a->first;

		if (i == rint(i) && i < (double)n)
			axis_token(a, (size_t)i, t->text);
	}
}

static void choose_ticks(struct plot_area *area, const struct figure *f,
			 const struct table *t, const struct look *look)
{
	struct panels *p = &area->p;
	const struct curves *c = area->curves;
	struct ticks *x = &p->x.ticks;

	height_ticks(area, f, t);
	p->y.name = value_name(t, look->ylabel);
	p->x.name = (struct name){ c->x_name, look->xlabel };
	if (look->words && c->axis == &t->row_axis && !c->curve->groups &&
	    !p->log_x)
		name_ticks(area, f, look->words, NULL);
	else if (area->as == AS_BARS && c->axis->names && !t->beside)
		name_ticks(area, f, NULL, c->axis->names);
	else
		value_ticks(area, f);
	if (c->axis == &t->row_axis && (c->axis->before || c->axis->after))
		name_tokens(x, c->axis, t->rows);
	panels_ticks(p);
}

/* Short marks between the labels of logarithmic axes. */
static void draw_marks(struct figure *f, const struct plot_area *area)
{
	const struct panels *p = &area->p;
	const struct box *b = &p->box;
	const int half = TICK / 2, length = pt(f, half);
	double at[TICKS_MOST];
	size_t n = p->log_x ? ticks_between(at, TICKS_MOST, p->left, p->right)
			    : 0;

	for (size_t i = 0; i < n; i++)
		figure_rect(f, INK_TEXT, b->x +
			    tick_begin(f, panels_x(p, at[i])),
			    b->y + b->h + f->scale, f->scale, length);
	n = p->log_y ? ticks_between(at, TICKS_MOST, p->low, p->high) : 0;
	for (size_t i = 0; i < n; i++)
		figure_rect(f, INK_TEXT, b->x - f->scale - length,
			    b->y + tick_begin(f, panels_y(p, at[i])), length,
			    f->scale);
}

/* Leave out the points that a logarithmic horizontal axis cannot show. */
static void leave_out(struct curve *c)
{
	for (size_t k = 0; k < c->n; k++) {
		if (c->x[k] > 0)
			continue;
		c->y[k] = (double)NAN;
		if (c->low)
			c->low[k] = c->high[k] = (double)NAN;
	}
}

/* Whether a value of an axis is not above least. */
static bool hides(const double *x, size_t n, double above)
{
	for (size_t k = 0; k < n; k++)
		if (x[k] <= above)
			return true;
	return false;
}

/*
 * Leave out the points that logarithmic axes cannot show, so that nothing else
 * of the figure depends on them, and say which.
 */
static void hide(struct figure *f, const struct plot_area *area)
{
	const struct panels *p = &area->p;
	const struct curves *c = area->curves;
	bool x = false, below = false, y = false;
	char text[CURVES_NOTE] = "";

	for (size_t i = 0; i < c->count; i++) {
		struct curve *a = &c->curve[i];

		x |= p->log_x && hides(a->x, a->n, 0);
		below |= p->log_x && hides(a->x, a->n, -DBL_MIN);
		if (p->log_x)
			leave_out(a);
		y |= p->log_y && (hides(a->y, a->n, 0) ||
				  hides(a->low, a->low ? a->n : 0, 0));
	}
	if (x)
		snprintf(text, sizeof text, below ? "no %s up to 0 is shown"
			 : "%s 0 is not shown", c->x_name);
	figure_note(f, text);
	figure_note(f, y ? "values up to 0 are not shown" : "");
}

static void draw(struct figure *f, struct plot_area *area)
{
	struct panels *p = &area->p;
	const struct box *b = &p->box;

	side_left_lines(f, b, &p->y);
	if (area->points)
		side_bottom_lines(f, b, &p->x);
	figure_note(f, area->curves->note);
	curves_draw(f, area);
	if (area->as == AS_BARS && p->low < 0 && p->high > 0)
		figure_rect(f, INK_TEXT, b->x, b->y + tick_begin(f,
			    panels_y(p, 0)), b->w, f->scale);
	frame(f, b);
	draw_marks(f, area);
	side_left(f, b, &p->y, true);
	side_bottom(f, b, &p->x, true);
	if (area->legend)
		legend_draw(f, area);
	figure_note(f, area->empty ? "no value can be drawn" : "");
}

void curves_layout(struct figure *f, const struct table *t,
		   const struct look *look, enum curves_as as)
{
	struct curves c;
	/* Not on the stack, which may have 64 KiB */
	struct plot_area *p = figure_room(f, 1, sizeof *p);

	if (!p || !curves_make(&c, f, t, look))
		return;
	p->curves = &c;
	p->as = as;
	p->p.log_x = look->log == LOG_X || look->log == LOG_XY;
	p->p.log_y = look->log == LOG_Y || look->log == LOG_XY;
	p->p.box.w = panels_wide(f, PLOT_WIDE);
	p->share = fmin(1, (double)p->p.box.w / pt(f, PLOT_WIDE));
	p->p.box.h = panels_high(f, PLOT_HIGH);
	if (!choose_width(p, look, &f->err))
		return;
	hide(f, p);
	choose_height(p, t, look);
	if (f->heights)
		share_height(&p->p, f->heights);
	choose_ticks(p, f, t, look);
	p->legend = legend_room(f, &c);
	panels_place(f, &p->p, t, look);
	draw(f, p);
}

static void layout_lines(struct figure *f, const struct table *t,
			 const struct look *look, size_t threads)
{
	(void)threads;
	curves_layout(f, t, look, AS_LINES);
}

static void layout_steps(struct figure *f, const struct table *t,
			 const struct look *look, size_t threads)
{
	(void)threads;
	curves_layout(f, t, look, AS_STEPS);
}

/* Fail if --range has values that a logarithmic axis cannot show. */
static bool check_log(const struct look *look, struct error *err)
{
	double a = 0, b = 0;

	if (look->log == NO_CHOICE || look->log == LOG_X ||
	    !look->range)
		return true;
	if (look_span(look, &a, &b) == SPAN_GIVEN ? a > 0
	    : strcmp(look->range, "sym") != 0)
		return true;
	return fail(err, "--log %s needs a --range of values above 0, got %s",
		    log_words[look->log], look->range);
}

/* Fail if there are names for more or fewer curves. */
static bool check_names(const struct look *look, const struct table *t,
			 struct error *err)
{
	const size_t count = curves_count(look, t);
	size_t names = 1;

	for (const char *c = look->legend; c && *c; c++)
		names += *c == ',';
	if (look->legend && names != count)
		return fail(err, "--legend must have one name per line: "
			    "expected %zu, got %zu", count, names);
	return check_log(look, err);
}

/* Fails if there are planes that are no functions of distance. */
bool curves_check(const struct look *look, const struct table *t,
		  size_t planes, size_t rows, struct error *err)
{
	(void)rows;
	if (curves_by_distance(look, t))
		planes = 1;
	for (const struct table *x = t->beside; x; x = x->beside)
		if (x->planes > 1 || planes > 1)
			return fail(err, "--plot %s draws one plane of each "
				    "TABLE: select it with --head",
				    plot_name(look));
	return plot_one_plane(look, planes, err) && check_names(look, t, err);
}

static bool check_steps(const struct look *look, const struct table *t,
			size_t planes, size_t rows, struct error *err)
{
	if (!curves_check(look, t, planes, rows, err))
		return false;
	for (; t; t = t->beside)
		if (rows > 1 && t->cols > 1 && !t->at_distance)
			return fail(err, "--plot steps draws one row or "
				    "column, or a table of distances, got "
				    "%zu x %zu values", rows, t->cols);
	return true;
}

const struct plot plot_lines = {
	.curves = true, .columns = true, .check = curves_check,
	.layout = layout_lines,
};

const struct plot plot_steps = {
	.curves = true, .check = check_steps, .layout = layout_steps,
};
