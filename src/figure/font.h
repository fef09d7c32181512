/*
 * font.h: the text of figures, in the font built into the program. Letters that
 * it lacks come from other fonts: those that the system has, or one file.
 */
#ifndef FONT_H
#define FONT_H

#include <stdint.h>

#include "table/error.h"

struct font;

/*
 * file: the font of letters that the built-in one lacks; NULL: installed ones.
 * NULL, with err set, if the file is no font, FreeType is not installed or
 * memory runs out.
 */
struct font *font_open(const char *file, struct error *err);
void font_close(struct font *f);

/* Fails if memory ran out in a call before. */
bool font_whole(const struct font *f, struct error *err);

/*
 * A glyph has a number in its face, the lower 16 bits; above them is the number
 * of the face, which is 0 for the built-in one.
 */
enum { GLYPH_BITS = 16, GLYPH_MASK = (1 << GLYPH_BITS) - 1 };

static inline size_t font_face(unsigned glyph)
{
	return glyph >> GLYPH_BITS;
}

/* The faces in use. More may be added when text is measured. */
size_t font_faces(const struct font *f);

/*
 * Write the fonts besides the built-in one to text, as "NanumGothic 3.02
 * (checksum c2a7d1f0), ..."; empty if there are none. For the metadata of
 * pictures.
 */
enum { FONTS_TEXT = 800 };
void font_others(struct font *f, char text[FONTS_TEXT]);

/* The name of face i as words of ASCII letters, digits and hyphens. */
enum { FAMILY_TEXT = 64 };
void font_family(const struct font *f, size_t i, char name[FAMILY_TEXT]);

/* A note on characters that no font has, or an empty text. */
void font_note(const struct font *f, char *note, size_t room);

/* The glyph of a character; 0: no font has it. */
unsigned font_glyph(struct font *f, unsigned long character);

/* The width of a glyph at size units per em. */
double font_advance(const struct font *f, int size, unsigned glyph);

/* A glyph of a text at size units per em. */
struct font_place {
	unsigned glyph;
	double x, y;     /* its origin, from the text's; y points up */
	bool apart;      /* not where the glyph before it ends */
	const uint32_t *letters;  /* [count] that it shows, with the glyphs */
	size_t count;             /* after it for which this is 0 */
	bool own;                 /* it is the glyph of a letter by itself */
};

/*
 * Place the glyphs of text, from left to right, joined and reordered where its
 * letters need it and libraqm is installed. Returns their number and, in
 * *width, the width of all; *places is valid until the next call.
 */
size_t font_places(struct font *f, int size, const char *text,
		   const struct font_place **places, double *width);

/* The width of text in pixels, at size pixels per em. */
double font_width(struct font *f, int size, const char *text);

/* n bytes that the next call gives again, or NULL if memory runs out. */
void *font_scratch(struct font *f, size_t n);

/* The box of a glyph at size units per em; y points up. */
struct font_box {
	double left, bottom, right, top;
};

struct font_box font_box(const struct font *f, int size, unsigned glyph);

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

/* What a face says, in units of its font; name: PostScript's. */
struct font_facts {
	char name[FAMILY_TEXT];
	size_t glyphs;
	long units;           /* per em */
	long left, bottom, right, top, ascent, descent;
};

struct font_facts font_facts(const struct font *f, size_t face);

/* A glyph of lines and parabolas, in units of the font. */
struct font_outline {
	int contours, points;
	long advance, left, bottom, right, top;
};

struct font_point {
	long x, y, on;        /* on the curve, 1; 0: it controls a parabola */
};

/*
 * Load an outline; empty if memory runs out, which font_whole() tells. Cubic
 * curves become parabolas.
 */
struct font_outline font_outline(struct font *f, unsigned glyph);

/* Of the outline loaded last: the last point of contour i, and point i. */
int font_contour_end(const struct font *f, int i);
struct font_point font_point(const struct font *f, int i);

/* Copy the first n bytes of a table of a face, or all of a shorter one. */
void font_table(const struct font *f, size_t face, const char *tag,
		void *bytes, size_t n);

/* The version of FreeType; the error goes after its name. */
enum { FONT_VERSION = 40 };
bool font_version(char text[FONT_VERSION], struct error *err);

#endif
