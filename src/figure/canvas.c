/* canvas.c: a figure as pixels. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "figure/canvas.h"
#include "figure/fill.h"

enum {
	SHADES = 16,   /* steps from a colour to the one drawn over it */
	INKS = INK_END - INK,
	AREA = 255 * FAINT / (SHADES - 1),  /* coverage of areas */
};

static int squared_distance(struct color a, struct color b)
{
	const int red = a.red - b.red, green = a.green - b.green,
		  blue = a.blue - b.blue;

	return red * red + green * green + blue * blue;
}

/* How far index i is from a colour so opaque. */
static int difference(const struct canvas *c, int i, struct color color,
		      unsigned char alpha)
{
	const int by = c->alpha[i] - alpha;

	return squared_distance(c->palette[i], color) + by * by;
}

/* The index of a colour, which is added to the palette if there is room. */
static unsigned char index_of(struct canvas *c, struct color color,
			      unsigned char alpha)
{
	int best = 0;

	for (int i = 1; i < c->colors; i++)
		if (difference(c, i, color, alpha) <
		    difference(c, best, color, alpha))
			best = i;
	if (difference(c, best, color, alpha) && c->colors < 256) {
		best = c->colors++;
		c->palette[best] = color;
		c->alpha[best] = alpha;
	}
	return (unsigned char)best;
}

static unsigned char part(int from, int to, int shade)
{
	return (unsigned char)(from + ((to - from) * shade * 2 + SHADES - 1) /
				      (2 * (SHADES - 1)));
}

/*
 * A share of b over a, in SHADES, where a is not opaque: the more b hides of
 * what can be seen, the more its colour counts.
 */
static unsigned char mix(struct canvas *c, int a, int b, int shade)
{
	const struct color from = c->palette[a], to = c->palette[b];
	const unsigned char alpha = part(c->alpha[a], 255, shade);
	const int count = (shade * 255 + alpha / 2) / alpha;

	return index_of(c, (struct color){
		part(from.red, to.red, count),
		part(from.green, to.green, count),
		part(from.blue, to.blue, count),
	}, alpha);
}

/*
 * The index of ink, counted from INK, over the colour under, blended by its
 * coverage. Blends with a level of the palette, which is below 0, are not kept.
 */
static unsigned char blend(struct canvas *c, unsigned char under, int ink,
			   int covered)
{
	const int shade = (covered * (SHADES - 1) + 127) / 255;
	unsigned char none = 0, *known = ink < 0 ? &none : c->blends +
			       (size_t)((under * INKS + ink) * SHADES + shade);
	const int over = ink < 0 ? ink + INK : c->base + ink;

	if (!shade)
		return under;
	if (shade == SHADES - 1)
		return (unsigned char)over;
	if (!*known)
		*known = mix(c, under, over, shade);
	return *known;
}

/* The target of text. */
struct brush {
	struct canvas *c;
	int ink;
};

static void put_text(void *to, int x, int y, const unsigned char *covered,
		     int n)
{
	const struct brush *b = to;
	unsigned char *row;

	if (y < 0 || y >= b->c->h)  /* marks of tall fonts */
		return;
	row = b->c->pixels + (size_t)y * (size_t)b->c->w;
	for (int i = 0; i < n; i++) {
		/* A glyph may extend to the left of its origin. */
		if ((unsigned)(x + i) >= (unsigned)b->c->w)
			continue;
		row[x + i] = blend(b->c, row[x + i], b->ink, covered[i]);
	}
}

static void draw_text(struct canvas *c, const struct figure *f,
		      const struct item *item)
{
	struct text text = { item->text, item->size, item->x, item->y,
			     item->upward };
	const double before = font_width(f->font, item->size, item->text) *
			      (int)item->anchor / 2;
	struct brush brush = { c, item->ink - INK };

	text.x -= item->upward ? 0 : before;
	text.y += item->upward ? before : 0;
	font_draw(f->font, &text, put_text, &brush);
}

