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
	double *scaled, *unscaled;  /* [n] decimal logarithms; infinite where
				       a pair does not turn */
	double low, high;           /* decades that the axis spans: 1 to 10,
				       and where the wavelengths are */
	struct box box;
	struct side x, y;
	struct heading heading;
	int legend;                 /* lines of it that are drawn */
	int legend_width;           /* of its texts; 0: nothing to tell */
};

/* The decimal logarithms of the wavelengths, and the decades they span. */
static double *logarithms(struct wavelengths *w, struct figure *f,
			  double (*at)(const void *self, size_t k))
{
	double *to = figure_room(f, w->n, sizeof *to);

	for (size_t k = 0; to && k < w->n; k++) {
		to[k] = log10(TWO_PI / fabs(at(w->from->self, k)));
		if (isinf(to[k]))
			continue;
		w->low = fmin(w->low, floor(to[k]));
		w->high = fmax(w->high, floor(to[k]) + 1);
	}
	return to;
}

static void include(struct wavelengths *w, double length)
{
	if (length > 0) {
		w->low = fmin(w->low, floor(log10(length)));
		w->high = fmax(w->high, ceil(log10(length)));
	}
}

/* Powers of ten, if there are many. */
static void decade_ticks(struct wavelengths *w, const struct figure *f)
{
	struct ticks *y = &w->y.ticks;

	ticks_log(y, step_value(1, (int)w->low),
		  fmin(step_value(1, (int)w->high), DBL_MAX),
		  (size_t)(w->box.h / pt(f, (sparse(f) - 0.2) *
					      TICK_POINTS)));
	for (size_t i = 0; i < y->n; i++)
		y->tick[i].at = (w->high - log10(y->tick[i].at)) /
				(w->high - w->low) * w->box.h;
}

static struct point place(const struct wavelengths *w, double k, double log)
{
	return (struct point){
		w->box.x + (k + 0.5) / (double)w->n * w->box.w,
		w->box.y + (w->high - log) / (w->high - w->low) * w->box.h,
	};
}

/* The diameter of dots. */
static int dot(const struct figure *f, const struct wavelengths *w)
{
	return pt(f, w->n < MANY ? DOT : DOT_SMALL);
}

/* The wavelengths from those above least to most, as dots; their number. */
static size_t draw_dots(struct figure *f, const struct wavelengths *w,
			const double *log, double least, double most, int ink)
{
	struct point *at = figure_room(f, w->n, sizeof *at);
	size_t n = 0;

	for (size_t k = 0; at && k < w->n; k++)
		if (log[k] > least && log[k] <= most)
			at[n++] = place(w, (double)k, log[k]);
	if (n)
		figure_points(f, ITEM_DOTS, ink, at, n)->width = dot(f, w);
	return n;
}

/* The middle of the swatch of the next line of the legend. */
static struct point legend(struct figure *f, struct wavelengths *w,
			   const char *text)
{
	struct point at = legend_line(f, &w->box, &w->x, w->legend++, 1, 0,
				      text);

	w->legend_width = greatest(w->legend_width, pt(f, SWATCH + GAP) +
				   figure_width(f, TICK_POINTS, text));
	at.x += pt(f, SWATCH) / 2.0;
	return at;
}

static void legend_dot(struct figure *f, struct wavelengths *w, int ink,
		       const char *text)
{
	const struct point at = legend(f, w, text);

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
	char number[TICK_TEXT], text[2 * TICK_TEXT];
	struct point at;

	if (!(length > 0))
		return;
	tick_text(number, length);
	snprintf(text, sizeof text, "%s %s", name, number);
	at = legend(f, w, text);
	draw_line(f, (struct point [2]){ { at.x - half, at.y },
					 { at.x + half, at.y } }, dash);
	at = place(w, 0, log10(length));
	draw_line(f, (struct point [2]){ { w->box.x, at.y },
					 { w->box.x + w->box.w, at.y } }, dash);
}

static void draw_pairs(struct figure *f, struct wavelengths *w)
{
	const double length = w->from->length > 0 ? log10(w->from->length)
						  : HUGE_VAL;
	const double all = HUGE_VAL;

	if (w->unscaled) {
		draw_dots(f, w, w->unscaled, -all, DBL_MAX, INK_MUTED);
		legend_dot(f, w, INK_MUTED, "before scaling");
	}
	if (draw_dots(f, w, w->scaled, -all, fmin(length, DBL_MAX),
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
		turning += w->scaled[k] <= log10(length);
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

static void choose_ticks(struct wavelengths *w, const struct figure *f,
			 const struct look *look)
{
	const struct axis pairs = axis_of(AXIS_PAIR);
	struct ticks *x = &w->x.ticks;

	ticks_labels(x, &pairs, 0, w->n, (size_t)(w->box.w / pt(f, 50)));
	for (size_t i = 0; i < x->n; i++)
		x->tick[i].at = (x->tick[i].at + 0.5) / (double)w->n * w->box.w;
	decade_ticks(w, f);
	w->x.name = (struct name){ pairs.name, look->xlabel };
	w->y.name = (struct name){ "wavelength (positions)", look->ylabel };
}

static void draw(struct figure *f, struct wavelengths *w)
{
	struct box *b = &w->box;
	char text[200] = "";

	b->x = pt(f, MARGIN) + side_left_room(f, &w->y);
	b->y = pt(f, MARGIN + GAP) + w->heading.h;
	heading_draw(f, &w->heading, b->x + b->w / 2, pt(f, MARGIN));
	for (size_t i = 0; i < w->y.ticks.n; i++)
		figure_rect(f, INK_GRID, b->x, b->y +
			    tick_begin(f, w->y.ticks.tick[i].at), b->w,
			    f->scale);
	draw_pairs(f, w);
	frame(f, b);
	side_left(f, b, &w->y, true);
	side_bottom(f, b, &w->x, true);
	f->w = b->x + b->w + pt(f, MARGIN) +
	       (w->legend && !f->wide ? pt(f, MARGIN) + w->legend_width
				      : side_bottom_out(f, &w->x, b->w));
	f->h = b->y + b->h + side_bottom_room(f, &w->x) + pt(f, MARGIN) +
	       (f->wide ? w->legend * pt(f, LEGEND_LINE) + pt(f, GAP) : 0);
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
	*w = (struct wavelengths){ .from = from, .n = from->n,
				   .low = 0, .high = 1 };
	w->scaled = logarithms(w, f, from->at);
	if (from->unscaled)
		w->unscaled = logarithms(w, f, from->unscaled);
	if (f->err.text[0])
		return;
	include(w, from->length);
	include(w, from->original);
	w->box.w = panels_wide(f, PANEL_WIDE);
	w->box.h = panels_high(f, PANEL_HIGH);
	choose_ticks(w, f, look);
	heading_make(&w->heading, f, t, look, w->box.w);
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
