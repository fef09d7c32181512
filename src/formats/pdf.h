/*
 * pdf.h: what writes a PDF: objects and streams (pdf_file.c), the fonts
 * (pdf_font.c), and the figure (pdf.c).
 */
#ifndef PDF_H
#define PDF_H

#include "figure/figure.h"
#include "figure/font_subset.h"
#include "files/output.h"
#include "formats/deflate.h"

/* Objects; a stream is followed by its length. */
enum {
	PDF_CATALOG = 1, PDF_PAGES, PDF_PAGE, PDF_INFO, PDF_FONT, PDF_GLYPHS,
	PDF_DESCRIPTOR, PDF_RESOURCES, PDF_CONTENTS,
	PDF_FONT_FILE = PDF_CONTENTS + 2,
	PDF_CHARACTERS = PDF_FONT_FILE + 2, PDF_IMAGES = PDF_CHARACTERS + 2,
};

struct pdf {
	struct output_file *o;
	struct figure *f;
	size_t at;            /* bytes written */
	size_t begin;         /* of the stream that is being written */
	size_t *offsets;      /* [objects]; object 0 does not exist */
	size_t objects;
	size_t others;        /* the first object of fonts after the first */
	struct font_subset *subsets;  /* [faces] */
	size_t faces;
	struct deflate deflate;
	bool compresses;      /* a stream is open */
};

/* Like printf(), up to 500 bytes, into the open stream or the file. */
void pdf_send(struct pdf *p, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Add bytes of the file as they are. */
void pdf_bytes(void *to, const void *bytes, size_t n);

/* Begin object number, whose offset is kept; end it. */
void pdf_begin(struct pdf *p, size_t number);
void pdf_end(struct pdf *p);

/* A stream that pdf_send() and deflate_bytes() fill; entries: more of it. */
void pdf_begin_stream(struct pdf *p, size_t number, const char *entries);
void pdf_end_stream(struct pdf *p, size_t number);

/* End one whose data, from p->begin on, were added by pdf_bytes(). */
void pdf_end_data(struct pdf *p, size_t number);

/* A string without hidden characters, that is no part of the drawing. */
void pdf_text(struct pdf *p, const char *key, const char *text);

/* How many objects a font after the first takes. */
enum { PDF_FONT_OBJECTS = 7 };

/* One subset for each face of the figure's font; false: out of memory. */
bool pdf_fonts_open(struct pdf *p);

/* The fonts by name, as an entry of the page's resources. */
void pdf_font_names(struct pdf *p);

/* The text of an item. */
void pdf_draw_text(struct pdf *p, const struct item *item);

/* The fonts, of the glyphs drawn before. */
void pdf_send_fonts(struct pdf *p);

#endif