/* Of a page that is not drawn, a part may be, below text. */
static void draw_rect(struct canvas *c, const struct item *item)
{
	const int ink = item->ink < INK ? item->ink
					: c->base + item->ink - INK;
	const int color = c->alpha[ink] ? ink
					: index_of(c, c->palette[ink], 255);

	for (int y = item->y; y < item->y + item->h; y++)
		memset(c->pixels + (size_t)y * (size_t)c->w + item->x, color,
		       (size_t)item->w);
}

/* A row of levels, each repeated w times. */
static void widen(unsigned char *to, const unsigned char *levels, size_t n,
		  size_t w)
{
	if (w == 2)  /* the default, which compilers vectorize */
		for (size_t j = 0; j < n; j++)
			to[2 * j] = to[2 * j + 1] = levels[j];
	else
		for (size_t j = 0; j < n; j++)
			memset(to + j * w, levels[j], w);
}

static void draw_image(struct canvas *c, const struct item *item)
{
	const size_t stride = (size_t)c->w, w = (size_t)item->w;
	unsigned char *to = c->pixels + (size_t)item->y * stride + item->x;
	const unsigned char *from = item->levels;

	for (size_t i = 0; i < item->rows; i++, from += item->cols) {
		unsigned char *first = to;

		widen(first, from, item->cols, w);
		to += stride;
		for (int k = 1; k < item->h; k++, to += stride)
			memcpy(to, first, w * item->cols);
	}
}

/* The distance of p from the line from a to b. */
static double distance(struct point p, struct point a, struct point b)
{
	const double dx = b.x - a.x, dy = b.y - a.y;
	const double length = dx * dx + dy * dy;
	double along = (p.x - a.x) * dx + (p.y - a.y) * dy;

	along = length > 0 ? fmin(fmax(along / length, 0), 1) : 0;
	return sqrt((p.x - a.x - along * dx) * (p.x - a.x - along * dx) +
		    (p.y - a.y - along * dy) * (p.y - a.y - along * dy));
}

static int within(double x, int most)
{
	return x > 0 ? x < most ? (int)x : most : 0;
}

/* Add the coverage of the line from a to b, with round ends and joints. */
static void cover(struct canvas *c, struct point a, struct point b,
		  double width)
{
	const double reach = width / 2 + 1;
	const int left = within(fmin(a.x, b.x) - reach, c->w);
	const int right = within(fmax(a.x, b.x) + reach + 1, c->w);
	const int top = within(fmin(a.y, b.y) - reach, c->h);
	const int bottom = within(fmax(a.y, b.y) + reach + 1, c->h);

	for (int y = top; y < bottom; y++)
		for (int x = left; x < right; x++) {
			const struct point p = { x + 0.5, y + 0.5 };
			const double part = width / 2 + 0.5 -
					    distance(p, a, b);
			unsigned char *at = c->covered +
					    (size_t)y * (size_t)c->w + x;
			const int covered = within(part * 255 + 0.5, 255);

			if (covered > *at)
				*at = (unsigned char)covered;
		}
}

static struct point along(struct point a, struct point b, double part)
{
	return (struct point){ a.x + (b.x - a.x) * part,
			       a.y + (b.y - a.y) * part };
}

/* The dashes of the line from a to b; *at is the length drawn so far. */
static void cover_dashes(struct canvas *c, struct point a, struct point b,
			 const struct item *item, double *at)
{
	const double dash = item->dash, begin = *at;
	const double length = distance(a, b, b), end = begin + length;

	for (double k = floor(begin / dash); k * dash < end; k++) {
		const double from = fmax(k * dash, begin) - begin;
		const double to = fmin((k + 1) * dash, end) - begin;

		if (fmod(k, 2) < 1)
			cover(c, along(a, b, from / length),
			      along(a, b, to / length), item->width);
	}
	*at = end;
}

static void cover_lines(struct canvas *c, const struct item *item)
{
	double at = 0;

	for (size_t i = 1; i < item->n; i++)
		if (item->dash > 0)
			cover_dashes(c, item->points[i - 1], item->points[i],
				     item, &at);
		else
			cover(c, item->points[i - 1], item->points[i],
			      item->width);
}

/* The pixels that an item may cover, from left and top to before the others. */
struct extent {
	int left, right, top, bottom;
};

static struct extent extent_of(const struct canvas *c, const struct item *item)
{
	const double reach = item->width / 2 + 1;
	double left = c->w, right = 0, top = c->h, bottom = 0;

