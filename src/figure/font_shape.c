/* font_shape.c: the shapes of glyphs, without hinting: the same everywhere. */
#include "figure/font_face.h"
#include <math.h>
#include <stdio.h>

#include "figure/font_curves.h"

bool font_load(const struct font *f, FT_Face face, unsigned glyph)
{
	return !f->ft.Load_Glyph(face, glyph & GLYPH_MASK, FT_LOAD_NO_SCALE);
}

double font_advance(const struct font *f, int size, unsigned glyph)
{
	const FT_Face face = f->faces[font_face(glyph)];
	FT_Fixed units = 0;

	/* This reads the face only and needs no memory. */
	f->ft.Get_Advance(face, glyph & GLYPH_MASK, FT_LOAD_NO_SCALE, &units);
	return (double)units * size / face->units_per_EM;
}

double font_width(struct font *f, int size, const char *text)
{
	const struct font_place *places;
	double width;

	font_places(f, size, text, &places, &width);
	return width;
}

/* Draw the loaded glyph with its origin at (x, y). */
static void draw_glyph(const struct font *f, FT_GlyphSlot slot, double x,
		       double y, bool upward, font_put *put, void *to)
{
	static const FT_Matrix turn = { 0, -0x10000, 0x10000, 0 };
	const int left = (int)floor(x), top = (int)floor(y);
	FT_Error error;

	if (upward)
		f->ft.Outline_Transform(&slot->outline, &turn);
	/* The fraction of its position, in 64ths; its y axis points up. */
	f->ft.Outline_Translate(&slot->outline,
				(FT_Pos)floor((x - left) * 64),
				-(FT_Pos)floor((y - top) * 64));
	error = f->ft.Render_Glyph(slot, FT_RENDER_MODE_NORMAL);
	for (int row = 0; !error && row < (int)slot->bitmap.rows; row++)
		put(to, left + slot->bitmap_left, top - slot->bitmap_top + row,
		    slot->bitmap.buffer + (ptrdiff_t)row * slot->bitmap.pitch,
		    (int)slot->bitmap.width);
}

void font_draw(struct font *f, const struct text *text, font_put *put,
	       void *to)
{
	const struct font_place *at;
	double width;
	const size_t n = font_places(f, text->size, text->text, &at, &width);

	for (size_t i = 0; i < n; i++, at++) {
		const FT_Face face = f->faces[font_face(at->glyph)];
		const bool up = text->upward;

		f->ft.Set_Pixel_Sizes(face, 0, (FT_UInt)text->size);
		if (!f->ft.Load_Glyph(face, at->glyph & GLYPH_MASK,
				      FT_LOAD_NO_HINTING | FT_LOAD_NO_BITMAP))
			draw_glyph(f, face->glyph,
				   text->x + (up ? -at->y : at->x),
				   text->y - (up ? at->x : at->y), up, put,
				   to);
	}
}

struct font_facts font_facts(const struct font *f, size_t face)
{
	const FT_Face a = f->faces[face];
	struct font_facts facts = {
		.glyphs = (size_t)a->num_glyphs,
		.units = a->units_per_EM,
		.left = a->bbox.xMin, .bottom = a->bbox.yMin,
		.right = a->bbox.xMax, .top = a->bbox.yMax,
		.ascent = a->ascender, .descent = a->descender,
	};
	const char *name = face ? NULL : f->ft.Get_Postscript_Name(a);

	if (name)
		snprintf(facts.name, sizeof facts.name, "%s", name);
	return facts;
}

struct font_box font_box(const struct font *f, int size, unsigned glyph)
{
	const FT_Face face = f->faces[font_face(glyph)];
	const double pixels = (double)size / face->units_per_EM;
	FT_BBox box = { 0 };

	if (font_load(f, face, glyph))
		f->ft.Outline_Get_CBox(&face->glyph->outline, &box);
	return (struct font_box){
		(double)box.xMin * pixels, (double)box.yMin * pixels,
		(double)box.xMax * pixels, (double)box.yMax * pixels,
	};
}

static struct font_point point_of(const FT_Outline *o, int i)
{
	return (struct font_point){ o->points[i].x, o->points[i].y,
				    FT_CURVE_TAG(o->tags[i]) ==
				    FT_CURVE_TAG_ON };
}

static bool is_cubic(const FT_Outline *o, int i)
{
	return FT_CURVE_TAG(o->tags[i]) == FT_CURVE_TAG_CUBIC;
}

/* Write the points first to last, a contour, to *to, which advances. */
static void split_contour(const FT_Outline *o, int first, int last,
			  struct font_point **to)
{
	for (int i = first; i <= last; i++) {
		if (!is_cubic(o, i)) {
			*(*to)++ = point_of(o, i);
			continue;
		}
		/* Two of a curve that ends at the next, or the first, point */
		*to = curve_split((struct font_point []){
			point_of(o, i - 1), point_of(o, i), point_of(o, i + 1),
			point_of(o, i + 2 > last ? first : i + 2) }, *to);
		i++;
	}
}

/* Make the points of a loaded outline of cubic curves. */
static bool split_curves(struct font *f, const FT_Outline *o)
{
	const size_t points = CURVE_POINTS * (size_t)o->n_points;
	struct font_point *begin = font_scratch(f, points * sizeof *begin +
						(size_t)o->n_contours *
						sizeof(int)), *to = begin;
	int *ends;

	if (!begin)
		return false;
	ends = (int *)(void *)(begin + points);
	for (int i = 0, first = 0; i < o->n_contours; i++) {
		split_contour(o, first, o->contours[i], &to);
		first = o->contours[i] + 1;
		ends[i] = (int)(to - begin) - 1;
	}
	f->points = begin;
	f->ends = ends;
	return true;
}

struct font_outline font_outline(struct font *f, unsigned glyph)
{
	const FT_Face face = f->faces[font_face(glyph)];
	const FT_Outline *o = &face->glyph->outline;
	bool cubic = false;
	FT_BBox box;

	f->loaded = face->glyph;
	f->points = NULL;
	if (!font_load(f, face, glyph))
		return (struct font_outline){ 0 };
	for (int i = 0; i < o->n_points; i++)
		cubic |= is_cubic(o, i);
	if (cubic && !split_curves(f, o))
		return (struct font_outline){ 0 };
	f->ft.Outline_Get_CBox(&face->glyph->outline, &box);
	return (struct font_outline){
		.contours = o->n_contours,
		.points = cubic ? f->ends[o->n_contours - 1] + 1 : o->n_points,
		.advance = face->glyph->advance.x,
		.left = box.xMin, .bottom = box.yMin,
		.right = box.xMax, .top = box.yMax,
	};
}

int font_contour_end(const struct font *f, int i)
{
	return f->points ? f->ends[i] : f->loaded->outline.contours[i];
}

struct font_point font_point(const struct font *f, int i)
{
	return f->points ? f->points[i] : point_of(&f->loaded->outline, i);
}

void font_table(const struct font *f, size_t face, const char *tag,
		void *bytes, size_t n)
{
	const FT_ULong name = FT_MAKE_TAG(tag[0], tag[1], tag[2], tag[3]);
	FT_ULong length = 0;

	/* Of a table that is missing the length is 0 */
	f->ft.Load_Sfnt_Table(f->faces[face], name, 0, NULL, &length);
	length = length < n ? length : (FT_ULong)n;
	f->ft.Load_Sfnt_Table(f->faces[face], name, 0, bytes, &length);
}
