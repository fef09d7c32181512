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
	PIXELS_MOST = 16384,  /* of a side of a PNG with --width */
	SLIDE = 960,          /* the longer side with --aspect alone, pixels */
	ASPECT_MOST = 10,
	TRIES = 8,            /* layouts until panels fit, */
	GROWTHS = 24,         /* of a page that has no room for them */
	SAME = 4,             /* of them of one size, with a given height */
	SLACK = 36,           /* of their width for labels, points */
	SHARE_MOST = 64,      /* of this share of their width, */
	NEAR = 6,             /* to so many points */
	LEAST = 60,           /* width of all panels, points, */
	LEAST_HIGH = 160,     /* and their height, if it is free */
	CROP = MARGIN - 4,    /* of each margin, as pages have theirs */
	LARGE = 9, SMALL = 8, /* sizes of text in print, typographic points, */
	SCREEN = 9,           /* and of labels elsewhere */
};

#define ROUNDED 1e-9  /* cm */
#define GROWTH 1.25

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

/* The width of W:H, in heights; false if it is none. */
static bool read_aspect(const char *text, double *aspect)
{
	double at[2];

	if (parse_reals(text, ':', at, 2) != 2 || !(at[0] > 0 && at[1] > 0))
		return false;
	*aspect = at[0] / at[1];
	return *aspect >= 1.0 / ASPECT_MOST && *aspect <= ASPECT_MOST;
}

static struct length times(struct length l, double x)
{
	return (struct length){ l.value * x, l.unit, l.inches * x };
}

/* The sides of the page; 0: none is given. */
static void read_page(const struct look *look, struct length *w,
		      struct length *h)
{
	double aspect = 1;

	*w = *h = (struct length){ 0 };
	if (look->width)
		read_length(look->width, w);
	if (look->height)
		read_length(look->height, h);
	if (!look->aspect)
		return;
	read_aspect(look->aspect, &aspect);
	if (!look->width && !look->height)
		*w = times((struct length){ SLIDE, "px", (double)SLIDE /
							 INCH_PIXELS },
			   fmin(aspect, 1));
	if (look->height)
		*w = times(*h, aspect);
	else
		*h = times(*w, 1 / aspect);
}

/* Whether text, if given, is a length. */
static bool check_length(const char *flag, const char *text,
			 struct error *err)
{
	struct length l = { 0 };

	if (!text)
		return true;
	if (!read_length(text, &l))
		return fail(err, "--%s must be a number with a unit, cm, mm, "
			    "in, pt (1/72 in) or px (1/96 in), such as 8cm, "
			    "got '%.60s'", flag, text);
	return (l.inches * 2.54 >= 1 - ROUNDED &&
		l.inches * 2.54 <= 100 + ROUNDED) ||
	       fail(err, "--%s must be between 1cm and 100cm, got %.60s", flag,
		    text);
}

/* Whether a side is within a number of pixels, and has a usual length. */
static bool check_side(const struct look *look, const struct length *l,
		       const char *given, bool high, struct error *err)
{
	const double dpi = look->dpi ? (double)look->dpi : DPI;
	const char *side = high ? "high" : "wide";

	if (l->inches * 2.54 > 100 + ROUNDED || (!given && l->inches > 0 &&
						 l->inches * 2.54 < 1))
		return fail(err, "--aspect %.60s makes the figure %.3gcm %s: "
			    "expected 1cm to 100cm", look->aspect,
			    l->inches * 2.54, side);
	if (l->inches * dpi <= PIXELS_MOST)
		return true;
	return fail(err, "--%s %.60s with --dpi %g is more than %d pixels "
		    "%s: a smaller --dpi is needed", !given ? "aspect" : high ?
		    "height" : "width", given ? given : look->aspect, dpi,
		    PIXELS_MOST, side);
}

/* The option that sets the size of the figure, or NULL. */
static const char *sizing(const struct look *look)
{
	return look->width ? "width" : look->height ? "height"
				     : look->aspect ? "aspect" : NULL;
}

bool page_printed(const struct look *look)
{
	return look->width || look->height;
}

