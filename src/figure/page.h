/*
 * page.h: the size of a figure on paper. By itself a figure is as large as its
 * parts. With --width, text keeps its size in print, and panels shrink or grow
 * until the figure is as wide as that; with --height or --aspect also as high.
 */
#ifndef PAGE_H
#define PAGE_H

#include "table/table.h"

struct figure;
struct item;
struct look;

/* A length with its unit: "8cm". */
struct length {
	double value;
	const char *unit;   /* "cm", "mm", "in", "pt" or "px" */
	double inches;
};

enum { INCH_PIXELS = 96 };  /* of CSS */

/*
 * Whether --width, --height, --aspect, --dpi, --scale and --cell can be met
 * together.
 */
bool page_check(const struct look *look, struct error *err);

/* Whether the figure is to be a part of a page, of a given size. */
bool page_printed(const struct look *look);

/* Set the lengths of f: its width, its points and its resolution. */
void page_begin(struct figure *f, const struct look *look);

/* Lay out f, with --width again and again until it is so wide. */
void page_lay_out(struct figure *f, const struct table *t,
		  const struct look *look);

/* The width of the widest of texts that run across, with its margins. */
int texts_wide(const struct figure *f, const struct item *first);

/* Move such texts that extend beyond begin or end. */
void texts_keep(const struct figure *f, struct item *first, int begin,
		int end);

/* Move the items of a list. */
void figure_move(struct item *first, int dx, int dy);

/* The size of a font of so many points of the layout, in pixels. */
int font_pixels(const struct figure *f, int points);

/*
 * The width and the height of all panels together, in pixels: so many points,
 * or the share of them that the page leaves. Panels that call panels_wide()
 * alone have a height that follows from it.
 */
int panels_wide(struct figure *f, double points);
int panels_high(struct figure *f, double points);

#endif
