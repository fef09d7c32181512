/*
 * shape.h: the glyphs of texts whose letters join, are reordered or carry
 * marks, by libraqm, where it is installed.
 */
#ifndef SHAPE_H
#define SHAPE_H

#include "figure/font.h"

/* A glyph from left to right, lengths in ems. */
struct shaped {
	unsigned glyph;
	size_t first, count;   /* the letters that it and those of count 0 after
				  it show */
	bool own;              /* it is the glyph of its first letter */
	double advance, x, y;  /* its origin, from the place of the pen */
};

/*
 * The glyphs of letters [n], in the order of reading, in memory that the next
 * call takes again; their number, or 0 where libraqm is not installed or fails.
 */
size_t shape_letters(struct font *f, const uint32_t *letters, size_t n,
		     const struct shaped **glyphs);

#endif
