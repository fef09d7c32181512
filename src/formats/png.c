/* png.c: a heat map as a palette PNG, row by row, through libpng. */
#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "core/recipe.h"
#include "figure/colormap.h"
#include "formats/format.h"
#include "formats/rows.h"

enum {
	PIXELS_MOST = 1000000,  /* libpng's own limit, either way */
	TALL = 1024,            /* rows */
};

static bool heatmap_check(const struct table *t, struct error *err)
{
	const size_t rows = t->end - t->begin;

	if (rows <= PIXELS_MOST && t->cols <= PIXELS_MOST)
		return true;
	return fail(err, "--png: a picture of %zu x %zu pixels is past PNG's "
		    "limit of %d either way; ask for part of it with --rows",
		    rows, t->cols, PIXELS_MOST);
}

/* A picture that is being written. */
struct picture {
	struct rows rows;   /* first, so that row_levels() finds the rest */
	struct colormap map;
	struct out *o;
	png_structp png;
	png_infop info;
	char *command;      /* that makes the picture again */
};

static void heatmap_died(png_structp png, png_const_charp why)
{
	const struct picture *p = png_get_error_ptr(png);

	out_fail(p->o, why);
	png_longjmp(png, 1);
}

static void heatmap_warned(png_structp png, png_const_charp why)
{
	(void)png;
	(void)why;
}

static void heatmap_bytes(png_structp png, png_bytep bytes, size_t n)
{
	out_bytes(png_get_io_ptr(png), bytes, n);
}

static void heatmap_flush(png_structp png)
{
	(void)png;
}

static void set_palette(struct picture *p)
{
	struct color colors[COLORS + 1];
	png_color palette[COLORS + 1];

	colormap_palette(&p->map, colors);
	for (int i = 0; i <= COLORS; i++)
		palette[i] = (png_color){ colors[i].red, colors[i].green,
					  colors[i].blue };
	png_set_PLTE(p->png, p->info, palette, COLORS + 1);
}

/*
 * In a tall table a row is like the one above, so that the up filter pays, and
 * more searching than this does not.
 */
static void set_effort(png_structp png, size_t rows)
{
	const bool tall = rows > TALL;

	png_set_filter(png, PNG_FILTER_TYPE_BASE,
		       tall ? PNG_FILTER_UP : PNG_FILTER_NONE);
	png_set_compression_level(png, tall ? 2 : 3);
}

static void set_command(struct picture *p)
{
	png_text text = {
		.compression = PNG_TEXT_COMPRESSION_NONE,
		.key = (char []){ "posenc" },
	};

	text.text = p->command;
	png_set_text(p->png, p->info, &text, 1);
}

/*
 * libpng leaves by a jump where it fails, to one of the next three functions.
 * They hold nothing of their own; the failure has been noted by then.
 */
static void write_head(struct picture *p)
{
	const struct table *t = p->rows.t;

	if (setjmp(png_jmpbuf(p->png)))
		return;
	png_set_write_fn(p->png, p->o, heatmap_bytes, heatmap_flush);
	png_set_IHDR(p->png, p->info, (png_uint_32)t->cols,
		     (png_uint_32)(t->end - t->begin), 8,
		     PNG_COLOR_TYPE_PALETTE, PNG_INTERLACE_NONE,
		     PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
	set_effort(p->png, t->end - t->begin);
	set_palette(p);
	set_command(p);
	png_write_info(p->png, p->info);
}

static bool take_rows(void *taker, const unsigned char *levels, size_t n)
{
	struct picture *p = taker;

	if (setjmp(png_jmpbuf(p->png)))
		return false;
	for (size_t at = 0; at < n; at += p->rows.t->cols)
		png_write_row(p->png, levels + at);
	return !p->o->err.text[0];
}

static void write_end(struct picture *p)
{
	if (!setjmp(png_jmpbuf(p->png)))
		png_write_end(p->png, p->info);
}

/* Numbers as levels of the map. */
static size_t row_levels(const struct rows *r, struct numbers x, size_t n,
			 char *to)
{
	const struct picture *p = (const struct picture *)(const void *)r;

	if (x.f)
		colormap_floats(&p->map, x.f, n, (unsigned char *)to);
	else
		colormap_doubles(&p->map, x.d, n, (unsigned char *)to);
	return n;
}

static void write_picture(struct picture *p)
{
	write_head(p);
	if (p->o->err.text[0])
		return;
	if (!rows_give(&p->rows, take_rows, p, &p->o->err))
		return;
	if (!p->o->err.text[0])
		write_end(p);
}

/* The whole command, to be freed; NULL for want of memory. */
static char *command_line(const struct table *t, const struct style *style)
{
	const size_t n = strlen(t->command);
	char *line = malloc(n + options_line(style_options, style, NULL) + 48);

	if (line) {
		memcpy(line, t->command, n);
		options_line(style_options, style, line + n);
	}
	return line;
}

static void heatmap_write(const struct style *style, const struct table *t,
			  struct out *o)
{
	struct picture p = {
		.rows = { .t = t, .style = style, .after = "",
			  .numbers = row_levels, .number_room = 1 },
		.o = o,
	};
	double lo, hi;

	if (!table_range(t, &lo, &hi, &o->err))
		return;
	p.map = colormap_for(lo, hi);
	p.command = command_line(t, style);
	p.png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &p,
					heatmap_died, heatmap_warned);
	if (p.png)
		p.info = png_create_info_struct(p.png);
	if (p.info && p.command)
		write_picture(&p);
	else
		out_fail(o, "out of memory");
	png_destroy_write_struct(&p.png, &p.info);
	free(p.command);
}

const struct format png_format = {
	.name = "png",
	.summary = "a heat map",
	.binary = true,
	.check = heatmap_check,
	.write = heatmap_write,
};
