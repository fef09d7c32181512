/* font_place.c: where the glyphs of a text are. */
#include <math.h>
#include <string.h>

#include "figure/font_face.h"
#include "figure/letters.h"
#include "figure/shape.h"

/* A text that is being placed. */
struct placing {
	struct font *font;
	int size;
	struct font_place *places;  /* [n] so far */
	size_t n;
	double pen;                 /* where the next letter begins */
	double end;                 /* where the last glyph ends */
	bool raised;                /* that glyph is not on the line */
};

/* Put a glyph at x, y from the pen. */
static struct font_place *put(struct placing *p, unsigned glyph, double x,
			      double y)
{
	struct font_place *to = &p->places[p->n++];
	const bool off = fabs(p->pen + x - p->end) > 1e-6 * p->size;

	*to = (struct font_place){
		.glyph = glyph, .x = p->pen + x, .y = y,
		.apart = off || y != 0 || p->raised,
	};
	p->raised = y != 0;
	p->end = to->x + font_advance(p->font, p->size, glyph);
	return to;
}

/* Letters as they are; a missing one that is wide takes an em. */
static void put_plain(struct placing *p, const uint32_t *letters, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct font_place *to;

		if (letter_joins(letters[i]))
			continue;
		to = put(p, font_glyph(p->font, letters[i]), 0, 0);
		to->letters = &letters[i];
		to->count = 1;
		to->own = true;
		p->pen = !to->glyph && letter_wide(letters[i])
			? p->pen + p->size : p->end;
	}
}

static void put_shaped(struct placing *p, const struct shaped *from, size_t n,
		       const uint32_t *letters)
{
	for (size_t i = 0; i < n; i++) {
		struct font_place *to = put(p, from[i].glyph,
					    from[i].x * p->size,
					    from[i].y * p->size);

		to->letters = &letters[from[i].first];
		to->count = from[i].count;
		to->own = from[i].own && to->count == 1 &&
			  (i + 1 == n || from[i + 1].count);
		p->pen += from[i].advance * p->size;
	}
}

size_t font_places(struct font *f, int size, const char *text,
		   const struct font_place **places, double *width)
{
	struct placing p = { .font = f, .size = size };
	const size_t before = strlen(text) * sizeof(double);
	const struct shaped *shaped = NULL;
	uint32_t *letters = font_scratch(f, before);
	const uint32_t first = letters_shaped(text);
	size_t n, count = 0;

	*places = NULL;
	*width = 0;
	if (!letters)
		return 0;
	n = letters_read(text, letters);
	if (first)
		count = shape_letters(f, letters, n, &shaped);
	if (first && !count)
		f->unshaped = first;
	letters = font_scratch(f, before + (n + count) * sizeof *p.places);
	if (!letters)
		return 0;
	p.places = (struct font_place *)(void *)((char *)letters + before);
	if (count)
		put_shaped(&p, shaped, count, letters);
	else
		put_plain(&p, letters, n);
	*places = p.places;
	*width = p.pen;
	return p.n;
}
