/* picture.c: writes a PNG image with a palette, row by row, by libpng. */
#include <png.h>
#include <setjmp.h>

#include "table/never.h"
#include "formats/picture.h"

enum {
	TALL = 1024,            /* rows */
	BUFFER = 1 << 16,       /* bytes of a figure's compressed data */
};

static void picture_died(png_structp png, png_const_charp why)
{
	struct picture *p = png_get_error_ptr(png);

	p->failed = why;
	png_longjmp(png, 1);
}

static void picture_warned(png_structp png, png_const_charp why)
{
	(void)png;
	(void)why;
}

static void picture_bytes(png_structp png, png_bytep bytes, size_t n)
{
	const struct picture *p = png_get_io_ptr(png);

	p->send(p->to, bytes, n);
}

/* The default function would call fflush(p). */
static void picture_flush(png_structp png)
{
	(void)png;
}

static void set_palette(struct picture *p)
{
	png_color palette[256];

	for (int i = 0; i < p->colors; i++)
		palette[i] = (png_color){ p->palette[i].red,
					  p->palette[i].green,
					  p->palette[i].blue };
	png_set_PLTE(p->png, p->info, palette, p->colors);
}

/*
 * Rows of a tall table resemble the row above, so the up filter pays, and a
 * higher level does not. If most rows repeat, zlib's default strategy (0) is
 * best: the one for filtered rows finds no long matches.
 */
static void set_effort(struct picture *p)
{
	const bool up = p->repeats || (!p->level && p->h > TALL);

	png_set_filter(p->png, PNG_FILTER_TYPE_BASE,
		       up ? PNG_FILTER_UP : PNG_FILTER_NONE);
	png_set_compression_level(p->png, p->level ? p->level : up ? 2 : 3);
	if (p->level)
		png_set_compression_buffer_size(p->png, BUFFER);
	if (p->repeats)
		png_set_compression_strategy(p->png, 0);
}

/* Store a text of that name, if there is one. */
static void set_text(struct picture *p, char *name, const char *value)
{
	png_text text = {
		.compression = PNG_TEXT_COMPRESSION_NONE, .key = name,
	};

	if (!value || !value[0])
		return;
	text.text = (png_charp)(size_t)value;  /* libpng copies it */
	png_set_text(p->png, p->info, &text, 1);
}

/*
 * On failure libpng jumps to write_head() or picture_row(), which own nothing.
 */
static bool write_head(struct picture *p)
{
	const png_uint_32 dots = (png_uint_32)p->dots;

	if (setjmp(png_jmpbuf((png_structp)p->png)))
		return false;
	png_set_write_fn(p->png, p, picture_bytes, picture_flush);
	png_set_IHDR(p->png, p->info, (png_uint_32)p->w, (png_uint_32)p->h, 8,
		     PNG_COLOR_TYPE_PALETTE, PNG_INTERLACE_NONE,
		     PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
	set_effort(p);
	set_palette(p);
	png_set_check_for_invalid_index(p->png, 0);  /* levels are in range */
	if (dots)
		png_set_pHYs(p->png, p->info, dots, dots, PNG_RESOLUTION_METER);
	set_text(p, (char []){ "posenc" }, p->command);
	set_text(p, (char []){ "posenc fonts" }, p->fonts);
	png_write_info(p->png, p->info);
	return true;
}

bool picture_begin(struct picture *p)
{
	p->png = png_create_write_struct(PNG_LIBPNG_VER_STRING, p,
					 picture_died, picture_warned);
	if (p->png)
		p->info = png_create_info_struct(p->png);
	if (p->info)
		return write_head(p);
	p->failed = "out of memory";
	return false;
}

bool picture_row(struct picture *p, const unsigned char *row)
{
	if (setjmp(png_jmpbuf((png_structp)p->png)))
		return false;
	png_write_row(p->png, row);
	if (++p->done == p->h)
		png_write_end(p->png, p->info);
	return true;
}

void picture_chunk(struct picture *p, const char *name,
		   const unsigned char *head, const unsigned char *bytes,
		   size_t n)
{
	const size_t before = head ? 4 : 0;

	if (NEVER(setjmp(png_jmpbuf((png_structp)p->png))))
		return;  /* it allocates nothing */
	png_write_chunk_start(p->png, (png_const_bytep)name,
			      (png_uint_32)(before + n));
	png_write_chunk_data(p->png, head, before);
	png_write_chunk_data(p->png, bytes, n);
	png_write_chunk_end(p->png);
}

void picture_close(struct picture *p)
{
	png_structp png = p->png;
	png_infop info = p->info;

	png_destroy_write_struct(&png, &info);
}

const char *picture_version(void)
{
	return png_get_libpng_ver(NULL);
}
