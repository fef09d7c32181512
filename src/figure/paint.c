/* paint.c: which colours the numbers of a figure take. */
#include <math.h>
#include <string.h>

#include "figure/paint.h"

enum { STEPS_MOST = 64 };  /* that a legend has room for */

/* The range that the table, its numbers or --range ask for. */
static void choose_range(struct paint *p, const struct look *look,
			 const struct sample *s, struct error *err)
{
	struct colormap *m = &p->map;
	double a = 0, b = 0;
	const enum span span = look_span(look, &a, &b);
	const bool known = s->t->bounds == BOUNDS_TIGHT &&
			   isfinite(s->t->hi - s->t->lo);

	m->lo = s->t->lo;
	m->hi = s->t->hi;
	if (span == SPAN_GIVEN) {
		m->lo = a;
		m->hi = b;
	} else if (span == SPAN_AUTO || !known) {
		sample_range(s, &m->lo, &m->hi, err);
	}
	p->empty = m->lo > m->hi;
	if (p->empty)
		m->lo = m->hi = 0;
	p->steps = span == SPAN_TABLE && m->hi - m->lo < STEPS_MOST &&
		   (dtype_integer(s->t->dtype) ||
		    (s->t->masked && m->hi - m->lo <= 0));
	if (!p->steps)
		look_widen(&m->lo, &m->hi);
	if (span == SPAN_SYM || (span == SPAN_TABLE && !p->steps &&
				 m->lo < 0 && m->hi > 0)) {
		m->hi = fmax(-m->lo, m->hi);
		m->lo = -m->hi;
	}
}

static const char *choose_map(const struct paint *p, const struct look *look,
			      enum halves halves)
{
	const struct colormap *m = &p->map;

	if (look->cmap)
		return look->cmap;
	if ((m->lo < 0 && m->hi > 0) || (p->steps && halves == HALVES_MIRRORED))
		return look->theme == DARK ? "berlin" : "vik";
	return p->steps && m->hi - m->lo < 2 ? "blues" : "viridis";
}

/* The colour of x where each half of lo to hi has a ramp of its own. */
static struct color two_ramps(const struct colormap *m, double x)
{
	const double half = (m->hi - m->lo + 1) / 2;
	const double i = x - m->lo;

	return i < half ? colormap_color("blues", 0.15 + 0.8 * i / half)
			: colormap_color("viridis", 2 - i / half);
}

/* The colour of x where it is as far from the middle as its sign lets it. */
static struct color diverging(const struct colormap *m, double middle, double x)
{
	const double most = fmax(middle - m->lo, m->hi - middle);

	return colormap_color(m->name, 0.5 + (most > 0 ? (x - middle) / most / 2
						       : 0));
}

static struct color color_of(const struct paint *p, const struct look *look,
			     enum halves halves, double x)
{
	const struct colormap *m = &p->map;
	const double span = 0.5 * m->hi - 0.5 * m->lo;

	if (p->steps && halves == HALVES_REPEATED && !look->cmap)
		return two_ramps(m, x);
	if (colormap_diverges(m->name) && p->steps &&
	    halves == HALVES_MIRRORED)
		return diverging(m, m->lo + span, x);
	if (colormap_diverges(m->name) && m->lo < 0 && m->hi > 0)
		return diverging(m, 0, x);
	if (p->steps && !look->cmap && span < 1)
		return colormap_color(m->name, 0.15 + 0.65 *
				      (span > 0 ? x - m->lo : 1));
	return colormap_color(m->name, span > 0 ? (0.5 * x - 0.5 * m->lo) / span
						: 0.5);
}

void paint_choose(struct paint *p, struct figure *f, const struct look *look,
		  const struct sample *s, int levels)
{
	struct colormap *m = &p->map;
	enum halves halves = s->t->halves;

	*p = (struct paint){ .map.masked = s->t->masked };
	choose_range(p, look, s, &f->err);
	m->levels = p->steps ? (int)(m->hi - m->lo) + 1 : levels;
	m->name = choose_map(p, look, halves);
	colormap_palette(m, f->palette);
	f->levels = m->levels;
	for (int i = 0; i < m->levels; i++) {
		const double part = m->levels > 1 ? i / (m->levels - 1.0) : 0;

		f->palette[i] = color_of(p, look, halves, m->lo * (1 - part) +
					 m->hi * part);
	}
}
