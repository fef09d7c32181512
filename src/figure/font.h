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

/* The version of FreeType; false if memory runs out. */
bool font_version(int *major, int *minor, int *patch);

#endif
