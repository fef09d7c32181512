/* pdf_font.c: the text of a PDF and its fonts (ISO 32000-1, 9). */
#include <stdio.h>
#include <string.h>

#include "text/utf8.h"
#include "formats/pdf.h"

enum {
	MAPPED_MOST = 100,  /* characters of a block of a CMap */
	NAME = FAMILY_TEXT + 8,
};

/* The objects of a font; a stream is followed by its length. */
struct objects {
	size_t font, glyphs, descriptor, file, characters;
};

static struct objects objects_of(const struct pdf *p, size_t face)
{
	const size_t at = p->others + (face - 1) * PDF_FONT_OBJECTS;

	if (face)
		return (struct objects){ at, at + 1, at + 2, at + 3, at + 5 };
	return (struct objects){ PDF_FONT, PDF_GLYPHS, PDF_DESCRIPTOR,
				 PDF_FONT_FILE, PDF_CHARACTERS };
}

bool pdf_fonts_open(struct pdf *p)
{
	bool good;

	p->faces = font_faces(p->f->font);
	p->subsets = table_alloc(&p->f->memory, p->faces, sizeof *p->subsets,
				 &p->o->err);
	good = p->subsets;
	for (size_t i = 0; good && i < p->faces; i++)
		good = subset_open(&p->subsets[i], p->f->font, i,
				   &p->f->memory, &p->o->err);
	return good;
}

/* "/F" is the first. */
static const char *short_name(size_t face, char name[24])
{
	if (!face)
		return "F";
	snprintf(name, 24, "F%zu", face);
	return name;
}

void pdf_font_names(struct pdf *p)
{
	char name[24];

	pdf_send(p, "/Font<<");
	for (size_t i = 0; i < p->faces; i++)
		pdf_send(p, "/%s %zu 0 R", short_name(i, name),
			 objects_of(p, i).font);
	pdf_send(p, ">>");
}

/* Begin to draw glyphs. The page's y axis points down: they are mirrored. */
static void begin_glyphs(struct pdf *p, const struct item *item, size_t face,
			 double x, double y)
{
	char name[24];

	pdf_send(p, "BT/%s %d Tf %s %.2f %.2f Tm<", short_name(face, name),
		 item->size, item->upward ? "0 -1 -1 0" : "1 0 0 -1",
		 item->x - (item->upward ? y : -x),
		 item->y - (item->upward ? x : y));
}

/* Glyphs that show several letters, or one together, come with these. */
static void begin_letters(struct pdf *p, const struct font_place *at)
{
	char units[UTF16_TEXT];

	pdf_send(p, "/Span<</ActualText<feff");
	for (size_t i = 0; i < at->count; i++) {
		utf16_text(at->letters[i], "", units);
		pdf_send(p, "%s", units);
	}
	pdf_send(p, ">>>BDC\n");
}

/*
 * One string, and another where glyphs of another font or place begin, or such
 * that are together.
 */
void pdf_draw_text(struct pdf *p, const struct item *item)
{
	const struct font_place *at;
	double width, before;
	const size_t n = font_places(p->f->font, item->size, item->text, &at,
				     &width);
	size_t face = 0;
	bool together = false;  /* as letters that are given */

	before = width * (int)item->anchor / 2;
	for (size_t i = 0; i < n; i++, at++) {
		const bool ends = at->count && (together || !at->own);

		if (i && (at->apart || ends || font_face(at->glyph) != face))
			pdf_send(p, ">Tj ET\n");
		if (ends && together)
			pdf_send(p, "EMC\n");
		together = at->count ? !at->own : together;
		if (ends && together)
			begin_letters(p, at);
		if (!i || at->apart || ends || font_face(at->glyph) != face)
			begin_glyphs(p, item, font_face(at->glyph),
				     at->x - before, at->y);
		face = font_face(at->glyph);
		pdf_send(p, "%04x", subset_use(&p->subsets[face], at->glyph,
					       at->own ? at->letters[0] : 0));
	}
	pdf_send(p, "%s%s", n ? ">Tj ET\n" : "", together ? "EMC\n" : "");
}

