/*
 * font_subset.h: the glyphs of a face that a figure uses, as a TrueType file of
 * their own, for formats that embed fonts.
 */
#ifndef FONT_SUBSET_H
#define FONT_SUBSET_H

#include <stddef.h>

#include "table/table.h"
#include "figure/font.h"

struct subset_glyph {
	unsigned glyph;           /* of the whole font */
	unsigned long character;
	double width;             /* thousandths of an em */
};

/* Glyphs are numbered in the order of their first use; 0 is a missing one. */
struct font_subset {
	struct font *font;
	size_t face;
	unsigned short *numbers;  /* of each glyph of the font; 0: unused */
	struct subset_glyph *glyphs;  /* [count] */
	size_t count;
};

/* Memory belongs to t; false: out of memory. */
bool subset_open(struct font_subset *s, struct font *f, size_t face,
		 struct table *t, struct error *err);

/* The number of a glyph, of that face, of a character (0: of several). */
unsigned subset_use(struct font_subset *s, unsigned glyph,
		    unsigned long character);

/*
 * The file of all glyphs used, [*size] bytes that belong to t, or NULL: tables
 * glyf (outlines without hints), head, hhea, hmtx, loca and maxp.
 */
unsigned char *subset_file(const struct font_subset *s, size_t *size,
			   struct table *t, struct error *err);

#endif
