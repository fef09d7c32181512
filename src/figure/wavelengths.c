/*
 * wavelengths.c: the wavelength of each pair of columns, in positions, on a
 * logarithmic axis, with the length of the table as a line. Pairs above the
 * line complete no turn within the table.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>

#include "figure/layout.h"
#include "figure/plots.h"

enum {
	PANEL_WIDE = 600, PANEL_HIGH = 320,  /* points */
	DOT = 5, DOT_SMALL = 3,              /* diameters, points; */
	MANY = 128,                          /* small dots from so many on */
	DASH = 6, DASH_SHORT = 2,            /* points */
};

#define TWO_PI 6.283185307179586
#define LINE 1.5  /* points */

struct wavelengths {
	const struct frequencies *from;
	size_t n;
	double *scaled, *unscaled;  /* [n] of each pair, in positions; infinite
				       where it does not turn */
	struct panels p;            /* one */
	int legend;                 /* lines of it that are drawn */
	int legend_width;           /* of its texts */
};

/* The decade that x is in, or whose end it is. */
static void include(struct wavelengths *w, double x)
{
	const int decade = exponent_of(x);
	const double begin = step_value(1, decade);

	w->p.low = fmin(w->p.low, begin);
	w->p.high = fmin(fmax(w->p.high, x > begin ? step_value(1, decade + 1)
						   : x), DBL_MAX);
}

/* The wavelengths of all pairs, which the axis spans. */
static double *find(struct wavelengths *w, struct figure *f,
		    double (*at)(const void *self, size_t k))
{
	double *to = figure_room(f, w->n, sizeof *to);

	for (size_t k = 0; to && k < w->n; k++) {
		to[k] = TWO_PI / fabs(at(w->from->self, k));
		if (isfinite(to[k]))
			include(w, to[k]);
	}
	return to;
}

/* The diameter of dots. */
static int dot(const struct figure *f, const struct wavelengths *w)
{
	return pt(f, w->n < MANY ? DOT : DOT_SMALL);
}

/* The wavelengths from those above least to most, as dots; their number. */
static size_t draw_dots(struct figure *f, const struct wavelengths *w,
			const double *x, double least, double most, int ink)
{
	struct point *at = figure_room(f, w->n, sizeof *at);
	const struct box *b = &w->p.box;
	size_t n = 0;

	for (size_t k = 0; at && k < w->n; k++)
		if (x[k] > least && x[k] <= most)
			at[n++] = (struct point){
				b->x + panels_x(&w->p, (double)k + 0.5),
				b->y + panels_y(&w->p, x[k]),
			};
	if (n)
		figure_points(f, ITEM_DOTS, ink, at, n)->width = dot(f, w);
	return n;
}

/* The middle of the swatch of the next line of the legend. */
static struct point legend(struct figure *f, struct wavelengths *w,
			   const char *text)
{
	struct point at = legend_line(f, &w->p, w->legend++, 1, 0, text);

	w->legend_width = greatest(w->legend_width, pt(f, SWATCH + GAP) +
				   figure_width(f, TICK_POINTS, text));
	at.x += pt(f, SWATCH) / 2.0;
	return at;
}

static void legend_dot(struct figure *f, struct wavelengths *w, int ink,
		       const char *text)
{
	const struct point at = legend(f, w,
				       language_text(f->language, text));

	figure_points(f, ITEM_DOTS, ink, &at, 1)->width = pt(f, DOT);
}

static void draw_line(struct figure *f, const struct point ends[2], int dash)
{
	struct item *item = figure_points(f, ITEM_PATH, INK_TEXT, ends, 2);

	item->width = LINE * f->unit;
	item->dash = pt(f, dash);
}

/* A length in positions, as a line and in the legend. */
static void draw_length(struct figure *f, struct wavelengths *w, double length,
			int dash, const char *name)
{
	const double half = pt(f, SWATCH) / 2.0;
	const struct box *b = &w->p.box;
	char number[TICK_TEXT], text[2 * TICK_TEXT];
	struct point at;

	if (!(length > 0))
		return;
	tick_text(number, length);
	snprintf(text, sizeof text, "%s %s", language_text(f->language, name),
		 number);
	at = legend(f, w, text);
	draw_line(f, (struct point [2]){ { at.x - half, at.y },
					 { at.x + half, at.y } }, dash);
	at.y = b->y + panels_y(&w->p, length);
	draw_line(f, (struct point [2]){ { b->x, at.y },
					 { b->x + b->w, at.y } }, dash);
}

