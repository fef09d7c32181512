/*
 * src/figure/: figures of tables. A figure is a list of items, such as text and
 * images, with positions in pixels; a canvas draws it as pixels, and the format
 * SVG writes it as text.
 *
 *   figure.h    struct figure, its items, and functions that add them
 *   look.h      the options of a figure
 *   page.h      its size on paper
 *   plots.h     the kinds of figures, such as heatmap.c; list.h lists them
 *   formula.h   formulas in texts; marks.h: marks of heat maps
 *   subfigures.h several figures in one
 *   layout.h    axes, title and colour bar, which they use
 *   phrase.h    options in words, for subtitles
 *   sample.h    a large table reduced to the cells of a picture
 *   colormap.h  colour maps
 *   canvas.h    a figure as pixels; fill.h: the pixels of an area
 *   font.h      widths and shapes of text (font_place.c: where glyphs stand);
 *               font_find.h: installed fonts; font_subset.h: a file of some
 *               glyphs; font_curves.h: its curves
 *   letters.h   a text as letters; shape.h: glyphs that their neighbours shape
 *
 * This folder includes table/, exact/, text/, recipe/ and views/svd.h.
 */
#ifndef FIGURE_H
#define FIGURE_H

#include "table/table.h"
#include "figure/colormap.h"
#include "figure/font.h"
#include "figure/language.h"
#include "figure/look.h"
#include "figure/page.h"

/*
 * A colour of a figure: a level of its palette, where enum missing follows the
 * last level; or, from INK on, a colour of the theme.
 */
enum ink {
	INK = 0x100,
	INK_PAGE = INK, INK_TEXT, INK_MUTED, INK_GRID, INK_WHITE, INK_BLACK,
	INK_LINE,
	LINES_COLORS = 8,
	INK_END = INK_LINE + LINES_COLORS,
};

enum item_kind {
	ITEM_RECT, ITEM_TEXT, ITEM_PATH, ITEM_IMAGE,
	ITEM_DOTS, ITEM_AREA,
};
enum anchor { ANCHOR_START, ANCHOR_MIDDLE, ANCHOR_END };

struct point {
	double x, y;
};

/* One part of the drawing, over all parts before it. */
struct item {
	enum item_kind kind;
	int ink;

	int x, y, w, h;             /* ITEM_RECT; of text: the anchor of its
				       baseline at (x, y) */
	enum anchor anchor;
	bool upward;
	bool heading;               /* of the figure, above all else */
	int size;                   /* font size, pixels per em */
	const char *text;

	struct point *points;       /* [n]; of a path joined by lines; of dots
				       their centres; of an area its corners,
				       within the figure */
	size_t n;
	double width, dash;         /* of lines and dots; dash 0: solid */

	const unsigned char *levels; /* [rows, cols]; each w x h pixels (struct
				        image) */
	size_t rows, cols;

	struct item *next;
};

enum {
	FAINT = 3,        /* how much of an area's colour is mixed with
			     what is below, in 15ths */
	NOTES_TEXT = 500,
};

struct figure {
	int w, h;                   /* pixels */
	double unit;                /* pixels per point of the layout: 1/96
				       inch, or 1/108 in print, with text of
				       the usual size */
	int scale;                  /* of a line of one point, pixels */
	double dpi;                 /* pixels per inch, */
	int dots;                   /* and per metre */
	double usual;               /* unit with text of the usual size */
	struct length width, height; /* of the page, or 0, */
	int wide, high;             /* which are so many pixels */
	bool print;                 /* it is to be a part of a page: it has
				       narrow margins, and two sizes of text */
	double text;                /* size of labels, 1/72 inch */
	bool transparent;           /* no page is drawn behind it */
	bool fixed;                 /* --frame fixed */
	double panels, share;       /* usual width of all panels, pixels, and
				       the share of it that they have */
	double panels_high, tall;   /* likewise their height, if it does not
				       follow from that width */
	int panel_x, panel_y;       /* where its panels begin */
	struct point *heights;      /* [2] least and greatest value of all
				       lines, on linear axes and on
				       logarithmic ones, which have them in
				       common; or NULL */
	int theme;                  /* of enum theme */
	enum language language;     /* of its words */
	size_t threads;             /* as in blocks_run() */
	struct color palette[PALETTE_MOST];
	int levels;                 /* of the palette; enum missing follows */
	const char *title;          /* without hidden ones but line feeds, */
	const char *heading;        /* and as it is drawn (formula.h) */
	const char *subtitle;       /* likewise; NULL: made from the options */
	const char *about;          /* what it shows, or NULL: its table */
	char note[NOTES_TEXT];      /* what a reader must know, or "" */
	struct item *first, **last;
	struct font *font;
	void *kept;                 /* by a layout, for its next attempt to be
				       as wide as --width */
	struct table memory;        /* owns all that the items point to */
	struct error err;           /* the first failure, if any */
	struct item spare;          /* what callers get if memory runs out */
};

/* Take title, heading and subtitle of t from look, or the usual ones. */
void figure_words(struct figure *f, const struct table *t,
		  const struct look *look);

/* Lay out t as look says. f must be closed in any case. */
bool figure_make(struct figure *f, const struct table *t,
		 const struct look *look, size_t threads, struct error *err);
void figure_close(struct figure *f);

/* The colours of a theme's inks, [INK_END - INK]; AUTO has those of LIGHT. */
const struct color *figure_inks(int theme);

/* The colour of an ink, or of a level of the palette. */
struct color figure_color(const struct figure *f, int ink);

/*
 * For layouts. If memory runs out, f keeps the error, later items are dropped,
 * and figure_make() fails.
 */

/* Zeroed memory for n elements of size bytes, or NULL. */
void *figure_room(struct figure *f, size_t n, size_t size);

/* A new item above all others; the caller sets its position. */
struct item *figure_add(struct figure *f, enum item_kind kind, int ink);
void figure_rect(struct figure *f, int ink, int x, int y, int w, int h);

/* Levels [rows, cols] as cells of w x h pixels, from (x, y) on. */
struct image {
	const unsigned char *levels;
	size_t rows, cols;
	int w, h;
};

void figure_image(struct figure *f, int x, int y, const struct image *image);

/* Text in a font size in points of the layout, copied, anchored at (x, y). */
struct item *figure_text(struct figure *f, int ink, int points, int x, int y,
			 const char *text);

/* An item with points [n] above all others, in memory of f. */
struct item *figure_points(struct figure *f, enum item_kind kind, int ink,
			   const struct point *points, size_t n);

/*
 * A title from elsewhere as a person may see it, in memory of f; its lines if
 * lines, else in one.
 */
const char *figure_shown(struct figure *f, const char *title, bool lines);

/* Such a title, if it was given, as formula_show() makes it. */
const char *figure_formulas(struct figure *f, const char *shown);

/* Add a note, which is drawn below the figure, once. */
void figure_note(struct figure *f, const char *text);

/* The width of that text, in pixels. */
int figure_width(const struct figure *f, int points, const char *text);

#endif
