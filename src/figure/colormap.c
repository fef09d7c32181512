/* colormap.c: numbers to colours. */
#include <math.h>
#include <string.h>

#include "figure/colormap.h"

enum { ANCHORS = 17 };

/* Colours evenly apart, between which the map is straight. */
struct anchors {
	const char *name;
	int n;
	struct color at[ANCHORS];
};

static const struct anchors maps[] = {
	/* ColorBrewer's RdBu of 11 classes (Brewer and Harrower 2003) */
	{ "rdbu", 11, {
		{ 103, 0, 31 }, { 178, 24, 43 }, { 214, 96, 77 },
		{ 244, 165, 130 }, { 253, 219, 199 }, { 247, 247, 247 },
		{ 209, 229, 240 }, { 146, 197, 222 }, { 67, 147, 195 },
		{ 33, 102, 172 }, { 5, 48, 97 },
	} },
	/* viridis (Smith and van der Walt 2015), every 16th of its colours */
	{ "viridis", 17, {
		{ 68, 1, 84 }, { 72, 24, 106 }, { 71, 45, 123 },
		{ 66, 64, 134 }, { 59, 82, 139 }, { 51, 99, 141 },
		{ 44, 114, 142 }, { 38, 130, 142 }, { 33, 145, 140 },
		{ 31, 160, 136 }, { 40, 174, 128 }, { 63, 188, 115 },
		{ 94, 201, 98 }, { 132, 212, 75 }, { 173, 220, 48 },
		{ 216, 226, 25 }, { 253, 231, 37 },
	} },
};

struct colormap colormap_for(double lo, double hi)
{
	const double most = fmax(-lo, hi);

	if (lo < 0 && hi > 0)
		return (struct colormap){ "rdbu", -most, most };
	return (struct colormap){ "viridis", lo, hi };
}

static unsigned char between(int a, int b, double part)
{
	return (unsigned char)floor(a + (b - a) * part + 0.5);
}

void colormap_palette(const struct colormap *m,
		      struct color palette[COLORS + 1])
{
	const struct anchors *a = maps;

	while (strcmp(a->name, m->name) != 0)
		a++;
	for (int i = 0; i < COLORS; i++) {
		const double x = (double)i * (a->n - 1) / (COLORS - 1);
		const int left = x < a->n - 1 ? (int)x : a->n - 2;
		const struct color *p = &a->at[left], *q = p + 1;

		palette[i] = (struct color){
			between(p->red, q->red, x - left),
			between(p->green, q->green, x - left),
			between(p->blue, q->blue, x - left),
		};
	}
	palette[COLOR_NAN] = (struct color){ 255, 0, 255 };
}

/* What turns numbers into levels: x * scale + shift, rounded down. */
struct steps {
	double scale, shift;
};

static struct steps steps_of(const struct colormap *m)
{
	/* Halves, so that the span of all doubles does not overflow. */
	const double span = 0.5 * m->hi - 0.5 * m->lo;
	struct steps s = { 0, 0.5 * COLORS };

	if (span > 0) {
		s.scale = 0.5 * (COLORS - 1) / span;
		s.shift = 0.5 - m->lo * s.scale;
	}
	return s;
}

static unsigned char level(const struct steps *s, double x)
{
	double step = x * s->scale + s->shift;

	step = step > 0 ? step : 0;
	step = step < COLORS - 0.5 ? step : COLORS - 0.5;
	return isnan(x) ? COLOR_NAN : (unsigned char)(int)step;
}

void colormap_doubles(const struct colormap *m, const double *x, size_t n,
		      unsigned char *levels)
{
	const struct steps s = steps_of(m);

	for (size_t i = 0; i < n; i++)
		levels[i] = level(&s, x[i]);
}

void colormap_floats(const struct colormap *m, const float *x, size_t n,
		     unsigned char *levels)
{
	const struct steps s = steps_of(m);

	for (size_t i = 0; i < n; i++)
		levels[i] = level(&s, (double)x[i]);
}
