/* png.c: a heat map as a palette PNG, row by row, through libpng. */
#include <png.h>
#include <setjmp.h>
#include <stdlib.h>

#include "core/recipe.h"
#include "figure/colormap.h"
#include "formats/format.h"

enum { PIXELS_MOST = 1000000 };  /* libpng's own limit, either way */

static bool heatmap_check(const struct table *t, struct error *err)
{
	const size_t rows = t->end - t->begin;

	if (rows <= PIXELS_MOST && t->cols <= PIXELS_MOST)
		return true;
	return fail(err, "--png: a picture of %zu x %zu pixels is past PNG's "
		    "limit of %d either way; ask for part of it with --rows",
		    rows, t->cols, PIXELS_MOST);
}

/* What libpng calls back with, and all that a picture holds. */
struct picture {
	struct out *o;
	const struct table *t;
	struct colormap map;
	double *scratch;          /* [cols], the caller's */
	unsigned char *levels;    /* [cols] */
	char *command;            /* that makes the picture again */
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

static void write_palette(png_structp png, png_infop info,
			  const struct colormap *m)
{
	struct color colors[COLORS + 1];
	png_color palette[COLORS + 1];

	colormap_palette(m, colors);
	for (int i = 0; i <= COLORS; i++)
		palette[i] = (png_color){ colors[i].red, colors[i].green,
					  colors[i].blue };
	png_set_PLTE(png, info, palette, COLORS + 1);
}

static void write_command(png_structp png, png_infop info, char *command)
{
	png_text text = {
		.compression = PNG_TEXT_COMPRESSION_NONE,
		.key = (char []){ "posenc" },
	};

	text.text = command;
	png_set_text(png, info, &text, 1);
}

static void write_rows(png_structp png, const struct picture *p)
{
	const struct table *t = p->t;

	for (size_t i = t->begin; i < t->end && !p->o->err.text[0]; i++) {
		const double *x = t->row(t, i, p->scratch);

		for (size_t j = 0; j < t->cols; j++)
			p->levels[j] = colormap_level(&p->map, x[j]);
		png_write_row(png, p->levels);
	}
}

/* The one function that libpng jumps back to; it holds nothing of its own. */
static void write_picture(png_structp png, png_infop info,
			  const struct picture *p)
{
	if (setjmp(png_jmpbuf(png)))
		return;
	png_set_write_fn(png, p->o, heatmap_bytes, heatmap_flush);
	png_set_IHDR(png, info, (png_uint_32)p->t->cols,
		     (png_uint_32)(p->t->end - p->t->begin), 8,
		     PNG_COLOR_TYPE_PALETTE, PNG_INTERLACE_NONE,
		     PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
	png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_NONE);
	write_palette(png, info, &p->map);
	write_command(png, info, p->command);
	png_write_info(png, info);
	write_rows(png, p);
	if (!p->o->err.text[0])
		png_write_end(png, info);
}

static void heatmap_write(const struct style *style, const struct table *t,
		      double *scratch, struct out *o)
{
	struct picture p = { .o = o, .t = t, .scratch = scratch };
	png_structp png;
	png_infop info = NULL;
	double lo, hi;

	(void)style;
	if (!table_range(t, &lo, &hi, &o->err))
		return;
	p.map = colormap_for(lo, hi);
	p.levels = malloc(t->cols);
	p.command = recipe_command(t->recipe, t->self);
	png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &p, heatmap_died,
				      heatmap_warned);
	if (png)
		info = png_create_info_struct(png);
	if (info && p.levels && p.command)
		write_picture(png, info, &p);
	else
		out_fail(o, "out of memory");
	png_destroy_write_struct(&png, &info);
	free(p.levels);
	free(p.command);
}

const struct format png_format = {
	.name = "png",
	.summary = "a heat map",
	.binary = true,
	.check = heatmap_check,
	.write = heatmap_write,
};
