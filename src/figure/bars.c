/*
 * bars.c: a row or column of a few values, such as the slopes of heads, as bars
 * from 0; as points where bars would have no base or be almost of one height.
 */
#include <math.h>
#include <stdlib.h>

#include "figure/curves.h"

enum { BARS_MOST = 256 };  /* values of a table */

#define PART 0.8  /* how much of the axis bars cover */

double bars_apart(const struct curves *c)
{
	double least = HUGE_VAL;

	for (size_t i = 0; i < c->count; i++) {
		const struct curve *a = &c->curve[i];

		for (size_t k = a->every; k < a->n; k += a->every) {
			const double d = fabs(a->x[k] - a->x[k - a->every]);

			least = d > 0 ? fmin(least, d) : least;
		}
	}
	return isfinite(least) ? least : 1;
}

/* A bar of curve i, from left to right of the axis. */
static void draw_bar(struct figure *f, const struct plot_area *p, size_t i,
		     const double ends[2], double y)
{
	const int left = (int)rint(panels_x(&p->p, ends[0]));
	const int right = (int)rint(panels_x(&p->p, ends[1]));
	const int base = (int)rint(curves_edge(p, 0));
	const int end = (int)rint(curves_edge(p, y));

	figure_rect(f, INK_LINE + (int)(i % LINES_COLORS), p->p.box.x + left,
		    p->p.box.y + (end < base ? end : base),
		    greatest(right - left, 1), abs(end - base));
}

/* Bars and points are beside those of other curves. */
void bars_draw(struct figure *f, const struct plot_area *p, size_t i)
{
	const struct curve *c = &p->curves->curve[i];
	const double all = PART * bars_apart(p->curves);
	const double one = all / (double)p->curves->count;

	for (size_t k = 0; k < c->n; k += c->every) {
		const double left = c->x[k] - all / 2 + (double)i * one;

		if (!isfinite(c->y[k]))
			figure_note(f, "values that are not finite are not "
				    "drawn");
		else if (p->points)
			curve_point(f, p, i, left + one / 2, c->y[k]);
		else
			draw_bar(f, p, i, (double []){ left, left + one },
				 c->y[k]);
	}
}

static void layout(struct figure *f, const struct table *t,
		   const struct look *look, size_t threads)
{
	(void)threads;
	curves_layout(f, t, look, AS_BARS);
}

static bool check(const struct look *look, const struct table *t,
		  size_t planes, size_t rows, struct error *err)
{
	if (!curves_check(look, t, planes, rows, err))
		return false;
	if (look->log != NO_CHOICE && look->log != LOG_Y)
		return fail(err, "--plot bars has a logarithmic axis of values "
			    "only, --log y, got %s", log_words[look->log]);
	for (; t; t = t->beside) {
		rows = t->end - t->begin;
		if ((rows > 1 && t->cols > 1) || rows * t->cols > BARS_MOST)
			return fail(err, "--plot bars draws one row or column "
				    "of at most %d values, got %zu x %zu",
				    BARS_MOST, rows, t->cols);
	}
	return true;
}

bool bars_suit(const struct table *t)
{
	const enum axis_kind kind = t->col_axis.kind;

	return t->end - t->begin == 1 && t->cols > 1 && t->cols <= BARS_MOST &&
	       (kind == AXIS_HEAD || kind == AXIS_PAIR) &&
	       t->row_axis.kind != AXIS_POSITION;
}

const struct plot plot_bars = {
	.curves = true, .check = check, .layout = layout,
};
