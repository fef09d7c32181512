/* png.c: a figure in pixels, or a heat map of one pixel a number. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "figure/canvas.h"
#include "formats/animation.h"
#include "formats/style.h"
#include "formats/format.h"
#include "formats/picture.h"
#include "formats/rows.h"
#include "formats/vectors.h"

/* Fail if --plain comes with options other than --cmap and --range. */
static bool check_plain(const struct style *style, struct error *err)
{
	for (const struct option *o = style_options; o->name; o++) {
		char flag[40];

		if ((o->role == ROLE_FIGURE || o->role == ROLE_FILE) &&
		    option_changed(o, style))
			return fail(err, "--plain draws only values; %s is for "
				    "figures", option_flag(o, flag));
	}
	return look_check_whole(&style->look, "--plain", err);
}

static bool png_check(const struct style *style, const struct table *t,
		      struct error *err)
{
	const size_t rows = t->end - t->begin;

	if ((style->plain && !check_plain(style, err)) ||
	    !look_check(&style->look, t, err))
		return false;
	if (!style->plain)
		return look_check_planes(t, err);
	if (rows <= PICTURE_MOST && t->cols <= PICTURE_MOST)
		return true;
	return fail(err, "--png: an image of %zu x %zu pixels exceeds PNG's "
		    "limit of %d per side; choose rows with --rows", rows,
		    t->cols, PICTURE_MOST);
}

static void send_out(void *to, const void *bytes, size_t n)
{
	out_bytes(to, bytes, n);
}

/* A heat map that is written row by row. */
struct heatmap {
	struct row_writer rows;  /* first: row_levels() finds the rest */
	struct colormap map;
	struct picture picture;
	struct output_file *o;
};

static bool take_rows(void *taker, const unsigned char *levels, size_t n)
{
	struct heatmap *h = taker;

	return picture_rows(&h->picture, levels, n / h->picture.w) &&
	       !h->o->err.text[0];
}

/* Values as levels of the colour map. */
static size_t row_levels(const struct row_writer *r, struct numbers x, size_t n,
			 char *to)
{
	const struct heatmap *h = (const struct heatmap *)(const void *)r;

	if (x.f)
		colormap_floats(&h->map, x.f, n, (unsigned char *)to);
	else
		colormap_doubles(&h->map, x.d, n, (unsigned char *)to);
	return n;
}

enum { TALL = 1024 };  /* rows: those of so many resemble the row above */

static void plain_write(const struct style *style, const struct table *t,
			const char *command, struct output_file *o)
{
	struct color palette[PALETTE_MOST];
	struct heatmap h = {
		.rows = { .t = t, .style = style, .after = "",
			  .numbers = row_levels, .number_room = 1 },
		.picture = { .w = t->cols, .h = t->end - t->begin,
			     .palette = palette, .colors = PALETTE_MOST,
			     .command = command, .send = send_out, .to = o },
		.o = o,
	};
	double lo, hi;

	if (!table_range(t, &lo, &hi, &o->err))
		return;
	snprintf(o->extent, sizeof o->extent, "%zu x %zu pixels", h.picture.w,
		 h.picture.h);
	h.picture.up = h.picture.h > TALL;
	h.map = look_colormap(&style->look, lo, hi);
	colormap_palette(&h.map, palette);
	if (picture_begin(&h.picture))
		rows_give(&h.rows, take_rows, &h, &o->err);
	if (h.picture.failed)
		out_fail(o, h.picture.failed);
	picture_close(&h.picture);
}

static void send_canvas(const struct canvas *c, const struct figure *f,
			const char *command, struct output_file *o)
{
	char fonts[FONTS_TEXT];
	struct picture p = {
		.w = (size_t)c->w, .h = (size_t)c->h, .palette = c->palette,
		.colors = c->colors,
		.alpha = f->transparent ? c->alpha : NULL,
		.dots = (size_t)f->dots, .command = command,
		.send = send_out, .to = o,
	};

	snprintf(o->extent, sizeof o->extent, "%d x %d pixels", c->w, c->h);
	font_others(f->font, fonts);
	p.fonts = fonts[0] ? fonts : NULL;
	if (picture_begin(&p))
		picture_rows(&p, c->pixels, p.h);
	if (p.failed)
		out_fail(o, p.failed);
	picture_close(&p);
	vectors_note(f, o);
}

static void figure_write(const struct style *style, const struct table *t,
			 const char *command, struct output_file *o)
{
	struct figure f;
	struct canvas c = { 0 };

	if (figure_make(&f, t, &style->look, style->threads, &o->err) &&
	    canvas_draw(&c, &f, &o->err))
		send_canvas(&c, &f, command, o);
	canvas_close(&c);
	figure_close(&f);
}

static void png_write(const struct style *style, const struct table *t,
		      struct output_file *o)
{
	char *command = command_line(t, style, "png");

	if (!command)
		out_fail(o, "out of memory");
	else if (style->animation)
		animation_write(style->animation, style, command, o);
	else if (style->plain)
		plain_write(style, t, command, o);
	else
		figure_write(style, t, command, o);
	free(command);
}

const struct format png_format = {
	.name = "png",
	.summary = "figure: heat map, axes, title, colour bar",
	.binary = true,
	.figure = true,
	.check = png_check,
	.write = png_write,
};
