/* font.c: text by FreeType, without hinting, so it is the same everywhere. */
#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_ADVANCES_H
#include FT_OUTLINE_H
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

/* The character at *text, which advances; invalid bytes are U+FFFD. */
static FT_ULong next(const char **text)
{
	const unsigned char *s = (const unsigned char *)*text;
	const size_t n = utf8_length(*text);
	FT_ULong c = n > 1 ? s[0] & (0x7fu >> n) : s[0];

	for (size_t i = 1; i < n; i++)
		c = c << 6 | (s[i] & 0x3f);
	*text += n ? n : 1;
	return n ? c : 0xfffd;
}

/* The advance width of a glyph, in pixels. */
static double advance(const struct font *f, int size, FT_UInt glyph)
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
		width += advance(f, size, FT_Get_Char_Index(f->face,
							    next(&text)));
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
		const FT_UInt glyph = FT_Get_Char_Index(f->face, next(&at));
		const double step = advance(f, text->size, glyph);

		if (FT_Load_Glyph(f->face, glyph, FT_LOAD_NO_HINTING |
				  FT_LOAD_NO_BITMAP))
			f->failed = true;
		else
			draw_glyph(f, x, y, text->upward, put, to);
		x += text->upward ? 0 : step;
		y -= text->upward ? step : 0;
	}
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
