/*
 * pdf.c: a figure as PDF 1.4 (ISO 32000-1): vectors, text in subsets of its
 * fonts, heat maps as images. No date and no random number is in the file, so
 * equal commands make equal files.
 */
#include <stdio.h>

#include "formats/format.h"
#include "formats/pdf.h"
#include "formats/vectors.h"
#include "version.h"

/* Set the colour of what is drawn next: "rg" fills, "RG" strokes. */
static void set_color(struct pdf *p, int ink, const char *operator)
{
	const struct color c = figure_color(p->f, ink);

	pdf_send(p, "%.4g %.4g %.4g %s\n", c.red / 255.0, c.green / 255.0,
	     c.blue / 255.0, operator);
}

static void draw_rect(struct pdf *p, const struct item *item)
{
	set_color(p, item->ink, "rg");
	pdf_send(p, "%d %d %d %d re f\n", item->x, item->y, item->w, item->h);
}

/* The points of a pixel. */
static double points(const struct figure *f)
{
	return 72 * vectors_inches(f);
}

static void draw_text(struct pdf *p, const struct item *item)
{
	set_color(p, item->ink, "rg");
	pdf_draw_text(p, item);
}

static void draw_path(struct pdf *p, const struct item *item)
{
	set_color(p, item->ink, "RG");
	pdf_send(p, "%g w ", item->width);
	if (item->dash > 0)
		pdf_send(p, "[%g]0 d\n", item->dash);
	else
		pdf_send(p, "[]0 d\n");
	for (size_t i = 0; i < item->n; i++)
		pdf_send(p, "%.2f %.2f %c\n", item->points[i].x,
			 item->points[i].y, i ? 'l' : 'm');
	pdf_send(p, "S\n");
}

/* Dots are lines of almost no length, with round ends. */
static void draw_dots(struct pdf *p, const struct item *item)
{
	set_color(p, item->ink, "RG");
	pdf_send(p, "%g w []0 d\n", item->width);
	for (size_t i = 0; i < item->n; i++)
		pdf_send(p, "%.2f %.2f m %.2f %.2f l\n", item->points[i].x,
		     item->points[i].y, item->points[i].x + 0.01,
		     item->points[i].y);
	pdf_send(p, "S\n");
}

static void draw_area(struct pdf *p, const struct item *item)
{
	set_color(p, item->ink, "rg");
	pdf_send(p, "q/Faint gs\n");
	for (size_t i = 0; i < item->n; i++)
		pdf_send(p, "%.2f %.2f %c\n", item->points[i].x,
			 item->points[i].y, i ? 'l' : 'm');
	pdf_send(p, "f Q\n");
}

static void draw_image(struct pdf *p, const struct item *item, size_t number)
{
	const size_t w = item->cols * (size_t)item->w;
	const size_t h = item->rows * (size_t)item->h;

	pdf_send(p, "q %zu 0 0 -%zu %d %zu cm/I%zu Do Q\n", w, h, item->x,
		 (size_t)item->y + h, number);
}

static void send_contents(struct pdf *p)
{
	const struct figure *f = p->f;
	const double scale = points(f);
	const struct item page = { .ink = INK_PAGE, .w = f->w, .h = f->h };
	size_t images = PDF_IMAGES;

	pdf_begin_stream(p, PDF_CONTENTS, "");
	pdf_send(p, "%.6g 0 0 %.6g 0 %.6g cm 1 J 1 j\n", scale, -scale,
		 scale * f->h);
	if (!f->transparent)
		draw_rect(p, &page);
	for (const struct item *i = f->first; i; i = i->next) {
		if (i->kind == ITEM_RECT)
			draw_rect(p, i);
		else if (i->kind == ITEM_TEXT)
			draw_text(p, i);
		else if (i->kind == ITEM_PATH)
			draw_path(p, i);
		else if (i->kind == ITEM_DOTS)
			draw_dots(p, i);
		else if (i->kind == ITEM_AREA)
			draw_area(p, i);
		else
			draw_image(p, i, (images += 2) - 2);
	}
	pdf_end_stream(p, PDF_CONTENTS);
}

