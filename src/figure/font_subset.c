/* font_subset.c: a TrueType file of some glyphs (OpenType 1.9, "glyf"). */
#include <string.h>

#include "figure/font_subset.h"

enum { GLYF, HEAD, HHEA, HMTX, LOCA, MAXP, TABLES };

/* Bytes. */
enum {
	DIRECTORY = 12 + 16 * TABLES,
	HEAD_SIZE = 54, HHEA_SIZE = 36, MAXP_SIZE = 32,
	GLYPH_FIXED = 14,  /* of a glyph without its contours and points */
	POINT = 5,         /* of a point: a flag and two numbers */
};

static const char tags[TABLES][5] = {
	"glyf", "head", "hhea", "hmtx", "loca", "maxp",
};

static void add(struct font_subset *s, unsigned glyph, unsigned long character)
{
	s->glyphs[s->count] = (struct subset_glyph){
		glyph, character, font_advance(s->font, 1000, glyph)
	};
	s->numbers[glyph & GLYPH_MASK] = (unsigned short)s->count++;
}

bool subset_open(struct font_subset *s, struct font *f, size_t face,
		 struct table *t, struct error *err)
{
	const size_t n = font_facts(f, face).glyphs;

	*s = (struct font_subset){ .font = f, .face = face };
	s->glyphs = table_alloc(t, n, sizeof *s->glyphs + sizeof *s->numbers,
				err);
	if (!s->glyphs)
		return false;
	s->numbers = (unsigned short *)(void *)(s->glyphs + n);
	add(s, (unsigned)face << GLYPH_BITS, 0xfffd);
	return true;
}

unsigned subset_use(struct font_subset *s, unsigned glyph,
		    unsigned long character)
{
	const unsigned short *number = &s->numbers[glyph & GLYPH_MASK];

	if (glyph & GLYPH_MASK && !*number)
		add(s, glyph, character);
	if (*number && !s->glyphs[*number].character)
		s->glyphs[*number].character = character;
	return *number;
}

/* A file that is being written. */
struct writer {
	const struct font_subset *s;
	unsigned char *bytes;          /* [n] so far */
	size_t n;
	size_t begin[TABLES], length[TABLES];
	int points, contours;          /* of the largest glyph */
};

static void put16(struct writer *w, long x)
{
	w->bytes[w->n++] = (unsigned char)(x >> 8 & 255);
	w->bytes[w->n++] = (unsigned char)(x & 255);
}

static void put32(struct writer *w, unsigned long x)
{
	put16(w, (long)(x >> 16 & 0xffff));
	put16(w, (long)(x & 0xffff));
}

/* Continue at another place of what is written. */
static struct writer at(const struct writer *w, size_t n)
{
	return (struct writer){ .bytes = w->bytes, .n = n };
}

static void begin_table(struct writer *w, int table)
{
	w->begin[table] = w->n;
}

static void end_table(struct writer *w, int table)
{
	w->length[table] = w->n - w->begin[table];
	w->n += -w->n % 4;
}

/* Copy a table of the font, whose number at byte where becomes value. */
static void put_copy(struct writer *w, int table, size_t n, size_t where,
		     size_t value)
{
	struct writer place = at(w, w->n + where);

	begin_table(w, table);
	font_table(w->s->font, w->s->face, tags[table], w->bytes + w->n, n);
	put16(&place, (long)value);
	w->n += n;
	end_table(w, table);
}

static struct font_outline outline(const struct font_subset *s, size_t i)
{
	return font_outline(s->font, s->glyphs[i].glyph);
}

/* The outline that was loaded last. */
static void put_outline(struct writer *w, const struct font_outline *o)
{
	const struct font *f = w->s->font;
	struct writer x = at(w, 0), y = at(w, 0);
	struct font_point last = { 0 };

	put16(w, o->contours);
	put16(w, o->left);
	put16(w, o->bottom);
	put16(w, o->right);
	put16(w, o->top);
	for (int i = 0; i < o->contours; i++)
		put16(w, font_contour_end(f, i));
	put16(w, 0);  /* bytes of instructions */
	x.n = w->n + (size_t)o->points;
	y.n = x.n + 2 * (size_t)o->points;
	for (int i = 0; i < o->points; i++) {
		const struct font_point p = font_point(f, i);

		w->bytes[w->n++] = (unsigned char)p.on;
		put16(&x, p.x - last.x);
		put16(&y, p.y - last.y);
		last = p;
	}
	w->n = y.n + y.n % 2;
	w->points = o->points > w->points ? o->points : w->points;
	w->contours = o->contours > w->contours ? o->contours : w->contours;
}

