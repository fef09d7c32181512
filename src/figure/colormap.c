/* colormap.c: numbers to colours. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "figure/colormap.h"
#include "figure/maps.h"

static const struct color no_number = { 255, 0, 255 };  /* in no map */
static const struct color hidden = { 214, 214, 214 };

struct colormap colormap_for(double lo, double hi)
{
	const double most = fmax(-lo, hi);

	if (lo < 0 && hi > 0)
		return (struct colormap){ "rdbu", -most, most, LEVELS_MOST,
					  false };
	return (struct colormap){ "viridis", lo, hi, LEVELS_MOST, false };
}

static unsigned char between(int a, int b, double part)
{
	return (unsigned char)floor(a + (b - a) * part + 0.5);
}

/* Of a map at i of n steps, the last of which is its end. */
static struct color color_at(const struct map *m, double i, double n)
{
	const double x = n > 0 ? i * (m->n - 1) / n : 0;
	const int left = x < m->n - 1 ? (int)x : m->n - 2;
	const struct color *p = &m->at[left], *q = p + 1;

	return (struct color){
		between(p->red, q->red, x - left),
		between(p->green, q->green, x - left),
		between(p->blue, q->blue, x - left),
	};
}

static const struct map *map_of(const char *name)
{
	const struct map *m = maps;

	while (strcmp(m->name, name) != 0)
		m++;
	return m;
}

struct color colormap_color(const char *name, double x)
{
	return color_at(map_of(name), fmin(fmax(x, 0), 1), 1);
}

bool colormap_diverges(const char *name)
{
	return map_of(name)->diverging;
}

void colormap_palette(const struct colormap *m, struct color *palette)
{
	const struct map *map = map_of(m->name);

	for (int i = 0; i < m->levels; i++)
		palette[i] = color_at(map, i, m->levels - 1);
	palette[m->levels] = m->masked ? hidden : no_number;
}

/* What turns numbers into levels: x * scale + shift, rounded down. */
struct steps {
	double scale, shift;
	double end, none;    /* past the last level; that of no number */
	double hidden;       /* no more than that is hidden; NaN: nothing */
};

static struct steps steps_of(const struct colormap *m)
{
	/* Halves, so that the span of all doubles does not overflow. */
	const double span = 0.5 * m->hi - 0.5 * m->lo;
	struct steps s = { 0, 0.5 * m->levels, m->levels - 0.5,
			   m->levels, m->masked ? -HUGE_VAL : (double)NAN };

	if (span > 0) {
		s.scale = fmin(0.5 * (m->levels - 1) / span, DBL_MAX);
		s.shift = 0.5 - m->lo * s.scale;
	}
	return s;
}

static unsigned char level(const struct steps *s, double x)
{
	double step = x * s->scale + s->shift;

	step = step > 0 ? step : 0;
	step = step < s->end ? step : s->end;
	return (unsigned char)(int)(isnan(x) || x <= s->hidden ? s->none
							       : step);
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
