/*
 * pdf.c: a figure as PDF 1.4 (ISO 32000-1): vectors, text in a subset of the
 * font, heat maps as images. No date and no random number is in the file, so
 * equal commands make equal files.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "text/utf8.h"
#include "figure/figure.h"
#include "figure/font_subset.h"
#include "formats/deflate.h"
#include "formats/format.h"
#include "formats/vectors.h"
#include "version.h"

/* Objects; a stream is followed by its length. */
enum {
	CATALOG = 1, PAGES, PAGE, INFO, FONT, GLYPHS, DESCRIPTOR, RESOURCES,
	CONTENTS, FONT_FILE = CONTENTS + 2, CHARACTERS = FONT_FILE + 2,
	IMAGES = CHARACTERS + 2,
};

enum { MAPPED_MOST = 100 };  /* characters of a block of a CMap */

static const double POINTS = 0.75;  /* of a pixel in CSS: 72 / 96 */

struct pdf {
	struct output_file *o;
	struct figure *f;
	size_t at;            /* bytes written */
	size_t begin;         /* of the stream that is being written */
	size_t *offsets;      /* [objects]; object 0 does not exist */
	size_t objects;
	struct font_subset subset;
	struct deflate deflate;
};

static void send_bytes(void *to, const void *bytes, size_t n)
{
	struct pdf *p = to;

	out_bytes(p->o, bytes, n);
	p->at += n;
}

/* Like printf(), up to 500 bytes. */
static void send(struct pdf *p, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static void send(struct pdf *p, const char *fmt, ...)
{
	char text[501];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof text, fmt, args);
	va_end(args);
	send_bytes(p, text, strlen(text));
}

static void begin_object(struct pdf *p, size_t number)
{
	p->offsets[number] = p->at;
	send(p, "%zu 0 obj\n", number);
}

static void end_object(struct pdf *p)
{
	send(p, "endobj\n");
}

/* Like printf() into the stream, up to 500 bytes. */
static void draw(struct pdf *p, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static void draw(struct pdf *p, const char *fmt, ...)
{
	char text[501];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof text, fmt, args);
	va_end(args);
	deflate_bytes(&p->deflate, text, strlen(text));
}

static void begin_data(struct pdf *p, size_t number, const char *entries)
{
	begin_object(p, number);
	send(p, "<</Length %zu 0 R/Filter/FlateDecode%s>>\nstream\n",
	     number + 1, entries);
	p->begin = p->at;
}

static void end_data(struct pdf *p, size_t number)
{
	const size_t length = p->at - p->begin;

	send(p, "\nendstream\n");
	end_object(p);
	begin_object(p, number + 1);
	send(p, "%zu\n", length);
	end_object(p);
}

/* A stream that draw() and deflate_bytes() fill. */
static void begin_stream(struct pdf *p, size_t number, const char *entries)
{
	begin_data(p, number, entries);
	p->deflate = (struct deflate){ .send = send_bytes, .to = p };
	if (!deflate_begin(&p->deflate))
		out_fail(p->o, "out of memory");
}

static void end_stream(struct pdf *p, size_t number)
{
	deflate_end(&p->deflate);
	end_data(p, number);
}

/* A character as hexadecimal UTF-16. */
static const char *utf16(unsigned long c, char text[9])
{
	if (c < 0x10000)
		snprintf(text, 9, "%04lx", c & 0xffff);
	else
		snprintf(text, 9, "%04lx%04lx",
			 0xd800 + ((c - 0x10000) >> 10 & 0x3ff),
			 0xdc00 + (c & 0x3ff));
	return text;
}

/* A string that is no part of the drawing, without hidden characters. */
static void send_text(struct pdf *p, const char *key, const char *text)
{
	char unit[9];

	send(p, "/%s<feff", key);
	while (*text)
		send(p, "%s", utf16(utf8_next(&text), unit));
	send(p, ">");
}

/* Set the colour of what is drawn next: "rg" fills, "RG" strokes. */
static void set_color(struct pdf *p, int ink, const char *operator)
{
	const struct color c = figure_color(p->f, ink);

	draw(p, "%.4g %.4g %.4g %s\n", c.red / 255.0, c.green / 255.0,
	     c.blue / 255.0, operator);
}