/* PDF stores compressed rows as PNG does (7.4.4.4, predictor 15). */
static void send_image(struct pdf *p, const struct item *item, size_t number)
{
	struct picture picture = vectors_picture(p->f, item);

	picture.only_rows = true;
	picture.send = pdf_bytes;
	picture.to = p;
	pdf_begin(p, number);
	pdf_send(p, "<</Type/XObject/Subtype/Image/Width %zu/Height %zu"
		 "/BitsPerComponent 8/ColorSpace[/Indexed/DeviceRGB %d<",
		 picture.w, picture.h, picture.colors - 1);
	for (int i = 0; i < picture.colors; i++)
		pdf_send(p, "%02x%02x%02x", picture.palette[i].red,
		     picture.palette[i].green, picture.palette[i].blue);
	pdf_send(p, ">]/Length %zu 0 R/Filter/FlateDecode/DecodeParms"
		 "<</Predictor 15/Columns %zu>>>>\nstream\n", number + 1,
		 picture.w);
	p->begin = p->at;
	vectors_send_picture(&picture, item, p->o);
	pdf_end_data(p, number);
}

static void send_images(struct pdf *p)
{
	size_t number = PDF_IMAGES;

	for (const struct item *i = p->f->first; i; i = i->next)
		if (i->kind == ITEM_IMAGE) {
			send_image(p, i, number);
			number += 2;
		}
}

/* What the file is: its page, and the command that makes it. */
static void send_page(struct pdf *p, const char *command)
{
	const double scale = points(p->f);
	char fonts[FONTS_TEXT];

	pdf_begin(p, PDF_CATALOG);
	pdf_send(p, "<</Type/Catalog/Pages %d 0 R>>\n", PDF_PAGES);
	pdf_end(p);
	pdf_begin(p, PDF_PAGES);
	pdf_send(p, "<</Type/Pages/Kids[%d 0 R]/Count 1>>\n", PDF_PAGE);
	pdf_end(p);
	pdf_begin(p, PDF_PAGE);
	pdf_send(p, "<</Type/Page/Parent %d 0 R/MediaBox[0 0 %.6g %.6g]"
		 "/Contents %d 0 R/Resources %d 0 R>>\n", PDF_PAGES,
		 scale * p->f->w, scale * p->f->h, PDF_CONTENTS,
		 PDF_RESOURCES);
	pdf_end(p);
	pdf_begin(p, PDF_INFO);
	pdf_send(p, "<<");
	pdf_text(p, "Title", p->f->title);
	pdf_text(p, "Subject", command);
	font_others(p->f->font, fonts);
	if (fonts[0])
		pdf_text(p, "Keywords", fonts);
	pdf_send(p, "/Producer(posenc " POSENC_VERSION ")>>\n");
	pdf_end(p);
	pdf_begin(p, PDF_RESOURCES);
	pdf_send(p, "<<");
	pdf_font_names(p);
	pdf_send(p, "/ExtGState<</Faint<</ca %g>>>>/XObject<<",
		 (double)FAINT / 15);
	for (size_t i = PDF_IMAGES; i < p->others; i += 2)
		pdf_send(p, "/I%zu %zu 0 R", i, i);
	pdf_send(p, ">>>>\n");
	pdf_end(p);
}

static void send_index(struct pdf *p)
{
	const size_t begin = p->at;

	pdf_send(p, "xref\n0 %zu\n0000000000 65535 f \n", p->objects);
	for (size_t i = 1; i < p->objects; i++)
		pdf_send(p, "%010zu 00000 n \n", p->offsets[i]);
	pdf_send(p, "trailer\n<</Size %zu/Root %d 0 R/Info %d 0 R>>\n"
		 "startxref\n%zu\n%%%%EOF\n", p->objects, PDF_CATALOG,
		 PDF_INFO, begin);
}

static void send_figure(struct output_file *o, struct figure *f,
			const struct table *t, const char *command)
{
	struct pdf p = { .o = o, .f = f, .others = PDF_IMAGES };

	(void)t;
	for (const struct item *i = f->first; i; i = i->next)
		p.others += i->kind == ITEM_IMAGE ? 2 : 0;
	p.objects = p.others + (font_faces(f->font) - 1) * PDF_FONT_OBJECTS;
	p.offsets = table_alloc(&f->memory, p.objects, sizeof *p.offsets,
				&o->err);
	if (!p.offsets || !pdf_fonts_open(&p))
		return;
	/* Bytes above 127 tell other programs that the file is binary. */
	pdf_send(&p, "%%PDF-1.4\n%%\xe2\xe3\xcf\xd3\n");
	send_page(&p, command);
	send_contents(&p);
	send_images(&p);
	pdf_send_fonts(&p);
	send_index(&p);
	vectors_note(f, o);
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
	vectors_write(style, t, "pdf", o, send_figure);
}

const struct format pdf_format = {
	.name = "pdf",
	.summary = "the same figure as PDF, for LaTeX and print",
	.binary = true,
	.figure = true,
	.check = pdf_check,
	.write = pdf_write,
};
