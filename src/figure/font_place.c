/* font_place.c: where the glyphs of a text are; marks stand on letters. */
#include <math.h>
#include <string.h>

#include "figure/font.h"
#include "figure/letters.h"

/* A text that is being placed. */
struct placing {
	struct font *font;
	int size;
	struct font_place *places;  /* [n] so far */
	size_t n;
	double pen;                 /* where the next letter begins */
	double base;                /* where the last letter began, */
	struct font_box box;        /* and what it and its marks cover */
	bool apart;
};

/* The width of a letter; a missing one that is wide takes an em. */
static double advance(const struct placing *p, unsigned glyph,
		      unsigned long character)
{
	return !glyph && letter_wide(character)
		       ? p->size : font_advance(p->font, p->size, glyph);
}

static void put(struct placing *p, unsigned glyph, unsigned long character,
		double x, double y)
{
	p->places[p->n++] = (struct font_place){ glyph, character, x, y,
						 p->apart };
}

static void put_letter(struct placing *p, unsigned glyph,
		       unsigned long character)
{
	put(p, glyph, character, p->pen, 0);
	p->apart = false;
	p->base = p->pen;
	p->pen += advance(p, glyph, character);
}

/*
 * A mark has the same middle as its letter. One above or below is moved until
 * it is clear of the letter and of the marks before it.
 */
static void put_mark(struct placing *p, unsigned glyph,
		     unsigned long character)
{
	const struct font_box mark = font_box(p->font, p->size, glyph);
	const double gap = 0.06 * p->size;
	double y = 0;

	if (mark.bottom > 0.35 * p->size)
		y = fmax(p->box.top + gap - mark.bottom, 0);
	else if (mark.top < 0.1 * p->size)
		y = fmin(p->box.bottom - gap - mark.top, 0);
	p->apart = true;
	put(p, glyph, character, p->base + (p->box.left + p->box.right) / 2 -
	    (mark.left + mark.right) / 2, y);
	p->box.top = fmax(p->box.top, mark.top + y);
	p->box.bottom = fmin(p->box.bottom, mark.bottom + y);
}

size_t font_places(struct font *f, int size, const char *text,
		   const struct font_place **places, double *width)
{
	const size_t most = strlen(text);
	struct letter *letters;
	struct placing p = { .font = f, .size = size };
	size_t n;

	*places = NULL;
	*width = 0;
	p.places = font_scratch(f, most * (sizeof *p.places + sizeof *letters));
	if (!p.places)
		return 0;
	letters = (struct letter *)(void *)(p.places + most);
	n = letters_read(text, letters);
	for (size_t i = 0; i < n; i++) {
		const unsigned long c = letters[i].character;
		const unsigned glyph = font_glyph(f, letters[i].shown);

		if (letters[i].mark && glyph)
			put_mark(&p, glyph, c);
		else
			put_letter(&p, glyph, c);
		if (i + 1 < n && letters[i + 1].mark && !letters[i].mark)
			p.box = font_box(f, size, glyph);
	}
	*places = p.places;
	*width = p.pen;
	return p.n;
}