static void draw_rect(struct pdf *p, const struct item *item)
{
	set_color(p, item->ink, "rg");
	draw(p, "%d %d %d %d re f\n", item->x, item->y, item->w, item->h);
}

/* The page's y axis points down, so glyphs are mirrored. */
static void draw_text(struct pdf *p, const struct item *item)
{
	const double width = font_width(p->f->font, item->size, item->text);
	const double before = width * (int)item->anchor / 2;
	const char *text = item->text;

	set_color(p, item->ink, "rg");
	draw(p, "BT/F %d Tf %s %.2f %.2f Tm<", item->size,
	     item->upward ? "0 -1 -1 0" : "1 0 0 -1",
	     item->x - (item->upward ? 0 : before),
	     item->y + (item->upward ? before : 0));
	while (*text)
		draw(p, "%04x", subset_use(&p->subset, &text));
	draw(p, ">Tj ET\n");
}

static void draw_path(struct pdf *p, const struct item *item)
{
	set_color(p, item->ink, "RG");
	draw(p, "%g w ", item->width);
	if (item->dash > 0)
		draw(p, "[%g]0 d\n", item->dash);
	else
		draw(p, "[]0 d\n");
	for (size_t i = 0; i < item->n; i++)
		draw(p, "%.2f %.2f %c\n", item->points[i].x, item->points[i].y,
		     i ? 'l' : 'm');
	draw(p, "S\n");
}

static void draw_image(struct pdf *p, const struct item *item, size_t number)
{
	const size_t w = item->cols * (size_t)item->w;
	const size_t h = item->rows * (size_t)item->h;

	draw(p, "q %zu 0 0 -%zu %d %zu cm/I%zu Do Q\n", w, h, item->x,
	     (size_t)item->y + h, number);
}

static void send_contents(struct pdf *p)
{
	const struct figure *f = p->f;
	const double scale = POINTS / f->scale;
	const struct item page = { .ink = INK_PAGE, .w = f->w, .h = f->h };
	size_t images = IMAGES;

	begin_stream(p, CONTENTS, "");
	draw(p, "%.6g 0 0 %.6g 0 %.6g cm 1 J 1 j\n", scale, -scale,
	     scale * f->h);
	draw_rect(p, &page);
	for (const struct item *i = f->first; i; i = i->next) {
		if (i->kind == ITEM_RECT)
			draw_rect(p, i);
		else if (i->kind == ITEM_TEXT)
			draw_text(p, i);
		else if (i->kind == ITEM_PATH)
			draw_path(p, i);
		else
			draw_image(p, i, (images += 2) - 2);
	}
	end_stream(p, CONTENTS);
}

/*
 * Passes on the compressed rows of a PNG, the data of its chunks IDAT: PDF
 * stores images so, too (7.4.4.4, predictor 15).
 */
struct png_reader {
	struct pdf *p;
	enum { SIGNATURE, HEADER, DATA, CHECK } part;
	size_t left;          /* bytes of the part */
	unsigned char header[8];
};

static void next_part(struct png_reader *r)
{
	const unsigned char *h = r->header;

	r->left = r->part == HEADER ? (size_t)h[0] << 24 | (size_t)h[1] << 16 |
				      (size_t)h[2] << 8 | h[3]
				    : r->part == DATA ? 4 : 8;
	r->part = r->part == HEADER ? DATA : r->part == DATA ? CHECK : HEADER;
}

static void take_png(void *to, const void *bytes, size_t n)
{
	struct png_reader *r = to;
	const unsigned char *at = bytes;

	while (n) {
		const size_t k = n < r->left ? n : r->left;

		if (r->part == HEADER)
			memcpy(r->header + 8 - r->left, at, k);
		else if (r->part == DATA && !memcmp(r->header + 4, "IDAT", 4))
			send_bytes(r->p, at, k);
		at += k;
		n -= k;
		r->left -= k;
		if (!r->left)
			next_part(r);
	}
}

