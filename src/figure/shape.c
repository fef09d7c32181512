/* shape.c: glyphs that depend on their neighbours, by libraqm. */
#include "figure/font_face.h"
#include <stdlib.h>

#include "figure/letters.h"
#include "figure/shape.h"
#include "table/library.h"

/* What is used of <raqm.h>, as it has been since 0.3. */
enum { DIRECTION_LTR = 2 };

struct raqm_glyph {
	unsigned index;
	int x_advance, y_advance, x_offset, y_offset;  /* 64ths of a pixel */
	uint32_t cluster;
	FT_Face face;
};

struct raqm_text;

struct raqm {
	struct raqm_text *(*create)(void);
	void (*destroy)(struct raqm_text *t);
	bool (*set_text)(struct raqm_text *t, const uint32_t *text, size_t n);
	bool (*set_par_direction)(struct raqm_text *t, int direction);
	bool (*set_freetype_face_range)(struct raqm_text *t, FT_Face face,
					size_t first, size_t n);
	bool (*set_freetype_load_flags)(struct raqm_text *t, int flags);
	bool (*layout)(struct raqm_text *t);
	struct raqm_glyph *(*get_glyphs)(struct raqm_text *t, size_t *n);
};

/* Load libraqm at the first text that needs it; it may be missing. */
static bool load(struct font *f)
{
	static const char *const names[] = {
		"libraqm.so.0", "libraqm.0.dylib", NULL
	};
	static const struct library_function functions[] = {
#define F(name) { "raqm_" #name, offsetof(struct raqm, name), NULL }
		F(create), F(destroy), F(set_text), F(set_par_direction),
		F(set_freetype_face_range), F(set_freetype_load_flags),
		F(layout), F(get_glyphs), { NULL, 0, NULL },
#undef F
	};
	static const struct library library = { "libraqm0", names, functions };
	struct error why = { 0 };

	if (!f->raqm) {
		f->raqm = calloc(1, sizeof *f->raqm);
		f->failed |= !f->raqm;
		if (f->raqm && !library_load(&library, f->raqm, &why))
			*f->raqm = (struct raqm){ 0 };
		f->failed |= why.memory;
	}
	return f->raqm && f->raqm->create;
}

/*
 * The face of a letter: that of the letter before, if a mark, a joiner or a
 * letter of such a script is in it, as words are not divided between faces.
 */
static size_t face_of(struct font *f, uint32_t letter, size_t before)
{
	const bool stays = letter_joins(letter) || letter_shaped(letter);

	if (stays && (letter_joins(letter) ||
		      f->ft.Get_Char_Index(f->faces[before], letter)))
		return before;
	return font_face(font_glyph(f, letter));
}

/* Sizes in which a pixel is a unit of the font, so that nothing is rounded. */
static bool set_faces(struct font *f, struct raqm_text *t,
		      const uint32_t *letters, size_t n)
{
	size_t face = 0;

	for (size_t i = 0; i < n; i++) {
		FT_Face at;

		face = face_of(f, letters[i], face);
		at = f->faces[face];
		f->ft.Set_Pixel_Sizes(at, 0, at->units_per_EM);
		if (!f->raqm->set_freetype_face_range(t, at, i, 1))
			return false;
	}
	return true;
}

/* The number of a face, and its glyph; one that is broken is missing. */
static unsigned numbered(const struct font *f, const struct raqm_glyph *g)
{
	size_t i = 0;

	while (f->faces[i] != g->face)
		i++;
	return g->index && font_sane(f, i, g->index)
		? (unsigned)i << GLYPH_BITS | g->index : 0;
}

/* What a letter that no face has is drawn as: a box. */
static double box_advance(const struct font *f, uint32_t letter)
{
	return letter_wide(letter) ? 1 : font_advance(f, 1, 0);
}

/* How many of n letters from that of a glyph on are before another glyph's. */
static size_t letters_of(const struct raqm_glyph *all, size_t count, size_t i,
			 size_t n)
{
	const size_t first = all[i].cluster;

	if (i && all[i - 1].cluster == first)
		return 0;
	for (size_t k = 0; k < count; k++)
		if (all[k].cluster > first && all[k].cluster < n)
			n = all[k].cluster;
	return n - first;
}

static void take(struct font *f, const struct raqm_glyph *g,
		 const uint32_t *letters, struct shaped *to)
{
	const double unit = 1.0 / (64.0 * g->face->units_per_EM);

	*to = (struct shaped){
		.glyph = numbered(f, g), .first = g->cluster,
		.own = f->ft.Get_Char_Index(g->face, letters[g->cluster]) ==
		       g->index,
		.advance = g->x_advance * unit,
		.x = g->x_offset * unit, .y = g->y_offset * unit,
	};
	if (!to->glyph)
		to->advance = box_advance(f, letters[g->cluster]);
}

/* Lay out t; its glyphs, or NULL. */
static struct raqm_glyph *lay_out(struct font *f, struct raqm_text *t,
				  const uint32_t *letters, size_t n,
				  size_t *count)
{
	const struct raqm *r = f->raqm;

	return r->set_text(t, letters, n) &&
	       r->set_par_direction(t, DIRECTION_LTR) &&
	       r->set_freetype_load_flags(t, FT_LOAD_NO_HINTING |
					  FT_LOAD_NO_BITMAP) &&
	       set_faces(f, t, letters, n) && r->layout(t)
		? r->get_glyphs(t, count) : NULL;
}

size_t shape_letters(struct font *f, const uint32_t *letters, size_t n,
		     const struct shaped **glyphs)
{
	struct raqm_text *t = load(f) ? f->raqm->create() : NULL;
	size_t count = 0;
	struct raqm_glyph *from;
	struct shaped *to = NULL;

	if (!t)
		return 0;
	from = lay_out(f, t, letters, n, &count);
	if (from)
		to = realloc(f->shaped, count * sizeof *to);
	f->failed |= !to;
	f->shaped = to ? to : f->shaped;
	for (size_t i = 0; to && i < count; i++) {
		take(f, &from[i], letters, &to[i]);
		to[i].count = letters_of(from, count, i, n);
	}
	f->raqm->destroy(t);
	*glyphs = to;
	return to ? count : 0;
}
