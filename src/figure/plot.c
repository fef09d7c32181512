/* plot.c: lines and steps, with axes, a grid and a legend. */
#include <float.h>
#include <math.h>
#include <stdio.h>

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

/* A range that is none becomes one; sym: as far on both sides of 0. */
static void settle(double *lo, double *hi, bool sym)
{
	if (*lo > *hi)
		*lo = *hi = 0;
	if (sym) {
		*hi = fmax(-*lo, *hi);
		*lo = -*hi;
	}
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
	/* Room above and below, so that no line lies on the frame. */
	room = 0.05 * p->high - 0.05 * p->low;
	p->high = fmin(p->high + room, DBL_MAX);
	p->low = fmax(p->low - room, -DBL_MAX);
}

/* No more than there are whole numbers, where they count things. */
static size_t most_ticks(double lo, double hi, bool counts, int most)
{
	return (size_t)(counts && hi - lo < most ? (int)ceil(hi - lo) + 1
						: most);
}

/* Words instead of the labels of rows. */
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

/* As many as there is room for, fewer where they are long. */
static void number_ticks(struct plot_area *p, const struct figure *f)
{
	const struct axis *a = p->curves->axis;
	const bool counts = !a || (!a->at && a->step == 1);
	struct ticks *x = &p->x.ticks;
	int apart = pt(f, 60);

	ticks_numbers(x, p->left, p->right, most_ticks(p->left, p->right,
		      counts, p->box.w / apart));
	apart = greatest(apart, ticks_width(f, x) + pt(f, TICK_POINTS));
	ticks_numbers(x, p->left, p->right, most_ticks(p->left, p->right,
		      counts, p->box.w / apart));
}

static void choose_ticks(struct plot_area *p, const struct figure *f,
			 const struct table *t, const struct look *look)
{
	const struct curves *c = p->curves;
	struct ticks *x = &p->x.ticks, *y = &p->y.ticks;

	ticks_numbers(y, p->low, p->high,
		      most_ticks(p->low, p->high, dtype_integer(t->dtype),
				 p->box.h / pt(f, 3.2 * TICK_POINTS)));
	for (size_t i = 0; i < y->n; i++)
		y->tick[i].at = plot_y(p, y->tick[i].at);
	p->y.name = t->value ? t->value : "value";
	p->x.name = c->across;
	if (look->words && c->axis == &t->down && c->every == 1)
		word_ticks(p, f, look->words);
	else
		number_ticks(p, f);
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
	p.box.x = pt(f, MARGIN) + greatest(side_left_room(f, &p.y),
					   side_bottom_out(f, &p.x, p.box.w));
	p.box.y = pt(f, MARGIN + GAP) + p.heading.h;
	draw(f, &p);
}