static void send_image(struct pdf *p, const struct item *item, size_t number)
{
	struct picture picture = vectors_picture(p->f, item);
	struct png_reader reader = { .p = p, .left = 8 };

	picture.send = take_png;
	picture.to = &reader;
	begin_object(p, number);
	send(p, "<</Type/XObject/Subtype/Image/Width %zu/Height %zu"
	     "/BitsPerComponent 8/ColorSpace[/Indexed/DeviceRGB %d<",
	     picture.w, picture.h, picture.colors - 1);
	for (int i = 0; i < picture.colors; i++)
		send(p, "%02x%02x%02x", picture.palette[i].red,
		     picture.palette[i].green, picture.palette[i].blue);
	send(p, ">]/Length %zu 0 R/Filter/FlateDecode/DecodeParms"
	     "<</Predictor 15/Columns %zu>>>>\nstream\n", number + 1,
	     picture.w);
	p->begin = p->at;
	vectors_send_picture(&picture, item, p->o);
	end_data(p, number);
}

static void send_images(struct pdf *p)
{
	size_t number = IMAGES;

	for (const struct item *i = p->f->first; i; i = i->next)
		if (i->kind == ITEM_IMAGE) {
			send_image(p, i, number);
			number += 2;
		}
}

/* The name of the subset: six letters that depend on its glyphs. */
static void font_name(const struct pdf *p, char name[80])
{
	unsigned long hash = 5381;

	for (size_t i = 0; i < p->subset.count; i++)
		hash = (hash * 33 + p->subset.glyphs[i].glyph) & 0xffffffff;
	for (int i = 0; i < 6; i++, hash /= 26)
		name[i] = (char)('A' + hash % 26);
	snprintf(name + 6, 74, "+%s", font_facts(p->f->font).name);
}

static void send_font(struct pdf *p)
{
	const struct font_facts a = font_facts(p->f->font);
	char name[80];

	font_name(p, name);
	begin_object(p, FONT);
	send(p, "<</Type/Font/Subtype/Type0/BaseFont/%s/Encoding/Identity-H"
	     "/DescendantFonts[%d 0 R]/ToUnicode %d 0 R>>\n", name, GLYPHS,
	     CHARACTERS);
	end_object(p);
	begin_object(p, GLYPHS);
	send(p, "<</Type/Font/Subtype/CIDFontType2/BaseFont/%s/CIDSystemInfo"
	     "<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>"
	     "/FontDescriptor %d 0 R/CIDToGIDMap/Identity/DW 0/W[0[", name,
	     DESCRIPTOR);
	for (size_t i = 0; i < p->subset.count; i++)
		send(p, "%s%.5g", i ? " " : "", p->subset.glyphs[i].width);
	send(p, "]]>>\n");
	end_object(p);
	begin_object(p, DESCRIPTOR);
	send(p, "<</Type/FontDescriptor/FontName/%s/Flags 4/FontBBox"
	     "[%ld %ld %ld %ld]/ItalicAngle 0/Ascent %ld/Descent %ld/CapHeight "
	     "%ld/StemV 80/FontFile2 %d 0 R>>\n", name,
	     a.left * 1000 / a.units, a.bottom * 1000 / a.units,
	     a.right * 1000 / a.units, a.top * 1000 / a.units,
	     a.ascent * 1000 / a.units, a.descent * 1000 / a.units,
	     a.ascent * 1000 / a.units, FONT_FILE);
	end_object(p);
}

static void send_font_file(struct pdf *p)
{
	size_t n = 0;
	const unsigned char *bytes = subset_file(&p->subset, &n,
						 &p->f->memory, &p->o->err);
	char entries[40];

	if (!bytes)
		return;
	snprintf(entries, sizeof entries, "/Length1 %zu", n);
	begin_stream(p, FONT_FILE, entries);
	deflate_bytes(&p->deflate, bytes, n);
	end_stream(p, FONT_FILE);
}