/* The name of the subset: six letters that depend on its glyphs. */
static void font_name(const struct font_subset *s, char name[NAME])
{
	unsigned long hash = 5381;
	char family[FAMILY_TEXT];
	size_t n = 7;

	for (size_t i = 0; i < s->count; i++)
		hash = (hash * 33 + s->glyphs[i].glyph) & 0xffffffff;
	for (int i = 0; i < 6; i++, hash /= 26)
		name[i] = (char)('A' + hash % 26);
	name[6] = '+';
	font_family(s->font, s->face, family);
	if (!s->face)
		snprintf(family, sizeof family, "%s",
			 font_facts(s->font, 0).name);
	for (const char *c = family; *c; c++)
		if (*c != ' ')
			name[n++] = *c;
	name[n] = '\0';
}

static void send_font(struct pdf *p, const struct font_subset *s,
		      const struct objects *o)
{
	const struct font_facts a = font_facts(s->font, s->face);
	char name[NAME];

	font_name(s, name);
	pdf_begin(p, o->font);
	pdf_send(p, "<</Type/Font/Subtype/Type0/BaseFont/%s/Encoding/Identity-H"
		 "/DescendantFonts[%zu 0 R]/ToUnicode %zu 0 R>>\n", name,
		 o->glyphs, o->characters);
	pdf_end(p);
	pdf_begin(p, o->glyphs);
	pdf_send(p, "<</Type/Font/Subtype/CIDFontType2/BaseFont/%s"
		 "/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)"
		 "/Supplement 0>>/FontDescriptor %zu 0 R/CIDToGIDMap/Identity"
		 "/DW 0/W[0[", name, o->descriptor);
	for (size_t i = 0; i < s->count; i++)
		pdf_send(p, "%s%.5g", i ? " " : "", s->glyphs[i].width);
	pdf_send(p, "]]>>\n");
	pdf_end(p);
	pdf_begin(p, o->descriptor);
	pdf_send(p, "<</Type/FontDescriptor/FontName/%s/Flags 4/FontBBox"
		 "[%ld %ld %ld %ld]/ItalicAngle 0/Ascent %ld/Descent %ld"
		 "/CapHeight %ld/StemV 80/FontFile2 %zu 0 R>>\n", name,
		 a.left * 1000 / a.units, a.bottom * 1000 / a.units,
		 a.right * 1000 / a.units, a.top * 1000 / a.units,
		 a.ascent * 1000 / a.units, a.descent * 1000 / a.units,
		 a.ascent * 1000 / a.units, o->file);
	pdf_end(p);
}

static void send_file(struct pdf *p, const struct font_subset *s,
		      size_t number)
{
	size_t n = 0;
	const unsigned char *bytes = subset_file(s, &n, &p->f->memory,
						 &p->o->err);
	char entries[40];

	if (!bytes)
		return;
	snprintf(entries, sizeof entries, "/Length1 %zu", n);
	pdf_begin_stream(p, number, entries);
	deflate_bytes(&p->deflate, bytes, n);
	pdf_end_stream(p, number);
}

/* The characters of the glyphs, for readers that search or copy text. */
static void send_characters(struct pdf *p, const struct font_subset *s,
			    size_t number)
{
	char units[UTF16_TEXT];

	pdf_begin_stream(p, number, "");
	pdf_send(p, "/CIDInit/ProcSet findresource begin 12 dict begin "
		 "begincmap\n"
		 "/CIDSystemInfo<</Registry(Adobe)/Ordering(UCS)/Supplement 0"
		 ">>def\n/CMapName/Adobe-Identity-UCS def/CMapType 2 def\n"
		 "1 begincodespacerange<0000><ffff>endcodespacerange\n");
	for (size_t i = 0; i < s->count; i++) {
		const unsigned long c = s->glyphs[i].character;
		const size_t left = s->count - i;

		if (i % MAPPED_MOST == 0)
			pdf_send(p, "%zu beginbfchar\n",
				 left < MAPPED_MOST ? left : MAPPED_MOST);
		utf16_text(c ? c : 0xfffd, "", units);
		pdf_send(p, "<%04zx><%s>\n", i, units);
		if (i % MAPPED_MOST == MAPPED_MOST - 1 || left == 1)
			pdf_send(p, "endbfchar\n");
	}
	pdf_send(p, "endcmap CMapName currentdict/CMap defineresource pop end "
		 "end\n");
	pdf_end_stream(p, number);
}

void pdf_send_fonts(struct pdf *p)
{
	for (size_t i = 0; i < p->faces; i++) {
		const struct objects o = objects_of(p, i);

		send_font(p, &p->subsets[i], &o);
		send_file(p, &p->subsets[i], o.file);
		send_characters(p, &p->subsets[i], o.characters);
	}
}
