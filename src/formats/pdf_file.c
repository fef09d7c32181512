/* pdf_file.c: objects and streams of a PDF (ISO 32000-1, 7). */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "text/utf8.h"
#include "formats/pdf.h"

enum { TEXT = 501 };  /* bytes of a formatted text and its NUL */

void pdf_bytes(void *to, const void *bytes, size_t n)
{
	struct pdf *p = to;

	out_bytes(p->o, bytes, n);
	p->at += n;
}

void pdf_send(struct pdf *p, const char *fmt, ...)
{
	char text[TEXT];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof text, fmt, args);
	va_end(args);
	if (p->compresses)
		deflate_bytes(&p->deflate, text, strlen(text));
	else
		pdf_bytes(p, text, strlen(text));
}

void pdf_begin(struct pdf *p, size_t number)
{
	p->offsets[number] = p->at;
	pdf_send(p, "%zu 0 obj\n", number);
}

void pdf_end(struct pdf *p)
{
	pdf_send(p, "endobj\n");
}

void pdf_end_data(struct pdf *p, size_t number)
{
	const size_t length = p->at - p->begin;

	pdf_send(p, "\nendstream\n");
	pdf_end(p);
	pdf_begin(p, number + 1);
	pdf_send(p, "%zu\n", length);
	pdf_end(p);
}

void pdf_begin_stream(struct pdf *p, size_t number, const char *entries)
{
	pdf_begin(p, number);
	pdf_send(p, "<</Length %zu 0 R/Filter/FlateDecode%s>>\nstream\n",
		 number + 1, entries);
	p->begin = p->at;
	p->deflate = (struct deflate){ .level = 9, .send = pdf_bytes, .to = p };
	if (!deflate_begin(&p->deflate))
		out_fail(p->o, "out of memory");
	p->compresses = true;
}

void pdf_end_stream(struct pdf *p, size_t number)
{
	p->compresses = false;
	deflate_end(&p->deflate);
	pdf_end_data(p, number);
}

void pdf_text(struct pdf *p, const char *key, const char *text)
{
	char units[UTF16_TEXT];

	pdf_send(p, "/%s<feff", key);
	while (*text) {
		utf16_text(utf8_next(&text), "", units);
		pdf_send(p, "%s", units);
	}
	pdf_send(p, ">");
}
