/* font.h: the text of figures, in the font that the program brings. */
#ifndef FONT_H
#define FONT_H

#include "core/error.h"

struct font;

/* NULL, with a sentence, where there is no memory for it. */
struct font *font_open(struct error *err);
void font_close(struct font *f);

/* Fails where there was no memory for a part of what was asked so far. */
bool font_whole(const struct font *f, struct error *err);

/* How wide text is, in pixels, where letters are size pixels to the em. */
double font_width(struct font *f, int size, const char *text);

/* n pixels from (x, y) on are covered so much, 0 to 255. */
typedef void font_put(void *to, int x, int y, const unsigned char *covered,
		      int n);

/* Text whose baseline begins at (x, y) and runs right, or upward. */
struct text {
	const char *text;     /* UTF-8 */
	int size;             /* pixels to the em */
	double x, y;
	bool upward;
};

/* Put the pixels of text, row by row, glyph by glyph. */
void font_draw(struct font *f, const struct text *text, font_put *put,
	       void *to);

/* Of the FreeType in use; false where there is no memory for it. */
bool font_version(int *major, int *minor, int *patch);

#endif