	for (size_t i = 0; i < item->n; i++) {
		left = fmin(left, item->points[i].x - reach);
		right = fmax(right, item->points[i].x + reach + 1);
		top = fmin(top, item->points[i].y - reach);
		bottom = fmax(bottom, item->points[i].y + reach + 1);
	}
	return (struct extent){ within(left, c->w), within(right, c->w),
				within(top, c->h), within(bottom, c->h) };
}

/* Blend what is covered, and forget it. */
static void blend_covered(struct canvas *c, const struct item *item)
{
	const struct extent e = extent_of(c, item);

	for (int y = e.top; y < e.bottom; y++) {
		const size_t row = (size_t)y * (size_t)c->w;

		for (size_t i = row + (size_t)e.left;
		     i < row + (size_t)e.right; i++) {
			if (!c->covered[i])
				continue;
			c->pixels[i] = blend(c, c->pixels[i], item->ink - INK,
					     c->covered[i]);
			c->covered[i] = 0;
		}
	}
}

/* Lines, or dots. */
static bool draw_path(struct canvas *c, const struct item *item)
{
	if (!c->covered &&
	    !(c->covered = calloc((size_t)c->w, (size_t)c->h)))
		return false;
	if (item->kind == ITEM_PATH)
		cover_lines(c, item);
	for (size_t i = 0; item->kind == ITEM_DOTS && i < item->n; i++)
		cover(c, item->points[i], item->points[i], item->width);
	blend_covered(c, item);
	return true;
}

static bool draw_area(struct canvas *c, const struct item *item)
{
	const struct extent e = extent_of(c, item);
	double *parts = calloc((size_t)c->w + 2, sizeof *parts);

	if (!parts)
		return false;
	for (int y = e.top; y < e.bottom; y++) {
		unsigned char *row = c->pixels + (size_t)y * (size_t)c->w;

		fill_row(item->points, item->n, y, parts, c->w);
		for (int x = e.left; x < e.right; x++)
			row[x] = blend(c, row[x], item->ink - INK,
				       (int)(parts[x] * AREA + 0.5));
	}
	free(parts);
	return true;
}

static bool begin(struct canvas *c, const struct figure *f)
{
	c->w = f->w;
	c->h = f->h;
	c->pixels = malloc((size_t)f->w * (size_t)f->h);
	c->blends = calloc((size_t)256 * INKS, SHADES);
	memcpy(c->palette, f->palette, sizeof f->palette);
	c->base = f->levels + MISSING_KINDS;
	memcpy(c->palette + c->base, figure_inks(f->theme),
	       INKS * sizeof *c->palette);
	c->colors = c->base + INKS;
	memset(c->alpha, 255, sizeof c->alpha);
	if (f->transparent)
		c->alpha[c->base] = 0;
	return c->pixels && c->blends;
}

/* Areas on the page have their colours, whatever mixtures take of the rest. */
static void keep_areas(struct canvas *c, const struct figure *f)
{
	for (const struct item *i = f->first; i; i = i->next)
		if (i->kind == ITEM_AREA)
			blend(c, (unsigned char)c->base, i->ink - INK, AREA);
}

bool canvas_draw(struct canvas *c, const struct figure *f, struct error *err)
{
	bool good = true;

	if (!c->pixels && !begin(c, f))
		return fail_memory(err);
	memset(c->pixels, c->base, (size_t)f->w * (size_t)f->h);
	keep_areas(c, f);
	for (const struct item *i = f->first; i && good; i = i->next)
		switch (i->kind) {
		case ITEM_RECT:
			draw_rect(c, i);
			break;
		case ITEM_TEXT:
			draw_text(c, f, i);
			break;
		case ITEM_IMAGE:
			draw_image(c, i);
			break;
		case ITEM_AREA:
			good = draw_area(c, i);
			break;
		case ITEM_PATH:
		case ITEM_DOTS:
		default:
			good = draw_path(c, i);
		}
	return good ? font_whole(f->font, err) : fail_memory(err);
}

void canvas_close(struct canvas *c)
{
	free(c->pixels);
	free(c->blends);
	free(c->covered);
}
