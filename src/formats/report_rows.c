/* report_rows.c: lists in reports: rows of cells in aligned columns. */
#include <stdint.h>
#include <string.h>

#include "formats/report_rows.h"
#include "text/utf8.h"

/* Longer cells are shown whole, but other lines don't make room for them. */
enum { WIDTH_MOST = 80, CELL_ROOM = SHAPE_TEXT };

/* The first bytes of text that a screen shows as they are. */
static size_t plain_length(const char *text)
{
	size_t n = 0;

	while (text[n] >= ' ' && text[n] <= '~')
		n++;
	return n;
}

void report_show_text(const char *text, struct output_file *o)
{
	char shown[20];

	while (*text) {
		const size_t n = plain_length(text);
		const char *from = text += n;

		out_bytes(o, text - n, n);
		if (*text) {
			utf8_next(&text);
			out_bytes(o, shown,
				  utf8_show(from, (size_t)(text - from), shown,
					    sizeof shown));
		}
	}
}

/* How many columns text takes as it is shown, or more than WIDTH_MOST. */
static size_t text_width(const char *text)
{
	size_t n = plain_length(text), width = n;
	char shown[4 * WIDTH_MOST + 8];

	if (!text[n])
		return n;
	n = utf8_show(text + n, SIZE_MAX, shown, sizeof shown);
	for (size_t i = 0; i < n; i++)
		width += ((unsigned char)shown[i] & 0xc0) != 0x80;
	return width;
}

/* Write x in decimal before end; where it begins. */
static char *size_text(size_t x, char *end)
{
	do
		*--end = (char)('0' + x % 10);
	while (x /= 10);
	return end;
}

/* "[2,3]" at the end of text; where it begins. */
static char *shape_cell(const struct fact *f, char text[CELL_ROOM])
{
	char *at = text + CELL_ROOM;

	*--at = '\0';
	*--at = ']';
	for (size_t i = f->n; i-- > 0;) {
		at = size_text(f->sizes[i], at);
		if (i)
			*--at = ',';
	}
	*--at = '[';
	return at;
}

/* Text as it is shown: a name that is empty in quotes, no dimensions as NumPy
   calls them. */
static const char *cell_text(const struct fact *f, char room[CELL_ROOM])
{
	if (f->kind != FACT_TEXT)
		return f->n ? shape_cell(f, room) : "scalar";
	return *f->text ? f->text : "''";
}

static size_t cell_width(const struct fact *f)
{
	char room[CELL_ROOM];

	return text_width(cell_text(f, room));
}

static void show_cell(const struct fact *f, struct output_file *o)
{
	char room[CELL_ROOM];

	report_show_text(cell_text(f, room), o);
}

/* The widths of columns, the last of which needs none. */
static void measure(const struct report_rows *r, size_t widths[CELLS_MOST])
{
	struct fact cells[CELLS_MOST];

	for (size_t i = 0; i < r->n; i++) {
		r->row(r->self, i, cells);
		for (size_t j = 0; j + 1 < r->shown; j++) {
			const size_t n = cell_width(&cells[j]);

			if (n > widths[j] && n <= WIDTH_MOST)
				widths[j] = n;
		}
	}
}

/* Show a row; a cell is filled up to its width where another one follows. */
static void show_row(const struct fact *cells, const size_t *widths, size_t n,
		     struct output_file *o)
{
	char blanks[WIDTH_MOST + 2];

	memset(blanks, ' ', sizeof blanks);
	out_text(o, "  ");
	for (size_t j = 0; j < n && cells[j].name; j++) {
		show_cell(&cells[j], o);
		if (j + 1 < n && cells[j + 1].name) {
			const size_t used = cell_width(&cells[j]);
			const size_t left = used < widths[j]
					    ? widths[j] - used : 0;

			out_bytes(o, blanks, left + 2);
		}
	}
	out_text(o, "\n");
}

void report_show_rows(const struct report_rows *r, struct output_file *o)
{
	size_t widths[CELLS_MOST] = { 0 };
	struct fact cells[CELLS_MOST];

	r = r->brief ? r->brief : r;
	measure(r, widths);
	for (size_t i = 0; i < r->n; i++) {
		r->row(r->self, i, cells);
		show_row(cells, widths, r->shown, o);
	}
}
