/* font_face.h: what font.c, font_shape.c and shape.c share: FreeType. */
#ifndef FONT_FACE_H
#define FONT_FACE_H

#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_ADVANCES_H
#include FT_MODULE_H
#include FT_OUTLINE_H
#include FT_TRUETYPE_TABLES_H

#include "figure/font.h"

/* F(name) of the functions of FreeType that are used: FT_name. */
#define FREETYPE_FUNCTIONS                                                    \
F(New_Library) F(Add_Default_Modules) F(Done_Library) F(Library_Version)      \
F(New_Memory_Face) F(New_Face) F(Done_Face) F(Get_Char_Index)                 \
F(Get_Postscript_Name) F(Get_Sfnt_Table) F(Load_Sfnt_Table) F(Get_Advance)    \
F(Set_Pixel_Sizes) F(Load_Glyph) F(Render_Glyph) F(Outline_Get_CBox)          \
F(Outline_Transform) F(Outline_Translate)

/* Loaded when a figure has text: it takes a quarter of the start to load. */
struct freetype {
#define F(name) __typeof__(FT_##name) *name;
	FREETYPE_FUNCTIONS
#undef F
};

enum { MISSING_MOST = 8 };    /* characters that a note names */

struct font {
	struct freetype ft;
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
	struct raqm *raqm;    /* shape.c's, owned; NULL before its first use */
	void *shaped;         /* and its glyphs, owned */
	unsigned long unshaped;  /* a letter that needed it in vain, or 0 */
	bool failed;          /* memory ran out */
	struct error search;  /* that for a font failed */
};

/* Load the outline of a glyph in units of its font. */
bool font_load(const struct font *f, FT_Face face, unsigned glyph);

/* Whether the outline of a glyph of face i is sane; of the first, all are. */
bool font_sane(const struct font *f, size_t i, unsigned glyph);

#endif
