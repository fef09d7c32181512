/* page.c: the size of a figure on paper. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "text/decimal.h"
#include "figure/formula.h"
#include "figure/layout.h"
#include "figure/plots.h"
#include "figure/subfigures.h"

enum {
	DPI = 300,            /* of --width, for PNG */
	SCALE = 2,            /* of figures without --width */
	PIXELS_MOST = 16384,  /* width of a PNG with --width */
	TRIES = 8,            /* layouts until panels fit, */
	SHARE_MOST = 64,      /* of this share of their width, */
	NEAR = 6,             /* to so many points */
	LEAST = 60,           /* width of all panels, points, */
	LEAST_HIGH = 160,     /* and their height */
	CROP = MARGIN - 4,    /* of each margin, as pages have theirs */
	LARGE = 9, SMALL = 8, /* sizes of text in print, typographic points */
};

#define ROUNDED 1e-9  /* cm */

static const struct {
	const char *name;
	double per_inch;
} units[] = {
	{ "cm", 2.54 }, { "mm", 25.4 }, { "in", 1 }, { "pt", 72 },
	{ "px", INCH_PIXELS },
};

/* Read a length; false if it is none. */
static bool read_length(const char *text, struct length *l)
{
	char number[32] = "";
	const size_t n = strspn(text, "0123456789.eE+-");

	if (n >= sizeof number)
		return false;
	memcpy(number, text, n);
	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if (strcmp(text + n, units[i].name) == 0) {
			l->unit = units[i].name;
			if (!parse_real(number, &l->value))
				return false;
			l->inches = l->value / units[i].per_inch;
			return true;
		}
	return false;
}

static bool check_width(const struct look *look, struct error *err)
{
	struct length l = { 0 };
	const double dpi = look->dpi ? (double)look->dpi : DPI;

	if (!read_length(look->width, &l))
		return fail(err, "--width must be a number with a unit, cm, "
			    "mm, in, pt (1/72 in) or px (1/96 in), such as "
			    "8cm, got '%.60s'", look->width);
	if (l.inches * 2.54 < 1 - ROUNDED || l.inches * 2.54 > 100 + ROUNDED)
		return fail(err, "--width must be between 1cm and 100cm, got "
			    "%.60s", look->width);
	if (look->cell)
		return fail(err, "--cell sets the size of cells and --width "
			    "that of the figure: expected one of them");
	if (l.inches * dpi <= PIXELS_MOST)
		return true;
	return fail(err, "--width %.60s with --dpi %g is more than %d pixels "
		    "wide: a smaller --dpi is needed", look->width, dpi,
		    PIXELS_MOST);
}

bool page_check(const struct look *look, struct error *err)
{
	if ((look->width || look->dpi) && look->scale)
		return fail(err, "--scale sets pixels per 1/96 inch, and --%s "
			    "what they follow from: expected one of them",
			    look->dpi ? "dpi" : "width");
	return !look->width || check_width(look, err);
}

/* Set the resolution, and what follows from it. */
static void set_dpi(struct figure *f, double dpi)
{
	f->dpi = dpi;
	f->wide = (int)(f->width.inches * dpi + 0.5);
	/* In print, TICK_POINTS of the layout are SMALL points */
	f->unit = f->wide ? dpi * SMALL / (72 * TICK_POINTS)
			  : dpi / INCH_PIXELS;
	f->scale = greatest(1, (int)(f->unit + 0.5));
}

void page_begin(struct figure *f, const struct look *look)
{
	const int scale = look->scale ? (int)look->scale : SCALE;
	const bool sized = look->width || look->dpi;

	f->fixed = look->frame == NO_CHOICE ? look->animate != NULL
					    : look->frame == FRAME_FIXED;
	if (look->width)
		read_length(look->width, &f->width);
	set_dpi(f, look->dpi ? (double)look->dpi
		: sized ? DPI : INCH_PIXELS * scale);
	f->dots = sized ? (int)(f->dpi / 0.0254 + 0.5) : 3780 * scale;
}

int font_pixels(const struct figure *f, int points)
{
	if (!f->wide)
		return pt(f, points);
	return points > TICK_POINTS ? (int)(LARGE * f->dpi / 72)
				    : (int)ceil(SMALL * f->dpi / 72);
}

