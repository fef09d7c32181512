/* plot.c: lines and steps, with axes, a grid and a legend. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "figure/plot.h"

enum {
	PLOT_WIDE = 600, PLOT_HIGH = 320,   /* points */
	SWATCH = 22,                        /* of a line in the legend */
	LEGEND_LINE = 20,
};

/* Widen lo to hi by n numbers, those of them that are finite. */
static void widen(double *lo, double *hi, const double *x, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (isfinite(x[i])) {
			*lo = fmin(*lo, x[i]);
			*hi = fmax(*hi, x[i]);
		}
}

/* A range that is none becomes one. */
static void settle(double *lo, double *hi)
{
	if (*lo > *hi)
		*lo = *hi = 0;
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
	if (p->steps && p->left <= p->right) {
		p->left -= 0.5;
		p->right += 0.5;
	}
	settle(&p->left, &p->right);
	if (span == SPAN_GIVEN)
		return;
	p->low = HUGE_VAL;
	p->high = -HUGE_VAL;
	for (size_t i = 0; i < c->count; i++)
		widen(&p->low, &p->high, c->y[i], c->n);
	if (span == SPAN_TABLE && t->bounds == BOUNDS_TIGHT && !p->steps)
		widen(&p->low, &p->high, (double []){ t->lo, t->hi }, 2);
	if (span == SPAN_SYM) {
		p->high = fmax(fabs(p->low), fabs(p->high));
		p->low = -p->high;
	}
	settle(&p->low, &p->high);
	/* Room above and below, so that no line lies on the frame. */
	room = 0.05 * p->high - 0.05 * p->low;
	if (isfinite(p->high + room) && isfinite(p->low - room)) {
		p->high += room;
		p->low -= room;
	}
}

/* No more than there are whole numbers, where they count things. */
static size_t most_ticks(double lo, double hi, bool counts, int most)
{
	return (size_t)(counts && hi - lo < most ? (int)(hi - lo) + 2 : most);
}

static void choose_ticks(struct plot_area *p, const struct figure *f,
			 const struct table *t, const struct look *look)
{
	const struct curves *c = p->curves;
	struct ticks *x = &p->x.ticks, *y = &p->y.ticks;
	const bool counts = !c->axis || (!c->axis->at && c->axis->step == 1);

	ticks_numbers(y, p->low, p->high,
		      most_ticks(p->low, p->high, dtype_integer(t->dtype),
				 p->box.h / pt(f, 3.2 * TICK_POINTS)));
	for (size_t i = 0; i < y->n; i++)
		y->tick[i].at = plot_y(p, y->tick[i].at);
	p->y.name = t->value ? t->value : "value";
	p->x.name = c->across;
	if (look->words && c->axis == &t->down && c->every == 1) {
		ticks_words(x, look->words, c->n, TICKS_MOST);
		for (size_t i = 0; i < x->n; i++)
			x->tick[i].at = c->x[(size_t)x->tick[i].at];
		p->x.upright = (ticks_width(f, x) + pt(f, GAP)) * (int)x->n >
			       p->box.w;
	} else {
		ticks_numbers(x, p->left, p->right,
			      most_ticks(p->left, p->right, counts,
					 p->box.w / pt(f, 60)));
	}
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
			    y + rise(f, TICK_POINTS) / 2, p->curves->names[i]);
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

/* A note of what was left out. */
static void draw_note(struct figure *f, const struct curves *c)
{
	char text[80];

	if (c->every == 1)
		return;
	snprintf(text, sizeof text, "one of %zu rows is drawn", c->every);
	f->h += pt(f, NOTE_POINTS);
	figure_text(f, INK_MUTED, NOTE_POINTS, pt(f, MARGIN),
		    f->h - pt(f, 10), text);
}

static void draw(struct figure *f, struct plot_area *p)
{
	const struct box *b = &p->box;
	const int rows = pt(f, LEGEND_LINE) * (int)p->curves->count;

	f->w = b->x + b->w + p->legend + pt(f, MARGIN);
	f->h = b->y + (rows > b->h && p->legend ? rows : b->h) +
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
	struct plot_area p = { .curves = &c, .steps = look->plot == STEPS };

	if (p.steps && t->diagonals && t->end - t->begin > 1
	    ? !curves_of_distances(&c, f, t)
	    : !curves_of_columns(&c, f, t, look))
		return;
	p.box.w = pt(f, PLOT_WIDE);
	p.box.h = pt(f, PLOT_HIGH);
	choose_span(&p, t, look);
	choose_ticks(&p, f, t, look);
	p.legend = legend_room(f, &c);
	heading_make(&p.heading, f, t, look, p.box.w);
	p.box.x = pt(f, MARGIN) + side_left_room(f, &p.y);
	p.box.y = pt(f, MARGIN + GAP) + p.heading.h;
	draw(f, &p);
}