/* Widths, and where outlines begin, which put_outlines() enters in loca. */
static void put_places(struct writer *w)
{
	begin_table(w, HMTX);
	for (size_t i = 0; i < w->s->count; i++) {
		const struct font_outline o = outline(w->s, i);

		put16(w, o.advance);
		put16(w, o.left);
	}
	end_table(w, HMTX);
	begin_table(w, LOCA);
	w->n += 4 * (w->s->count + 1);
	end_table(w, LOCA);
}

static void put_outlines(struct writer *w)
{
	struct writer loca = at(w, w->begin[LOCA]), maxp;

	begin_table(w, GLYF);
	for (size_t i = 0; i < w->s->count; i++) {
		const struct font_outline o = outline(w->s, i);

		put32(&loca, w->n - w->begin[GLYF]);
		if (o.contours)
			put_outline(w, &o);
	}
	put32(&loca, w->n - w->begin[GLYF]);
	end_table(w, GLYF);
	maxp = at(w, w->begin[MAXP] + 6);
	put16(&maxp, w->points);
	put16(&maxp, w->contours);
}

/* The sum of bytes [n], n divisible by 4, as 32-bit numbers. */
static unsigned long checksum(const unsigned char *bytes, size_t n)
{
	unsigned long sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += (unsigned long)bytes[i] << (24 - 8 * (i & 3));
	return sum & 0xffffffff;
}

static void put_directory(struct writer *w)
{
	struct writer to = at(w, 0);

	put32(&to, 0x10000);
	put16(&to, TABLES);
	put16(&to, 64);  /* 16 times the largest power of 2 up to TABLES, */
	put16(&to, 2);   /* its logarithm, */
	put16(&to, 16 * TABLES - 64);
	for (int i = 0; i < TABLES; i++) {
		memcpy(w->bytes + to.n, tags[i], 4);
		to.n += 4;
		put32(&to, checksum(w->bytes + w->begin[i],
				    (w->length[i] + 3) / 4 * 4));
		put32(&to, w->begin[i]);
		put32(&to, w->length[i]);
	}
}

/* What maxp of a font of cubic curves lacks: its version, and zones. */
static void put_maxp(struct writer *w)
{
	struct writer version = at(w, w->begin[MAXP]);
	struct writer zones = at(w, w->begin[MAXP] + 14);

	put32(&version, 0x10000);
	put16(&zones, 2);
}

/* At most so many bytes are written for the outlines. */
static size_t room(const struct font_subset *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->count; i++) {
		const struct font_outline o = outline(s, i);

		n += GLYPH_FIXED + 2 * (size_t)o.contours +
		     POINT * (size_t)o.points;
	}
	return n;
}

unsigned char *subset_file(const struct font_subset *s, size_t *size,
			   struct table *t, struct error *err)
{
	struct writer w = { .s = s, .n = DIRECTORY };
	const size_t n = room(s);

	if (font_whole(s->font, err))
		w.bytes = table_alloc(t, DIRECTORY + HEAD_SIZE + HHEA_SIZE +
				      MAXP_SIZE + 8 * (s->count + TABLES) + n,
				      1, err);
	if (!w.bytes)
		return NULL;
	put_copy(&w, HEAD, HEAD_SIZE, 50, 1);  /* 32 bits in loca */
	put_copy(&w, HHEA, HHEA_SIZE, 34, s->count);
	put_copy(&w, MAXP, MAXP_SIZE, 4, s->count);
	put_maxp(&w);
	put_places(&w);
	put_outlines(&w);
	put_directory(&w);
	*size = w.n;
	return w.bytes;
}