static void draw_pairs(struct figure *f, struct wavelengths *w)
{
	const double all = HUGE_VAL;
	const double length = w->from->length > 0 ? w->from->length : all;

	if (w->unscaled) {
		draw_dots(f, w, w->unscaled, 0, DBL_MAX, INK_MUTED);
		legend_dot(f, w, INK_MUTED, "before scaling");
	}
	if (draw_dots(f, w, w->scaled, 0, fmin(length, DBL_MAX),
		      INK_LINE) && (w->unscaled || length < all))
		legend_dot(f, w, INK_LINE, length < all ? "up to the length"
							: "after scaling");
	if (draw_dots(f, w, w->scaled, length, DBL_MAX, INK_LINE + 1))
		legend_dot(f, w, INK_LINE + 1, "longer than the length");
	draw_length(f, w, w->from->length, DASH, "length");
	draw_length(f, w, w->from->original, DASH_SHORT,
		    "original length");
}

/* "22 of 32 pairs complete a turn within 512 positions" */
static void note(const struct wavelengths *w, char *text, size_t size)
{
	const double length = w->from->length;
	size_t turning = 0, still = 0, n = 0;
	char number[TICK_TEXT];

	for (size_t k = 0; k < w->n; k++) {
		still += isinf(w->scaled[k]) != 0;
		turning += w->scaled[k] <= length;
	}
	tick_text(number, length);
	if (length > 0)
		n = (size_t)snprintf(text, size, "%zu of %zu pairs complete a "
				     "turn within %s positions", turning, w->n,
				     number);
	if (still)
		snprintf(text + n, size - n, "%s%zu do not turn",
			 n ? "; " : "", still);
}

/* Powers of ten, if there are many decades. */
static void choose_ticks(struct wavelengths *w, const struct figure *f,
			 const struct look *look)
{
	const struct axis pairs = axis_of(AXIS_PAIR);
	struct panels *p = &w->p;

	ticks_labels(&p->x.ticks, &pairs, 0, w->n,
		     (size_t)(p->box.w / pt(f, 50)));
	for (size_t i = 0; i < p->x.ticks.n; i++)
		p->x.ticks.tick[i].at += 0.5;
	ticks_log(&p->y.ticks, p->low, p->high,
		  (size_t)(p->box.h / pt(f, (sparse(f) - 0.2) * TICK_POINTS)));
	panels_ticks(p);
	p->x.name = (struct name){ pairs.name, look->xlabel };
	p->y.name = (struct name){ "wavelength (positions)", look->ylabel };
}

static void draw(struct figure *f, struct wavelengths *w)
{
	const struct box *b = &w->p.box;
	char text[200] = "";

	side_left_lines(f, b, &w->p.y);
	draw_pairs(f, w);
	frame(f, b);
	side_left(f, b, &w->p.y, true);
	side_bottom(f, b, &w->p.x, true);
	legend_grow(f, &w->p, w->legend, pt(f, MARGIN) + w->legend_width);
	note(w, text, sizeof text);
	figure_note(f, text);
}

static void layout(struct figure *f, const struct table *t,
		   const struct look *look, size_t threads)
{
	const struct frequencies *from = &t->frequencies;
	struct wavelengths *w = figure_room(f, 1, sizeof *w);

	(void)threads;
	if (!w)
		return;
	*w = (struct wavelengths){ .from = from, .n = from->n, .p = {
		.low = 1, .high = 10, .log_y = true,
		.right = (double)from->n,
	} };
	w->scaled = find(w, f, from->at);
	if (from->unscaled)
		w->unscaled = find(w, f, from->unscaled);
	if (f->err.text[0])
		return;
	if (from->length > 0)
		include(w, from->length);
	if (from->original > 0)
		include(w, from->original);
	w->p.box.w = panels_wide(f, PANEL_WIDE);
	w->p.box.h = panels_high(f, PANEL_HIGH);
	choose_ticks(w, f, look);
	panels_place(f, &w->p, t, look);
	draw(f, w);
}

static bool check(const struct look *look, const struct table *t,
		  size_t planes, size_t rows, struct error *err)
{
	(void)look;
	(void)planes;
	(void)rows;
	return t->frequencies.n ||
	       fail(err, "--plot wavelengths draws the frequencies of "
		    "'sinusoid' and 'rope'; those of this table are not known");
}

const struct plot plot_wavelengths = {
	.plain = true, .check = check, .layout = layout,
};
