/* font.c: text by FreeType, without hinting, so it is the same everywhere. */
#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_ADVANCES_H
#include FT_OUTLINE_H
#include FT_TRUETYPE_TABLES_H
#include <math.h>
#include <stdlib.h>

#include "text/utf8.h"
#include "figure/font.h"

/* The font file, linked into the program. */
extern const unsigned char font_file[];
extern const unsigned font_file_size;

struct font {
	FT_Library library;
	FT_Face face;
	bool failed;   /* FreeType ran out of memory */
};

struct font *font_open(struct error *err)
{
	struct font *f = calloc(1, sizeof *f);

	if (f && !FT_Init_FreeType(&f->library) &&
	    !FT_New_Memory_Face(f->library, font_file,
				(FT_Long)font_file_size, 0, &f->face))
		return f;
	font_close(f);
	fail_memory(err);
	return NULL;
}

void font_close(struct font *f)
{
	if (f && f->library)
		FT_Done_FreeType(f->library);
	free(f);
}

bool font_whole(const struct font *f, struct error *err)
{
	if (f->failed)
		fail_memory(err);
	return !f->failed;
}

unsigned font_glyph(const struct font *f, unsigned long character)
{
	return FT_Get_Char_Index(f->face, character);
}

double font_advance(const struct font *f, int size, unsigned glyph)
{
	FT_Fixed units = 0;

	/* This reads the face only and needs no memory. */
	FT_Get_Advance(f->face, glyph, FT_LOAD_NO_SCALE, &units);
	return (double)units * size / f->face->units_per_EM;
}

double font_width(struct font *f, int size, const char *text)
{
	double width = 0;

	while (*text)
		width += font_advance(f, size, font_glyph(f, utf8_next(&text)));
	return width;
}

/* Draw the loaded glyph with its origin at (x, y). */
static void draw_glyph(struct font *f, double x, double y, bool upward,
		       font_put *put, void *to)
{
	static const FT_Matrix turn = { 0, -0x10000, 0x10000, 0 };
	const FT_GlyphSlot slot = f->face->glyph;
	const int left = (int)floor(x), top = (int)floor(y);

	if (upward)
		FT_Outline_Transform(&slot->outline, &turn);
	/* The fraction of its position, in 64ths; its y axis points up. */
	FT_Outline_Translate(&slot->outline, (FT_Pos)floor((x - left) * 64),
			     -(FT_Pos)floor((y - top) * 64));
	if (FT_Render_Glyph(slot, FT_RENDER_MODE_NORMAL)) {
		f->failed = true;
		return;
	}
	for (int row = 0; row < (int)slot->bitmap.rows; row++)
		put(to, left + slot->bitmap_left, top - slot->bitmap_top + row,
		    slot->bitmap.buffer + (ptrdiff_t)row * slot->bitmap.pitch,
		    (int)slot->bitmap.width);
}

void font_draw(struct font *f, const struct text *text, font_put *put,
	       void *to)
{
	const char *at = text->text;
	double x = text->x, y = text->y;

	f->failed |= FT_Set_Pixel_Sizes(f->face, 0, (FT_UInt)text->size);
	while (*at) {
		const unsigned glyph = font_glyph(f, utf8_next(&at));
		const double step = font_advance(f, text->size, glyph);

		if (FT_Load_Glyph(f->face, glyph, FT_LOAD_NO_HINTING |
				  FT_LOAD_NO_BITMAP))
			f->failed = true;
		else
			draw_glyph(f, x, y, text->upward, put, to);
		x += text->upward ? 0 : step;
		y -= text->upward ? step : 0;
	}
}

struct font_facts font_facts(struct font *f)
{
	const FT_Face a = f->face;
	const char *name = FT_Get_Postscript_Name(a);

	f->failed |= !name;

	return (struct font_facts){
		.name = name ? name : "",
		.glyphs = (size_t)a->num_glyphs,
		.units = a->units_per_EM,
		.left = a->bbox.xMin, .bottom = a->bbox.yMin,
		.right = a->bbox.xMax, .top = a->bbox.yMax,
		.ascent = a->ascender, .descent = a->descender,
	};
}

struct font_outline font_outline(struct font *f, unsigned glyph)
{
	const FT_GlyphSlot slot = f->face->glyph;
	FT_BBox box;

	if (FT_Load_Glyph(f->face, glyph, FT_LOAD_NO_SCALE)) {
		f->failed = true;
		return (struct font_outline){ 0 };
	}
	FT_Outline_Get_CBox(&slot->outline, &box);
	return (struct font_outline){
		.contours = slot->outline.n_contours,
		.points = slot->outline.n_points,
		.advance = slot->advance.x,
		.left = box.xMin, .bottom = box.yMin,
		.right = box.xMax, .top = box.yMax,
	};
}

int font_contour_end(const struct font *f, int i)
{
	return f->face->glyph->outline.contours[i];
}

struct font_point font_point(const struct font *f, int i)
{
	const FT_Outline *o = &f->face->glyph->outline;

	return (struct font_point){ o->points[i].x, o->points[i].y,
				    FT_CURVE_TAG(o->tags[i]) ==
				    FT_CURVE_TAG_ON };
}

void font_table(struct font *f, const char *tag, void *bytes, size_t n)
{
	FT_ULong length = (FT_ULong)n;

	f->failed |= FT_Load_Sfnt_Table(
		f->face, FT_MAKE_TAG(tag[0], tag[1], tag[2], tag[3]), 0, bytes,
		&length) != 0;
}

bool font_version(int *major, int *minor, int *patch)
{
	FT_Library library;

	if (FT_Init_FreeType(&library))
		return false;
	FT_Library_Version(library, major, minor, patch);
	FT_Done_FreeType(library);
	return true;
}