/* The characters of the glyphs, for readers that search or copy text. */
static void send_characters(struct pdf *p)
{
	const struct font_subset *s = &p->subset;
	char unit[9];

	begin_stream(p, CHARACTERS, "");
	draw(p, "/CIDInit/ProcSet findresource begin 12 dict begin begincmap\n"
	     "/CIDSystemInfo<</Registry(Adobe)/Ordering(UCS)/Supplement 0>>def"
	     "\n/CMapName/Adobe-Identity-UCS def/CMapType 2 def\n"
	     "1 begincodespacerange<0000><ffff>endcodespacerange\n");
	for (size_t i = 0; i < s->count; i++) {
		const size_t left = s->count - i;

		if (i % MAPPED_MOST == 0)
			draw(p, "%zu beginbfchar\n",
			     left < MAPPED_MOST ? left : MAPPED_MOST);
		draw(p, "<%04zx><%s>\n", i,
		     utf16(s->glyphs[i].character, unit));
		if (i % MAPPED_MOST == MAPPED_MOST - 1 || left == 1)
			draw(p, "endbfchar\n");
	}
	draw(p, "endcmap CMapName currentdict/CMap defineresource pop end end"
	     "\n");
	end_stream(p, CHARACTERS);
}

/* What the file is: its page, and the command that makes it. */
static void send_page(struct pdf *p, const char *command)
{
	const double scale = POINTS / p->f->scale;

	begin_object(p, CATALOG);
	send(p, "<</Type/Catalog/Pages %d 0 R>>\n", PAGES);
	end_object(p);
	begin_object(p, PAGES);
	send(p, "<</Type/Pages/Kids[%d 0 R]/Count 1>>\n", PAGE);
	end_object(p);
	begin_object(p, PAGE);
	send(p, "<</Type/Page/Parent %d 0 R/MediaBox[0 0 %.6g %.6g]"
	     "/Contents %d 0 R/Resources %d 0 R>>\n", PAGES, scale * p->f->w,
	     scale * p->f->h, CONTENTS, RESOURCES);
	end_object(p);
	begin_object(p, INFO);
	send(p, "<<");
	send_text(p, "Title", p->f->title);
	send_text(p, "Subject", command);
	send(p, "/Producer(posenc " POSENC_VERSION ")>>\n");
	end_object(p);
	begin_object(p, RESOURCES);
	send(p, "<</Font<</F %d 0 R>>/XObject<<", FONT);
	for (size_t i = IMAGES; i < p->objects; i += 2)
		send(p, "/I%zu %zu 0 R", i, i);
	send(p, ">>>>\n");
	end_object(p);
}

static void send_index(struct pdf *p)
{
	const size_t begin = p->at;

	send(p, "xref\n0 %zu\n0000000000 65535 f \n", p->objects);
	for (size_t i = 1; i < p->objects; i++)
		send(p, "%010zu 00000 n \n", p->offsets[i]);
	send(p, "trailer\n<</Size %zu/Root %d 0 R/Info %d 0 R>>\nstartxref\n"
	     "%zu\n%%%%EOF\n", p->objects, CATALOG, INFO, begin);
}

static void send_figure(struct output_file *o, struct figure *f,
			const struct table *t, const char *command)
{
	struct pdf p = { .o = o, .f = f, .objects = IMAGES };

	(void)t;
	for (const struct item *i = f->first; i; i = i->next)
		p.objects += i->kind == ITEM_IMAGE ? 2 : 0;
	p.offsets = table_alloc(&f->memory, p.objects, sizeof *p.offsets,
				&o->err);
	if (!p.offsets || !subset_open(&p.subset, f->font, &f->memory, &o->err))
		return;
	/* Bytes above 127 tell other programs that the file is binary. */
	send(&p, "%%PDF-1.4\n%%\xe2\xe3\xcf\xd3\n");
	send_page(&p, command);
	send_contents(&p);
	send_images(&p);
	send_font(&p);
	send_font_file(&p);
	send_characters(&p);
	send_index(&p);
	font_whole(f->font, &o->err);
}

static bool pdf_check(const struct style *style, const struct table *t,
		      struct error *err)
{
	return vectors_check(style, t, "pdf", err);
}

static void pdf_write(const struct style *style, const struct table *t,
		      struct output_file *o)
{
	vectors_write(style, t, o, send_figure);
}

const struct format pdf_format = {
	.name = "pdf",
	.summary = "the same figure as PDF, for LaTeX and print",
	.binary = true,
	.check = pdf_check,
	.write = pdf_write,
};
