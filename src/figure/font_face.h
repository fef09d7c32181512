/* font_face.h: what font.c and font_shape.c share, and they alone: FreeType. */
#ifndef FONT_FACE_H
#define FONT_FACE_H

#include <ft2build.h>
#include FT_FREETYPE_H

#include "figure/font.h"

enum { MISSING_MOST = 8 };    /* characters that a note names */

struct font {
	struct FT_MemoryRec_ memory;  /* where FreeType's comes from */
	FT_Library library;
	FT_Face *faces;       /* [count], owned; the first is built in */
	size_t count;
	bool given;           /* the second was given by its file, */
	bool used;            /* and has letters of this figure */
	unsigned long missing[MISSING_MOST + 1];
	size_t missing_count;
	void *scratch;        /* [room] bytes, owned */
	size_t room;
	FT_GlyphSlot loaded;  /* the outline of font_outline(), or instead */
	const struct font_point *points;  /* its points as parabolas, */
	const int *ends;      /* and of each contour the last point */
	bool failed;          /* memory ran out */
};

/* Load the outline of a glyph in units of its font. */
bool font_load(FT_Face face, unsigned glyph);

#endif
