/* preview.h: a table for somebody's eyes, on a terminal. */
#ifndef PREVIEW_H
#define PREVIEW_H

#include "core/table.h"
#include "figure/colormap.h"
#include "formats/out.h"
#include "formats/style.h"

/* What a terminal shows. */
enum colours { COLOURS_NONE, COLOURS_256, COLOURS_ALL };

struct terminal {
	int wide, high;        /* characters */
	enum colours colours;
};

/*
 * The shape, then the numbers in columns that line up, those in the middle of
 * a large table left out; tinted by their value.
 */
void preview_numbers(const struct style *style, const struct table *t,
		     const struct terminal *on, struct out *o);

/*
 * A heat map, two cells a character, one above the other; rows and columns
 * are picked where there are more than fit. Without colours, in shades of
 * ASCII.
 */
void preview_picture(const struct table *t, const struct terminal *on,
		     struct out *o);

/* Write what follows in a colour, or on one, of those that on has. */
enum ground { FOREGROUND = 38, BACKGROUND = 48 };

void preview_colour(const struct terminal *on, enum ground ground,
		    struct color c, struct out *o);

#endif
