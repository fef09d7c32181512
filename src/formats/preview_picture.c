/* preview_picture.c: a heat map of half blocks, on a terminal. */
#include <math.h>

#include "figure/colormap.h"
#include "formats/preview.h"

enum { LEGEND = 2 };    /* lines below the picture */

/* Cells that are shown of a table; a plane after another, as rows. */
struct mosaic {
	const struct table *t;
	const struct terminal *on;
	struct out *o;
	size_t high, wide;      /* cells shown */
	bool pairs;             /* columns are picked two by two */
	struct color palette[LEVELS_MOST + 1];
	unsigned char *levels;  /* [high, wide] */
	struct table memory;    /* owns them */
};

/*
 * The column shown at j. Where there are too many they are picked by the
 * pair: sines and cosines take turns, and every second would be one kind.
 */
static size_t column_of(const struct mosaic *p, size_t j)
{
	const size_t cols = p->t->cols;

	if (!p->pairs)
		return j * cols / p->wide;
	return j / 2 * (cols / 2) / (p->wide / 2) * 2 + j % 2;
}

static size_t row_of(const struct mosaic *p, size_t i)
{
	return p->t->begin + i * (p->t->end - p->t->begin) / p->high;
}

static bool fill(struct mosaic *p, struct error *err)
{
	const size_t cols = p->t->cols;
	double *scratch = table_alloc(&p->memory, cols + p->wide,
				      sizeof *scratch, err);
	double lo, hi, *x;
	struct colormap map;

	p->levels = table_alloc(&p->memory, p->high, p->wide, err);
	if (err->text[0] || !table_range(p->t, &lo, &hi, err))
		return false;
	x = scratch + cols;
	map = colormap_for(lo, hi);
	map.masked = p->t->masked;
	colormap_palette(&map, p->palette);
	for (size_t i = 0; i < p->high; i++) {
		const double *row = p->t->row(p->t, row_of(p, i), scratch);

		for (size_t j = 0; j < p->wide; j++)
			x[j] = row[column_of(p, j)];
		colormap_doubles(&map, x, p->wide, p->levels + i * p->wide);
	}
	return true;
}

/* The nearest of the 6 x 6 x 6 colours that every terminal has. */
static int cube(struct color c)
{
	return 16 + 36 * ((c.red * 5 + 127) / 255) +
	       6 * ((c.green * 5 + 127) / 255) + (c.blue * 5 + 127) / 255;
}

void preview_colour(const struct terminal *on, enum ground ground,
		    struct color c, struct out *o)
{
	if (on->colours == COLOURS_ALL)
		out_format(o, "\033[%d;2;%d;%d;%dm", (int)ground, c.red,
			   c.green, c.blue);
	else
		out_format(o, "\033[%d;5;%dm", (int)ground, cube(c));
}

static void set_level(const struct mosaic *p, enum ground ground,
		      unsigned char level)
{
	preview_colour(p->on, ground, p->palette[level], p->o);
}

/* Two rows of cells: the upper in the foreground, the lower behind it. */
static void send_blocks(const struct mosaic *p, size_t i)
{
	const unsigned char *upper = p->levels + i * p->wide;
	const bool last = i + 1 == p->high;

	for (size_t j = 0; j < p->wide; j++) {
		if (!j || upper[j] != upper[j - 1])
			set_level(p, FOREGROUND, upper[j]);
		if (!last && (!j || upper[p->wide + j] !=
			      upper[p->wide + j - 1]))
			set_level(p, BACKGROUND, upper[p->wide + j]);
		out_text(p->o, "\u2580");
	}
	out_text(p->o, "\033[0m\n");
}

static void send_shades(const struct mosaic *p, size_t i)
{
	static const char shades[] = " .:-=+*#%@";
	const unsigned char *upper = p->levels + i * p->wide;

	for (size_t j = 0; j < p->wide; j++)
		out_bytes(p->o, upper[j] == LEVELS_MOST ? "?" :
			  &shades[upper[j] * 10 / LEVELS_MOST], 1);
	out_text(p->o, "\n");
}

static void send_legend(const struct mosaic *p)
{
	const size_t rows = p->t->end - p->t->begin;

	out_format(p->o, "%zu x %zu", rows, p->t->cols);
	if (p->high < rows || p->wide < p->t->cols)
		out_format(p->o, ", of which %zu row%s and %zu column%s%s",
			   p->high, p->high == 1 ? "" : "s", p->wide,
			   p->wide == 1 ? "" : "s",
			   p->pairs ? " in pairs" : "");
	out_text(p->o, "\n");
}

void preview_picture(const struct table *t, const struct terminal *on,
		     struct out *o)
{
	const size_t rows = t->end - t->begin;
	const size_t most = 2 * (size_t)(on->high > 8 ? on->high - LEGEND : 6);
	const size_t wide = (size_t)(on->wide > 8 ? on->wide : 8);
	struct mosaic p = {
		.t = t, .on = on, .o = o,
		.high = rows < most ? rows : most,
		.wide = t->cols < wide ? t->cols : wide,
		.pairs = t->cols > wide,
	};

	p.wide -= p.pairs && p.wide % 2;
	if (fill(&p, &o->err)) {
		for (size_t i = 0; i < p.high; i += 2)
			(on->colours ? send_blocks : send_shades)(&p, i);
		send_legend(&p);
	}
	table_close(&p.memory);
}
