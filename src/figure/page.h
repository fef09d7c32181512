/*
 * page.h: the size of a figure on paper. Without --width a figure is as large
 * as its parts. With it, text keeps its size in print, and panels shrink or
 * grow until the figure is as wide as that.
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

/* Whether --width, --dpi, --scale and --cell can be met together. */
bool page_check(const struct look *look, struct error *err);

/* Set the lengths of f: its width, its points and its resolution. */
void page_begin(struct figure *f, const struct look *look);

/* Lay out f, with --width again and again until it is so wide. */
void page_lay_out(struct figure *f, const struct table *t,
		  const struct look *look, size_t threads);

/* Move the items of a list. */
void figure_move(struct item *first, int dx, int dy);

/* The size of a font of so many points of the layout, in pixels. */
int font_pixels(const struct figure *f, int points);

/*
 * The width and the height of all panels together, in pixels: so many points,
 * or the share of them that --width leaves.
 */
int panels_wide(struct figure *f, double points);
int panels_high(const struct figure *f, double points);

#endif
