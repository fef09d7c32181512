/*
 * color_scale.c: the map and the range of a figure's colours, and the colour of
 * each level.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "figure/layout.h"

enum { STEPS_MOST = 64 };  /* of a legend */

#define ABOVE 0.01  /* of shares above the least: these may have one colour */

/* How many cells of s have each level of m; false: f has the error. */
static bool count_levels(const struct sample *s, const struct colormap *m,
			 struct figure *f, size_t counts[256])
{
	const size_t n = s->planes * s->height * s->width;
	struct table room = { 0 };
	unsigned char *levels = table_alloc(&room, n, 1, &f->err);
	const bool good = levels && sample_levels(s, m, false, levels, &f->err);

	for (size_t i = 0; good && i < n; i++)
		counts[levels[i]]++;
	table_close(&room);
	return good;
}

/*
 * The range of shares of 1 ends where few are above, such as the first row of a
 * causal mask, which has one share; a note tells where.
 */
static void choose_shares(struct colormap *m, struct figure *f,
			  struct sample *s)
{
	const struct colormap roots = { .hi = 1, .levels = LEVELS,
					.scaling = SCALING_SQRT };
	size_t counts[256] = { 0 }, all = 0, above = 0;
	int top = LEVELS - 1, level;
	char text[80];

	if (!sample_keep(s, &f->memory, &f->err) ||
	    !count_levels(s, &roots, f, counts))
		return;
	while (top > 1 && !counts[top])
		top--;
	for (int i = 1; i < LEVELS; i++)
		all += counts[i];
	for (level = top; level > 1; level--) {
		above += counts[level];
		if ((double)above > ABOVE * (double)all)
			break;
	}
	snprintf(text, sizeof text, "%.2g",
		 fmin(pow((level + 0.5) / (LEVELS - 1), 2), 1));
	m->hi = strtod(text, NULL);
	snprintf(text, sizeof text, "values of %g and more have one colour",
		 m->hi);
	if (level < top)
		figure_note(f, text);
}

/* How values are spread over colours: as asked, or as they need it. */
static void choose_scaling(struct color_scale *c, const struct look *look,
			   const struct table *t, struct figure *f)
{
	struct colormap *m = &c->map;

	if (look->scale_colors != NO_CHOICE)
		m->scaling = (enum color_scaling)look->scale_colors;
	else if (t->shares || (t->uneven && t->planes > 1 && !c->each))
		m->scaling = SCALING_SQRT;
	if (m->scaling == SCALING_LOG && !(m->lo > 0)) {
		fail(&f->err, "--scale-colors log needs a range of values "
		     "above 0, got %g to %g: --range A:B sets one", m->lo,
		     m->hi);
		m->scaling = SCALING_LINEAR;
	}
	/* One value has one place */
	if (!(m->lo < m->hi))
		m->scaling = SCALING_LINEAR;
	if (m->scaling)
		c->steps = false;
}

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
	} else if (s->t->shares && look->scale_colors == NO_CHOICE) {
		choose_shares(m, f, s);
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
	if (look->theme == PRINT && (!c->steps || m->hi - m->lo >= 2))
		return "viridis";  /* lighter and lighter, also in grey */
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

	if (c->steps && halves == HALVES_REPEATED && !look->cmap &&
	    look->theme != PRINT)
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

/* The same scale over what colours count, of which levels are parts. */
static struct color_scale flat(const struct color_scale *c)
{
	struct color_scale to = *c;

	to.map.lo = colormap_scaled(&c->map, c->map.lo);
	to.map.hi = colormap_scaled(&c->map, c->map.hi);
	to.map.scaling = SCALING_LINEAR;
	return to;
}

void color_scale_choose(struct color_scale *c, struct figure *f,
			const struct look *look, struct sample *s, int levels)
{
	struct colormap *m = &c->map;
	enum halves halves = s->t->halves;
	struct color_scale even;

	*c = (struct color_scale){ 0 };
	choose_range(c, look, s, f);
	choose_scaling(c, look, s->t, f);
	if (look->levels)
		levels = (int)fmin(levels, look->levels);
	m->levels = c->steps ? (int)(m->hi - m->lo) + 1 : levels;
	m->name = choose_map(c, look, halves);
	colormap_palette(m, f->palette);
	f->levels = m->levels;
	if (look->theme == PRINT)
		f->palette[m->levels + MISSING_MINUS_INF] =
			figure_color(f, INK_PAGE);
	even = flat(c);
	for (int i = 0; i < m->levels; i++) {
		const double part = m->levels > 1 ? i / (m->levels - 1.0) : 0;

		f->palette[i] = color_of(&even, look, halves, even.map.lo *
					 (1 - part) + even.map.hi * part);
	}
}
