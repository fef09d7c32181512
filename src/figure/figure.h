/*
 * figure.h: a figure as a list of things in their places, in pixels of the
 * picture, for whatever draws it: a canvas, or SVG.
 */
#ifndef FIGURE_H
#define FIGURE_H

#include "core/table.h"
#include "figure/colormap.h"
#include "figure/font.h"
#include "figure/look.h"

/*
 * A colour of a figure: a level of its palette (levels is that of no number),
 * or from INK on one of the theme's.
 */
enum ink {
	INK = 0x100,
	INK_PAGE = INK, INK_TEXT, INK_MUTED, INK_GRID, INK_WHITE, INK_BLACK,
	INK_LINE,
	LINES_COLORS = 8,
	INK_END = INK_LINE + LINES_COLORS,
};

enum item_kind { ITEM_RECT, ITEM_TEXT, ITEM_PATH, ITEM_IMAGE };
enum anchor { ANCHOR_START, ANCHOR_MIDDLE, ANCHOR_END };

struct point {
	double x, y;
};

/* One thing that is drawn, over those before it. */
struct item {
	enum item_kind kind;
	int ink;

	int x, y, w, h;             /* ITEM_RECT; of text: the anchor of its
				       baseline at (x, y) */
	enum anchor anchor;
	bool upward;
	int size;                   /* pixels to the em */
	const char *text;

	const struct point *points; /* [n], joined by lines */
	size_t n;
	double width, dash;         /* dash 0: a line without gaps */

	const unsigned char *levels; /* [rows, cols]; each w x h pixels */
	size_t rows, cols;

	struct item *next;
};

struct figure {
	int w, h;                   /* pixels */
	int scale;                  /* pixels to a point of the page */
	int theme;                  /* NOT_GIVEN: light, or as the page is */
	struct color palette[LEVELS_MOST + 1];
	int levels;                 /* of the palette, then no number */
	const char *title;
	struct item *first, **last;
	struct font *font;          /* widths of text, and its shapes */
	struct table memory;        /* owns all that the items point to */
	struct error err;           /* the first failure, if any */
	struct item spare;          /* goes round where there is no memory */
};

/* Lay out t as look says. f is to be closed in any case. */
bool figure_make(struct figure *f, const struct table *t,
		 const struct look *look, size_t threads, struct error *err);
void figure_close(struct figure *f);

/* The colours of a theme's inks, [INK_END - INK]. */
const struct color *figure_inks(int theme);

/*
 * What layouts call. A want of memory is remembered, what follows is dropped,
 * and figure_make() tells it.
 */

/* Zeroed memory for n things of size bytes, or NULL. */
void *figure_room(struct figure *f, size_t n, size_t size);

/* One thing more, over all before; its place is for the caller to say. */
struct item *figure_add(struct figure *f, enum item_kind kind, int ink);
void figure_rect(struct figure *f, int ink, int x, int y, int w, int h);

/* Text of so many points' size, which is copied, anchored at (x, y). */
struct item *figure_text(struct figure *f, int ink, int points, int x, int y,
			 const char *text);

/* How wide that is, in pixels. */
int figure_width(const struct figure *f, int points, const char *text);

#endif