static bool check_sides(const struct look *look, struct error *err)
{
	struct length w, h;
	double aspect;

	if (look->cell && sizing(look))
		return fail(err, "--cell sets the size of cells and --%s "
			    "that of the figure: expected one of them",
			    sizing(look));
	if (look->width && look->height && look->aspect)
		return fail(err, "--aspect follows from --width and --height: "
			    "expected two of them");
	if (look->aspect && !read_aspect(look->aspect, &aspect))
		return fail(err, "--aspect must be W:H, such as 16:9, from "
			    "1:%d to %d:1, got '%.60s'", ASPECT_MOST,
			    ASPECT_MOST, look->aspect);
	if (!check_length("width", look->width, err) ||
	    !check_length("height", look->height, err))
		return false;
	read_page(look, &w, &h);
	return check_side(look, &w, look->width, false, err) &&
	       check_side(look, &h, look->height, true, err);
}

bool page_check(const struct look *look, struct error *err)
{
	if ((page_printed(look) || look->dpi) && look->scale)
		return fail(err, "--scale sets pixels per 1/96 inch, and --%s "
			    "what they follow from: expected one of them",
			    look->dpi ? "dpi" : sizing(look));
	return check_sides(look, err);
}

/* Set the resolution, and what follows from it. */
static void set_dpi(struct figure *f, double dpi)
{
	const double usual = f->print ? SMALL : SCREEN;

	f->dpi = dpi;
	f->wide = (int)(f->width.inches * dpi + 0.5);
	f->high = (int)(f->height.inches * dpi + 0.5);
	/* TICK_POINTS of the layout are so many points of 1/72 inch */
	f->unit = dpi * f->text / (72 * TICK_POINTS);
	f->usual = dpi * usual / (72 * TICK_POINTS);
	f->scale = greatest(1, (int)(f->unit + 0.5));
}

void page_begin(struct figure *f, const struct look *look)
{
	const int scale = look->scale ? (int)look->scale : SCALE;
	const bool sized = page_printed(look) || look->dpi;

	f->fixed = look->frame == NO_CHOICE ? look->animate != NULL
					    : look->frame == FRAME_FIXED;
	read_page(look, &f->width, &f->height);
	f->print = page_printed(look);
	f->text = !isnan(look->font_size) ? look->font_size
		  : f->print ? SMALL : SCREEN;
	set_dpi(f, look->dpi ? (double)look->dpi
		: sized ? DPI : INCH_PIXELS * scale);
	f->dots = sized ? (int)(f->dpi / 0.0254 + 0.5) : 3780 * scale;
}

int font_pixels(const struct figure *f, int points)
{
	if (!f->print)
		return pt(f, points);
	return points > TICK_POINTS
	       ? (int)(f->text * LARGE / SMALL * f->dpi / 72)
	       : (int)ceil(f->text * f->dpi / 72);
}

int panels_wide(struct figure *f, double points)
{
	f->panels = points * f->usual;
	return greatest((int)(points * f->share * f->usual),
			pt(f, fmin(LEAST, points)));
}

int panels_high(struct figure *f, double points)
{
	/* Narrow figures need not be low, too */
	const double share = f->high ? f->tall : sqrt(f->share);
	const int least = f->high ? LEAST : LEAST_HIGH;

	f->panels_high = points * f->usual;
	return greatest((int)(points * share * f->usual),
			pt(f, fmin(least, points)));
}

/* How much of each margin is cut. */
static int crop(const struct figure *f)
{
	return f->wide && f->print ? pt(f, CROP) : 0;
}

