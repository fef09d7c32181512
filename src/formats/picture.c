/* picture.c: writes a PNG image with a palette, by libpng and deflate.h. */
#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "table/blocks.h"
#include "table/never.h"
#include "formats/picture.h"

enum {
	TALL = 1024,            /* rows */
	BAND = 1 << 17,         /* bytes that one thread compresses, and */
	BANDS = 32,             /* as many are kept until they are compressed */
	WORK = 80, WORK_ISAL = 10,  /* times that of copying a byte */
	HEAD = 8,               /* in front of a band: its checksum and size */
	NEAR = 1 << 13,         /* bytes before a band, where fast is enough */
};

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

/*
 * Rows of a tall table resemble the row above, so the up filter pays, and a
 * higher level does not.
 */
static bool is_up(const struct picture *p)
{
	return p->repeats || (!p->level && p->h > TALL);
}

static int level_of(const struct picture *p)
{
	return p->level ? p->level : is_up(p) ? 2 : 3;
}

bool picture_begin(struct picture *p)
{
	p->png = png_create_write_struct_2(PNG_LIBPNG_VER_STRING, p,
					   picture_died, picture_warned, p,
					   picture_alloc, picture_free);
	if (p->png)
		p->info = png_create_info_struct(p->png);
	p->adler = 1;
	p->parts.level = level_of(p);
	p->parts.filtered = is_up(p) && !p->repeats;
	if (p->info && deflate_parts_begin(&p->parts))
		return write_head(p);
	p->failed = "out of memory";
	return false;
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

/* Rows of a picture that are compressed in bands. */
struct bands {
	struct picture *p;
	const unsigned char *rows;   /* [n, w] */
	size_t n;
};

static size_t band_rows(const struct picture *p)
{
	return BAND / (p->w + 1) + 1;
}

/* How many rows before a band repetitions are found in. */
static size_t rows_before(const struct picture *p)
{
	const size_t bytes = p->parts.level > DEFLATE_FAST ? DEFLATE_WINDOW
							   : NEAR;

	return bytes / (p->w + 1) + 1;
}

/* Row i with its filter, to to [1 + w]. */
static void filter_row(const struct bands *b, size_t i, unsigned char *to)
{
	const size_t w = b->p->w;
	const unsigned char *row = b->rows + i * w;
	const unsigned char *above = b->rows + (i ? i - 1 : 0) * w;
	const bool up = i && is_up(b->p);

	*to++ = up ? PNG_FILTER_VALUE_UP : PNG_FILTER_VALUE_NONE;
	if (up)
		for (size_t j = 0; j < w; j++)
			to[j] = (unsigned char)(row[j] - above[j]);
	else
		memcpy(to, row, w);
}

static void put32(unsigned char *to, unsigned long x)
{
	for (int i = 0; i < 4; i++)
		to[i] = (unsigned char)(x >> (24 - 8 * i));
}

static unsigned long get32(const unsigned char *from)
{
	return (unsigned long)from[0] << 24 | (unsigned long)from[1] << 16 |
	       (unsigned long)from[2] << 8 | from[3];
}

/*
 * Rows first to first + n - 1, compressed, behind a head of HEAD bytes: the
 * checksum and the number of the filtered bytes.
 */
static size_t make_band(const void *self, size_t first, size_t n,
			void *scratch, unsigned char *to)
{
	const struct bands *b = self;
	const struct picture *p = b->p;
	const size_t most = rows_before(p), wide = p->w + 1;
	const size_t before = first < most ? first : most;
	unsigned char *rows = (unsigned char *)scratch + DEFLATE_MEMORY;
	unsigned long adler = 1;

	deflate_part_begin(&p->parts, scratch, to + HEAD, n * wide);
	for (size_t i = 0; i < before; i++)
		filter_row(b, first - before + i, rows + i * wide);
	deflate_part_before(&p->parts, scratch, rows, before * wide);
	for (size_t i = first; i < first + n; i++) {
		filter_row(b, i, rows);
		deflate_part_bytes(&p->parts, scratch, rows, wide);
		adler = adler_add(adler, rows, wide);
	}
	put32(to, adler);
	put32(to + 4, n * wide);
	return HEAD + deflate_part_end(&p->parts, scratch,
				       p->done == p->h && first + n == b->n);
}

/* What is in a chunk: the start of a stream of zlib's, a band, the end. */
struct data {
	const unsigned char *bytes;
	size_t n;
};

static void send_data(struct picture *p, const struct data parts[3])
{
	const size_t n = parts[0].n + parts[1].n + parts[2].n;

	if (NEVER(setjmp(png_jmpbuf((png_structp)p->png))))
		return;  /* it allocates nothing */
	png_write_chunk_start(p->png, (png_const_bytep)"IDAT",
			      (png_uint_32)n);
	for (int i = 0; i < 3; i++)
		png_write_chunk_data(p->png, parts[i].bytes, parts[i].n);
	png_write_chunk_end(p->png);
}

static bool take_band(void *taker, const unsigned char *bytes, size_t n)
{
	static const unsigned char begin[] = { 0x78, 0x01 };
	struct picture *p = ((struct bands *)taker)->p;
	const size_t size = get32(bytes + 4), rows = size / (p->w + 1);
	const bool first = !p->written, last = p->written + rows == p->h;
	unsigned char end[4];

	if (NEVER(n == HEAD)) {
		p->failed = "out of memory";
		return false;
	}
	p->written += rows;
	p->adler = adler_join(p->adler, get32(bytes), size);
	put32(end, p->adler);
	send_data(p, (struct data []){
		{ begin, first ? sizeof begin : 0 },
		{ bytes + HEAD, n - HEAD },
		{ end, last ? sizeof end : 0 },
	});
	return true;
}

/* Compress rows [n, w] and write them; after the last, the end of the file. */
static bool send_rows(struct picture *p, const unsigned char *rows, size_t n)
{
	struct bands all = { p, rows, n };
	const size_t most = band_rows(p), bytes = most * (p->w + 1);
	const struct blocks b = {
		.end = n, .rows = most < n ? most : n,
		.bytes = HEAD + deflate_room(bytes),
		.scratch = DEFLATE_MEMORY + rows_before(p) * (p->w + 1),
		.work = bytes * (p->parts.isal.deflate ? WORK_ISAL : WORK),
		.make = make_band, .self = &all,
		.take = take_band, .taker = &all,
	};
	struct error err = { 0 };

	if (!blocks_run(&b, p->threads, &err)) {
		p->failed = "out of memory";
		return false;
	}
	if (p->written == p->h)
		picture_chunk(p, "IEND", NULL, NULL, 0);
	return true;
}

/* Memory for rows that wait: so many bands, if not all. */
static bool keep_rows(struct picture *p)
{
	const size_t most = BANDS * band_rows(p);

	p->kept_most = most < p->h ? most : p->h;
	p->kept = malloc(p->kept_most * p->w);
	if (!p->kept)
		p->failed = "out of memory";
	return p->kept;
}

/* Keep rows until there are enough of them. */
static bool add_row(struct picture *p, const unsigned char *row)
{
	const size_t n = p->kept_n + 1;

	memcpy(p->kept + p->kept_n * p->w, row, p->w);
	p->done++;
	p->kept_n = n < p->kept_most && p->done < p->h ? n : 0;
	return p->kept_n || send_rows(p, p->kept, n);
}

bool picture_rows(struct picture *p, const unsigned char *rows, size_t n)
{
	bool good = true;

	if (n == p->h) {
		p->done = n;
		return send_rows(p, rows, n);
	}
	if (!p->kept && !keep_rows(p))
		return false;
	for (size_t i = 0; good && i < n; i++)
		good = add_row(p, rows + i * p->w);
	return good;
}

void picture_close(struct picture *p)
{
	png_structp png = p->png;
	png_infop info = p->info;

	free(p->kept);
	png_destroy_write_struct(&png, &info);
}

const char *picture_version(void)
{
	return png_get_libpng_ver(NULL);
}
