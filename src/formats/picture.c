/* picture.c: writes a PNG image with a palette, by libpng and zlib. */
#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "table/never.h"
#include "formats/picture.h"

static void picture_died(png_structp png, png_const_charp why)
{
	struct picture *p = png_get_error_ptr(png);

	if (NEVER(!p->failed))
		p->failed = why;  /* sizes and texts are within its limits */
	png_longjmp(png, 1);
}

static void picture_warned(png_structp png, png_const_charp why)
{
	(void)png;
	(void)why;
}

/* Where memory runs out, libpng speaks of "too many text chunks". */
static png_voidp picture_alloc(png_structp png, png_alloc_size_t n)
{
	struct picture *p = png_get_mem_ptr(png);
	void *bytes = malloc(n);

	if (!bytes)
		p->failed = "out of memory";
	return bytes;
}

static void picture_free(png_structp png, png_voidp bytes)
{
	(void)png;
	free(bytes);
}

static void picture_bytes(png_structp png, png_bytep bytes, size_t n)
{
	const struct picture *p = png_get_io_ptr(png);

	p->send(p->to, bytes, n);
}

static void set_palette(struct picture *p)
{
	png_color palette[256];

	for (int i = 0; i < p->colors; i++)
		palette[i] = (png_color){ p->palette[i].red,
					  p->palette[i].green,
					  p->palette[i].blue };
	png_set_PLTE(p->png, p->info, palette, p->colors);
	if (p->alpha)
		png_set_tRNS(p->png, p->info, p->alpha, p->colors, NULL);
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

/* On failure libpng jumps to write_head(), which owns nothing. */
static bool write_head(struct picture *p)
{
	const png_uint_32 dots = (png_uint_32)p->dots;

	if (setjmp(png_jmpbuf((png_structp)p->png)))
		return false;
	png_set_write_fn(p->png, p, picture_bytes, NULL);  /* no flush */
	png_set_IHDR(p->png, p->info, (png_uint_32)p->w, (png_uint_32)p->h, 8,
		     PNG_COLOR_TYPE_PALETTE, PNG_INTERLACE_NONE,
		     PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
	set_palette(p);
	if (dots)
		png_set_pHYs(p->png, p->info, dots, dots, PNG_RESOLUTION_METER);
	set_text(p, (char []){ "posenc" }, p->command);
	set_text(p, (char []){ "posenc fonts" }, p->fonts);
	png_write_info(p->png, p->info);
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

static void send_rows(void *to, const void *bytes, size_t n)
{
	struct picture *p = to;

	if (p->only_rows)
		p->send(p->to, bytes, n);
	else if (n)
		picture_chunk(p, "IDAT", NULL, bytes, n);
}

/* What libpng does: all but the rows. */
static bool begin_file(struct picture *p)
{
	p->png = png_create_write_struct_2(PNG_LIBPNG_VER_STRING, p,
					   picture_died, picture_warned, p,
					   picture_alloc, picture_free);
	if (p->png)
		p->info = png_create_info_struct(p->png);
	return p->info && write_head(p);
}

bool picture_begin(struct picture *p)
{
	/* Of differences, runs are found faster, and are no larger */
	p->deflate = (struct deflate){ .level = p->level ? p->level : 1,
				       .runs = p->up && !p->level,
				       .send = send_rows, .to = p };
	p->line = malloc(1 + 2 * p->w);
	if ((p->only_rows || begin_file(p)) && p->line &&
	    deflate_begin(&p->deflate))
		return true;
	if (!p->failed)
		p->failed = "out of memory";
	return false;
}

/* Row 0 has no row above. */
static void add_row(struct picture *p, const unsigned char *row)
{
	unsigned char *to = p->line + 1, *above = to + p->w;
	const bool up = p->up && p->done;

	p->line[0] = up ? PNG_FILTER_VALUE_UP : PNG_FILTER_VALUE_NONE;
	for (size_t j = 0; j < p->w; j++)
		to[j] = (unsigned char)(row[j] - (up ? above[j] : 0));
	memcpy(above, row, p->w);
	deflate_bytes(&p->deflate, p->line, 1 + p->w);
	p->done++;
}

bool picture_rows(struct picture *p, const unsigned char *rows, size_t n)
{
	for (size_t i = 0; i < n; i++)
		add_row(p, rows + i * p->w);
	if (p->done < p->h)
		return true;
	deflate_end(&p->deflate);
	if (!p->only_rows)
		picture_chunk(p, "IEND", NULL, NULL, 0);
	return true;
}

void picture_close(struct picture *p)
{
	png_structp png = p->png;
	png_infop info = p->info;

	deflate_drop(&p->deflate);
	free(p->line);
	png_destroy_write_struct(&png, &info);
}

void picture_number(unsigned char to[4], size_t x)
{
	png_save_uint_32(to, (png_uint_32)x);
}

const char *picture_version(void)
{
	return png_get_libpng_ver(NULL);
}
