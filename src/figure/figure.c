/* figure.c: a figure as a list of items. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "text/utf8.h"
#include "figure/figure.h"
#include "figure/formula.h"

/*
 * Lines: Okabe and Ito 2008, eight colours that are distinct with colour
 * blindness too. The last is lighter than a white page allows: there it is
 * darkened.
 */
#define OKABE_ITO                                                       \
	{ 0, 114, 178 }, { 213, 94, 0 }, { 0, 158, 115 },               \
	{ 204, 121, 167 }, { 230, 159, 0 }, { 86, 180, 233 }

/*
 * Lines of --theme print: in grey, each is much lighter or darker than the one
 * that has its dashes, four before or after it.
 */
#define PRINT_LINES                                                     \
	{ 0, 0, 0 }, { 230, 159, 0 }, { 0, 114, 178 }, { 160, 60, 0 },  \
	{ 86, 180, 233 }, { 0, 100, 73 }, { 226, 160, 196 }, { 205, 190, 20 }

/* Page, text, muted text, grid, white, black, lines. */
static const struct color light_inks[] = {
	{ 255, 255, 255 }, { 38, 38, 38 }, { 110, 110, 110 },
	{ 222, 222, 222 }, { 255, 255, 255 }, { 0, 0, 0 },
	OKABE_ITO, { 0, 0, 0 }, { 136, 120, 0 },
};
static const struct color dark_inks[] = {
	{ 18, 20, 24 }, { 228, 228, 228 }, { 150, 150, 150 },
	{ 56, 59, 66 }, { 255, 255, 255 }, { 0, 0, 0 },
	OKABE_ITO, { 255, 255, 255 }, { 240, 228, 66 },
};

static const struct color print_inks[] = {
	{ 255, 255, 255 }, { 0, 0, 0 }, { 100, 100, 100 },
	{ 222, 222, 222 }, { 255, 255, 255 }, { 0, 0, 0 },
	PRINT_LINES,
};

const struct color *figure_inks(int theme)
{
	return theme == DARK ? dark_inks
			     : theme == PRINT ? print_inks : light_inks;
}

struct color figure_color(const struct figure *f, int ink)
{
	return ink < INK ? f->palette[ink] : figure_inks(f->theme)[ink - INK];
}

void *figure_room(struct figure *f, size_t n, size_t size)
{
	return table_alloc(&f->memory, n, size, &f->err);
}

struct item *figure_add(struct figure *f, enum item_kind kind, int ink)
{
	struct item *item = figure_room(f, 1, sizeof *item);

	if (!item)
		return &f->spare;
	item->kind = kind;
	item->ink = ink;
	*f->last = item;
	f->last = &item->next;
	return item;
}

void figure_rect(struct figure *f, int ink, int x, int y, int w, int h)
{
	struct item *item = figure_add(f, ITEM_RECT, ink);

	item->x = x;
	item->y = y;
	item->w = w;
	item->h = h;
}

void figure_image(struct figure *f, int x, int y, const struct image *image)
{
	struct item *item = figure_add(f, ITEM_IMAGE, 0);

	item->x = x;
	item->y = y;
	item->w = image->w;
	item->h = image->h;
	item->levels = image->levels;
	item->rows = image->rows;
	item->cols = image->cols;
}

struct item *figure_text(struct figure *f, int ink, int points, int x, int y,
			 const char *text)
{
	char *copy = figure_room(f, strlen(text) + 1, 1);
	struct item *item;

	if (!copy)
		return &f->spare;
	memcpy(copy, text, strlen(text));
	item = figure_add(f, ITEM_TEXT, ink);
	item->text = copy;
	item->size = font_pixels(f, points);
	item->x = x;
	item->y = y;
	return item;
}

struct item *figure_points(struct figure *f, enum item_kind kind, int ink,
			   const struct point *points, size_t n)
{
	struct point *copy = figure_room(f, n, sizeof *copy);
	struct item *item;

	if (!copy)
		return &f->spare;
	memcpy(copy, points, n * sizeof *copy);
	item = figure_add(f, kind, ink);
	item->points = copy;
	item->n = n;
	return item;
}

int figure_width(const struct figure *f, int points, const char *text)
{
	return (int)ceil(formula_width(f, font_pixels(f, points), text));
}

void figure_note(struct figure *f, const char *text)
{
	const size_t n = strlen(f->note);
	char shown[NOTES_TEXT];

	language_note(f->language, text, shown, sizeof shown);
	if (!strstr(f->note, shown))
		snprintf(f->note + n, sizeof f->note - n, "%s%s", n ? "; " : "",
			 shown);
}

/*
 * The length of a line: up to a line feed, or to "\n" as typed, which is none
 * in a formula.
 */
static size_t line_length(const char *text)
{
	size_t n = 0;

	while (text[n] && text[n] != '\n' &&
	       (text[n] != '\\' || text[n + 1] != 'n'))
		n += formula_length(text + n) ? formula_length(text + n) : 1;
	return n;
}

const char *figure_shown(struct figure *f, const char *title, bool lines)
{
	const size_t room = 4 * strlen(title) + 1;
	char *text = figure_room(f, room, 1);
	size_t n = 0;

	if (!text)
		return "";
	while (*title) {
		const size_t k = lines ? line_length(title) : SIZE_MAX;

		n += utf8_show_joined(title, k, text + n, room - n);
		title += lines ? k : strlen(title);
		if (*title) {
			text[n++] = '\n';
			title += *title == '\\' ? 2 : 1;
		}
	}
	return text;
}

const char *figure_formulas(struct figure *f, const char *shown)
{
	/* The worst is "=", between spaces */
	const size_t room = 8 * strlen(shown) + 1;
	char *text = figure_room(f, room, 1);

	if (text)
		formula_show(shown, SIZE_MAX, text, room);
	return text ? text : "";
}

void figure_words(struct figure *f, const struct table *t,
		  const struct look *look)
{
	static const char none[] = "";

	f->title = figure_shown(f, look->title ? look->title : language_text(
		f->language, t->beside ? "Tables" : t->title), look->title);
	f->heading = look->no_title ? none : look->title
		     ? figure_formulas(f, f->title) : f->title;
	f->subtitle = look->no_title ? none : look->subtitle
		      ? figure_formulas(f, figure_shown(f, look->subtitle,
							true)) : NULL;
}

bool figure_make(struct figure *f, const struct table *t,
		 const struct look *look, size_t threads, struct error *err)
{
	*f = (struct figure){ .theme = look->theme, .threads = threads,
			      .transparent = look->transparent,
			      .language = (enum language)look->lang };
	page_begin(f, look);
	figure_words(f, t, look);
	f->font = font_open(look->font, err);
	if (!f->font)
		return false;
	page_lay_out(f, t, look);
	formula_expand(f);
	f->w = f->w > look->w ? f->w : look->w;
	f->h = f->h > look->h ? f->h : look->h;
	/* From here on, the fonts of all letters are known */
	for (const struct item *i = f->first; i; i = i->next)
		if (i->kind == ITEM_TEXT)
			font_width(f->font, i->size, i->text);
	if (f->err.text[0])
		*err = f->err;
	return !err->text[0];
}

void figure_close(struct figure *f)
{
	font_close(f->font);
	table_close(&f->memory);
}