static void lay_out(struct figure *f, const struct table *t,
		    const struct look *look)
{
	f->first = NULL;
	f->last = &f->first;
	f->note[0] = '\0';
	f->panels_high = 0;
	if (look->subfigures)
		subfigures_layout(f, t, look);
	else
		plot_of(look)->layout(f, t, look, f->threads);
	f->w -= 2 * crop(f);
	f->h -= 2 * crop(f);
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

/* The width of a text that runs across, with a margin; 0: it does not. */
static int text_wide(const struct figure *f, const struct item *i)
{
	return i->kind != ITEM_TEXT || i->upward ? 0 : 2 * pt(f, 2) +
	       (int)ceil(formula_width(f, i->size, i->text));
}

int texts_wide(const struct figure *f, const struct item *first)
{
	int most = 0;

	for (const struct item *i = first; i; i = i->next)
		most = greatest(most, text_wide(f, i));
	return most;
}

void texts_keep(const struct figure *f, struct item *first, int begin, int end)
{
	for (struct item *i = first; i; i = i->next) {
		const int w = text_wide(f, i);
		const int left = i->x - pt(f, 2) -
				 (w - 2 * pt(f, 2)) * (int)i->anchor / 2;

		i->x += w ? greatest(0, begin - left) : 0;
		i->x -= w ? greatest(0, left + w - end) : 0;
	}
}

/* The height of all, with the notes that are still to be drawn. */
static int whole_height(const struct figure *f)
{
	return f->h + notes_height(f, f->wide);
}

/*
 * How much wider and higher panels may be, in shares; below 0: they are too
 * wide, or too high.
 */
static struct point room(const struct figure *f)
{
	const double high = f->panels_high > 0 ? f->panels_high : f->panels;

	return (struct point){
		(f->wide - f->w) / f->panels,
		f->high ? (f->high - whole_height(f)) / high : HUGE_VAL,
	};
}

static double room_both(const struct figure *f)
{
	return fmin(room(f).x, room(f).y);
}

/* In one direction, if there is room in the other. */
static double room_across(const struct figure *f)
{
	return room(f).y < 0 ? room(f).y : room(f).x;
}

static double room_down(const struct figure *f)
{
	return room(f).x < 0 ? room(f).x : room(f).y;
}

/*
 * Find the greatest share, which is good, with which the figure is not too
 * large, from at on: its size grows in steps, since cells have whole pixels.
 */
static void fit(struct figure *f, const struct table *t,
		const struct look *look, double *share, double at,
		double (*room_of)(const struct figure *f))
{
	const int tries = f->high ? 2 * TRIES : TRIES;
	double good = *share, bad = SHARE_MOST, last = -1;
	int same = 0;

	for (int i = 0; i < tries; i++) {
		/* A legend may hide that a panel grows */
		const int most = f->high && bad >= SHARE_MOST ? SAME : 1;
		double left;

		*share = at;
		f->tall = room_of == room_both ? at : f->tall;
		lay_out(f, t, look);
		left = room_of(f);
		if (left < 0)
			bad = at;
		else if ((left == last && ++same >= most) ||
			 left * f->panels < pt(f, NEAR))
			return;
		else
			good = at;
		last = left < 0 ? last : left;
		at += left;
		if (f->high && bad < SHARE_MOST && (at <= good || at >= bad))
			at = (good + bad) / 2;
		if (f->high && (bad - good) * f->panels < pt(f, NEAR))
			break;
		at = fmin(fmax(at, good * 1.01), bad * 0.99);
	}
	*share = good;
	f->tall = room_of == room_both ? good : f->tall;
	lay_out(f, t, look);
}

/* In proportion, then higher, then wider. */
static void fit_page(struct figure *f, const struct table *t,
		     const struct look *look)
{
	fit(f, t, look, &f->share, (f->wide - f->w + pt(f, LEAST)) / f->panels,
	    room_both);
	if (!f->high || f->panels_high <= 0)
		return;
	/* Higher axes may have longer labels */
	f->share = fmax(f->share - pt(f, SLACK) / f->panels, 0);
	fit(f, t, look, &f->tall, f->tall + fmax(room(f).y, 0), room_down);
	fit(f, t, look, &f->share, f->share + room_across(f), room_across);
}

/* A page that the least panels exceed by rounding is as large as they are. */
static void fit_rounded(struct figure *f, const struct table *t,
			const struct look *look)
{
	const int wide = f->wide, high = f->high;

	if (f->high) {
		f->high = greatest(f->high, whole_height(f));
		f->wide = greatest(f->wide, f->w);
	}
	fit_page(f, t, look);
	f->wide = wide;
	f->high = high;
}

static void lay_out_least(struct figure *f, const struct table *t,
			  const struct look *look)
{
	f->share = f->tall = 0;
	lay_out(f, t, look);
}

/* So many pixels of a side that has all, rounded up to a tenth of its unit. */
static double needed(const struct length *l, int pixels, int all)
{
	return ceil(l->value * pixels / all * 10) / 10;
}

/*
 * Lay out with the least panels; fails if the page is smaller, but for so many
 * pixels.
 */
static bool check_least(struct figure *f, const struct table *t,
			const struct look *look, int more)
{
	const char *flag = look->aspect ? "aspect" : "height";
	const struct length *l = &f->width;
	bool high = false, given;
	double least;

	lay_out_least(f, t, look);
	if (f->w - f->wide > more) {
		least = needed(l, f->w, f->wide);
		flag = look->width ? "width" : flag;
	} else if (f->high && whole_height(f) - f->high > more) {
		l = &f->height;
		least = needed(l, whole_height(f), f->high);
		flag = look->height ? "height" : flag;
		high = true;
	} else {
		return true;
	}
	given = strcmp(flag, "aspect") != 0;
	return fail(&f->err, "--%s %s is too %s for this figure, which needs "
		    "at least %.3g%s%s", flag, !given ? look->aspect : high ?
		    look->height : look->width, high ? "low" : "narrow", least,
		    l->unit, given ? "" : high ? " of height" : " of width");
}

/* Give the page the shape that the figure has by itself. */
static void take_shape(struct figure *f, const struct table *t,
		       const struct look *look)
{
	f->high = 0;
	f->share = 1;
	lay_out(f, t, look);
	f->width = times(f->height, (double)f->w / f->h);
	set_dpi(f, f->dpi);
}

/*
 * Make sides that no option sets longer until they have room for the least
 * panels, but for so many pixels.
 */
static void grow(struct figure *f, const struct table *t,
		 const struct look *look, int more)
{
	const bool free = !look->width && !(look->height && look->aspect);

	for (int i = 0; free && i < GROWTHS && !f->err.text[0]; i++) {
		double by;

		lay_out_least(f, t, look);
		by = (f->w + 1.0 - more) / f->wide;
		if (!look->height)
			by = fmax(by, (whole_height(f) + 1.0 - more) / f->high);
		if (by <= 1)
			return;
		by = fmin(by, GROWTH);  /* it may then be laid out otherwise */
		f->width = times(f->width, by);
		f->height = times(f->height, look->height ? 1 : by);
		set_dpi(f, f->dpi);
	}
}

/*
 * Fail if the page is too small: at the usual resolution, so that all formats
 * agree, and but for what is rounded to pixels, which the margins hold.
 */
static void check_fits(struct figure *f, const struct table *t,
		       const struct look *look)
{
	const double dpi = f->dpi;
	int more;

	set_dpi(f, DPI);
	if (!f->wide)
		take_shape(f, t, look);
	grow(f, t, look, 0);
	if (!check_least(f, t, look, 0))
		return;
	/* Cells of a pixel are larger where there are fewer pixels */
	set_dpi(f, dpi);
	more = 2 * pt(f, MARGIN - CROP);
	grow(f, t, look, more);
	check_least(f, t, look, more);
}

void page_lay_out(struct figure *f, const struct table *t,
		  const struct look *look)
{
	int across, down;

	f->share = 1;
	if (f->wide || f->high)
		check_fits(f, t, look);
	else
		lay_out(f, t, look);
	if (!f->wide || f->err.text[0]) {
		notes_draw(f);
		return;
	}
	fit_rounded(f, t, look);
	across = f->wide - f->w;
	down = f->high ? f->high - whole_height(f) : 0;
	f->w = f->wide;
	f->h += down;
	figure_move(f->first, across / 2 - crop(f), down / 2 - crop(f));
	texts_keep(f, f->first, 0, f->w);
	notes_draw(f);
}
