/* figure.c: a figure as a list of items. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "text/utf8.h"
#include "figure/figure.h"
#include "figure/layout.h"

/*
 * Lines: Okabe and Ito 2008, eight colours that are distinct with colour
 * blindness too. The last is lighter than a white page allows: there it is
 * darkened.
 */
#define OKABE_ITO                                                       \
	{ 0, 114, 178 }, { 213, 94, 0 }, { 0, 158, 115 },               \
	{ 204, 121, 167 }, { 230, 159, 0 }, { 86, 180, 233 }

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

const struct color *figure_inks(int theme)
{
	return theme == DARK ? dark_inks : light_inks;
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
	item->size = points * f->scale;
	item->x = x;
	item->y = y;
	return item;
}

int figure_width(const struct figure *f, int points, const char *text)
{
	return (int)ceil(font_width(f->font, points * f->scale, text));
}

/* A title from elsewhere as a person may see it. */
static const char *shown(struct figure *f, const char *title)
{
	const size_t room = 4 * strlen(title) + 1;
	char *text = figure_room(f, room, 1);

	if (!text)
		return "";
	utf8_show(title, SIZE_MAX, text, room);
	return text;
}

bool figure_make(struct figure *f, const struct table *t,
		 const struct look *look, size_t threads, struct error *err)
{
	*f = (struct figure){
		.scale = look->scale ? (int)look->scale : 2,
		.theme = look->theme,
	};
	f->last = &f->first;
	f->title = shown(f, look->title ? look->title : t->title);
	f->font = font_open(err);
	if (!f->font)
		return false;
	if (look->plot == LINES || look->plot == STEPS)
		layout_curves(f, t, look);
	else
		layout_heatmap(f, t, look, threads);
	if (f->err.text[0])
		*err = f->err;
	return !err->text[0];
}

void figure_close(struct figure *f)
{
	font_close(f->font);
	table_close(&f->memory);
}
