/*
 * color_scale.c: the map and the range of a figure's colours, and the colour of
 * each level.
 */
#include <math.h>

#include "figure/layout.h"

enum { STEPS_MOST = 64 };  /* of a legend */

/* The range of --range, or of the table's bounds, or of its values. */
static void choose_range(struct color_scale *c, const struct look *look,
			 struct sample *s, struct figure *f)
{
	struct colormap *m = &c->map;
	double a = 0, b = 0;
	const enum span span = look_span(look, &a, &b);
	const bool known = s->t->bounds == BOUNDS_TIGHT &&
			   isfinite(s->t->hi - s->t->lo);

	m->lo = s->t->lo;
	m->hi = s->t->hi;
	if (span == SPAN_GIVEN) {
		m->lo = a;
		m->hi = b;
	} else if (span == SPAN_AUTO || span == SPAN_EACH || !known) {
		/* Panels by themselves have ranges by themselves */
		if (span == SPAN_EACH || sample_keep(s, &f->memory, &f->err))
			sample_range(s, &m->lo, &m->hi, &f->err);
	}
	c->empty = m->lo > m->hi;
	if (c->empty)
		m->lo = m->hi = 0;
	c->steps = !c->empty && span == SPAN_TABLE &&
		   m->hi - m->lo < STEPS_MOST &&
		   (dtype_integer(s->t->dtype) || m->hi - m->lo <= 0);
	if (!c->steps)
		look_widen(&m->lo, &m->hi);
	c->each = span == SPAN_EACH && s->planes > 1;
	if (span == SPAN_SYM || ((span == SPAN_TABLE || span == SPAN_EACH) &&
				 !c->steps && m->lo < 0 && m->hi > 0))
		look_center(&m->lo, &m->hi);
}

static const char *choose_map(const struct color_scale *c,
			      const struct look *look, enum halves halves)
{
	const struct colormap *m = &c->map;

	if (look->cmap)
		return look->cmap;
	if (c->steps && halves == HALVES_MIRRORED)
		return colormap_default(-1, 1, look->theme == DARK);
	if (c->steps && m->hi - m->lo < 2)
		return "blues";
	return colormap_default(m->lo, m->hi, look->theme == DARK);
}

/* The colour of x if each half of lo to hi has a map of its own. */
static struct color two_ramps(const struct colormap *m, double x)
{
	const double half = (m->hi - m->lo + 1) / 2;
	const double i = x - m->lo;

	return i < half ? colormap_color("blues", 0.15 + 0.8 * i / half)
			: colormap_color("viridis", 2 - i / half);
}

/* The colour of x on a diverging map, with one scale for both sides. */
static struct color diverging(const struct colormap *m, double middle, double x)
{
	const double most = fmax(middle - m->lo, m->hi - middle);

	return colormap_color(m->name, 0.5 + (most > 0 ? (x - middle) / most / 2
						       : 0));
}

static struct color color_of(const struct color_scale *c,
			     const struct look *look, enum halves halves,
			     double x)
{
	const struct colormap *m = &c->map;
	const double span = 0.5 * m->hi - 0.5 * m->lo;

	if (c->steps && halves == HALVES_REPEATED && !look->cmap)
		return two_ramps(m, x);
	if (colormap_diverges(m->name) && c->steps &&
	    halves == HALVES_MIRRORED)
		return diverging(m, m->lo + span, x);
	if (colormap_diverges(m->name) && m->lo < 0 && m->hi > 0)
		return diverging(m, 0, x);
	if (c->steps && !look->cmap && span < 1)
		return colormap_color(m->name, 0.15 + 0.65 *
				      (span > 0 ? x - m->lo : 1));
	return colormap_color(m->name, span > 0 ? (0.5 * x - 0.5 * m->lo) / span
						: 0.5);
}

void color_scale_choose(struct color_scale *c, struct figure *f,
			const struct look *look, struct sample *s, int levels)
{
	struct colormap *m = &c->map;
	enum halves halves = s->t->halves;

	*c = (struct color_scale){ 0 };
	choose_range(c, look, s, f);
	if (look->levels)
		levels = (int)fmin(levels, look->levels);
	m->levels = c->steps ? (int)(m->hi - m->lo) + 1 : levels;
	m->name = choose_map(c, look, halves);
	colormap_palette(m, f->palette);
	f->levels = m->levels;
	for (int i = 0; i < m->levels; i++) {
		const double part = m->levels > 1 ? i / (m->levels - 1.0) : 0;

		f->palette[i] = color_of(c, look, halves, m->lo * (1 - part) +
					 m->hi * part);
	}
}
