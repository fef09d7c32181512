/* font.h: the text of figures, in the font built into the program. */
#ifndef FONT_H
#define FONT_H

#include "table/error.h"

struct font;

/* NULL, with err set, if memory runs out. */
struct font *font_open(struct error *err);
void font_close(struct font *f);

/* Fails if memory ran out in a call before. */
bool font_whole(const struct font *f, struct error *err);

/* The width of text in pixels, at size pixels per em. */
double font_width(struct font *f, int size, const char *text);

/* The glyph of a character; 0: it has none. */
unsigned font_glyph(const struct font *f, unsigned long character);

/* The width of a glyph at size units per em. */
double font_advance(const struct font *f, int size, unsigned glyph);

/* Receives the coverage, 0 to 255, of n pixels from (x, y) on. */
typedef void font_put(void *to, int x, int y, const unsigned char *covered,
		      int n);

/* Text whose baseline begins at (x, y) and runs right, or upward. */
struct text {
	const char *text;     /* UTF-8 */
	int size;             /* pixels per em */
	double x, y;
	bool upward;
};

/* Call put() with the pixels of text, glyph by glyph, row by row. */
void font_draw(struct font *f, const struct text *text, font_put *put,
	       void *to);

/* What the file says, in units of the font; name: PostScript's. */
struct font_facts {
	const char *name;
	size_t glyphs;
	long units;           /* per em */
	long left, bottom, right, top, ascent, descent;
};

struct font_facts font_facts(struct font *f);

/* A glyph of lines and parabolas, in units of the font. */
struct font_outline {
	int contours, points;
	long advance, left, bottom, right, top;
};

struct font_point {
	long x, y, on;        /* on the curve, 1; 0: it controls a parabola */
};

/* Load an outline; empty if memory runs out, which font_whole() tells. */
struct font_outline font_outline(struct font *f, unsigned glyph);

/* Of the outline loaded last: the last point of contour i, and point i. */
int font_contour_end(const struct font *f, int i);
struct font_point font_point(const struct font *f, int i);

/* Copy the first n bytes of a table of the file. */
void font_table(struct font *f, const char *tag, void *bytes, size_t n);

/* The version of FreeType; false if memory runs out. */
bool font_version(int *major, int *minor, int *patch);

#endif