int panels_wide(struct figure *f, double points)
{
	f->panels = points * f->unit;
	return greatest(pt(f, points * f->share), pt(f, fmin(LEAST, points)));
}

int panels_high(const struct figure *f, double points)
{
	/* Narrow figures need not be low, too */
	return greatest(pt(f, points * sqrt(f->share)),
			pt(f, fmin(LEAST_HIGH, points)));
}

static void lay_out(struct figure *f, const struct table *t,
		    const struct look *look, size_t threads)
{
	f->first = NULL;
	f->last = &f->first;
	f->note[0] = '\0';
	if (look->subfigures)
		subfigures_layout(f, t, look);
	else
		plot_of(look)->layout(f, t, look, threads);
	if (f->wide) {
		f->w -= 2 * pt(f, CROP);
		f->h -= 2 * pt(f, CROP);
	}
}

void figure_move(struct item *first, int dx, int dy)
{
	for (struct item *i = first; i; i = i->next) {
		i->x += dx;
		i->y += dy;
		for (size_t k = 0; k < i->n; k++) {
			i->points[k].x += dx;
			i->points[k].y += dy;
		}
	}
}

/* Move texts that extend beyond the sides. */
static void keep_texts(const struct figure *f)
{
	const int side = pt(f, 2);

	for (struct item *i = f->first; i; i = i->next) {
		int w, left;

		if (i->kind != ITEM_TEXT || i->upward)
			continue;
		w = (int)ceil(formula_width(f, i->size, i->text));
		left = i->x - w * (int)i->anchor / 2;
		i->x += greatest(0, side - left);
		i->x -= greatest(0, left + w + side - f->w);
	}
}

/*
 * Find the greatest share of the panels with which the figure is not too wide:
 * its width grows in steps, since cells have whole pixels.
 */
static void fit(struct figure *f, const struct table *t,
		const struct look *look, size_t threads)
{
	double good = 0, bad = SHARE_MOST;
	int last = 0;

	f->share = (f->wide - f->w + pt(f, LEAST)) / f->panels;
	for (int i = 0; i < TRIES; i++) {
		const double at = f->share;

		lay_out(f, t, look, threads);
		if (f->w > f->wide) {
			bad = at;
		} else if (f->w == last || f->wide - f->w < pt(f, NEAR)) {
			return;
		} else {
			good = at;
			last = f->w;
		}
		f->share = fmin(fmax(at + (f->wide - f->w) / f->panels,
				     good * 1.01), bad * 0.99);
	}
	f->share = good;
	lay_out(f, t, look, threads);
}

/* Lay out with the narrowest panels; fails if the page is too narrow. */
static bool lay_out_narrow(struct figure *f, const struct table *t,
			   const struct look *look, size_t threads, int more)
{
	f->share = 0;
	lay_out(f, t, look, threads);
	if (f->w - f->wide <= more)
		return true;
	return fail(&f->err, "--width %s is too narrow for this figure, which "
		    "needs at least %.3g%s", look->width, ceil(f->width.value *
		    f->w / f->wide * 10) / 10, f->width.unit);
}

/*
 * Fail if the page is too narrow: at the usual resolution, so that all formats
 * agree, and but for what is rounded to pixels, which the margins hold.
 */
static void check_fits(struct figure *f, const struct table *t,
		       const struct look *look, size_t threads)
{
	const double dpi = f->dpi;
	bool good;

	set_dpi(f, DPI);
	good = lay_out_narrow(f, t, look, threads, 0);
	set_dpi(f, dpi);
	if (good)
		lay_out_narrow(f, t, look, threads, 2 * pt(f, MARGIN - CROP));
}

void page_lay_out(struct figure *f, const struct table *t,
		  const struct look *look, size_t threads)
{
	int across;

	f->share = 1;
	if (f->wide)
		check_fits(f, t, look, threads);
	else
		lay_out(f, t, look, threads);
	if (!f->wide || f->err.text[0]) {
		notes_draw(f);
		return;
	}
	fit(f, t, look, threads);
	across = f->wide - f->w;
	f->w = f->wide;
	figure_move(f->first, across / 2 - pt(f, CROP), -pt(f, CROP));
	keep_texts(f);
	notes_draw(f);
}
