/* mrope.c: rotary positions of three axes, in sections or in turn. */
#include <math.h>
#include <stdio.h>

#include "identify/rotary.h"

enum { AXES = 3, MOST_POSITION = 4096, MOST_ROWS = 256, MOST_FOUND = 8 };

/* Bases of models with such positions. */
static const double bases[] = { 1e6, 5e6, 1e4, 5e5 };

/*
 * How pairs are shared: 64ths of them for time and for rows, the usual ones,
 * and the distance from one pair of rows or columns to the next.
 */
static const struct layout {
	const char *name;
	size_t time, rows, step;
} layouts[] = {
	{ "interleaved", 24, 20, 3 },  /* Qwen3-VL */
	{ "chunked", 16, 24, 1 },      /* Qwen2-VL */
	{ "alternate", 20, 22, 2 },    /* ERNIE-4.5-VL */
};

struct mrope {
	const struct rotary *form;
	double base;
	const struct layout *layout;
	char *positions;       /* as an option */
};

/* How far pair k of a row x is from the angle a. */
static double off(const struct mrope *m, const double *x, size_t k, double a)
{
	const struct rotary *r = m->form;
	const double *at = x + k * r->stride;
	const double d = fabs((r->form == FORM_SIN ? sin(a) : cos(a)) - at[0]);

	return r->form == FORM_BOTH ? fmax(d, fabs(sin(a) - at[r->gap])) : d;
}

/* The first pair of an axis, of sections of n rows and n columns. */
static size_t first_pair(const struct mrope *m, size_t axis, size_t n)
{
	const size_t time = m->form->pairs - 2 * n;

	switch (m->layout->step) {
	case 1:
		return axis ? time + (axis - 1) * n : 0;
	case 2:
		return axis ? axis - 1 : 2 * n;
	default:
		return axis;
	}
}

/*
 * The position of a row x along an axis by its first two pairs: one of the two
 * that are likely, if rounding hides the difference, or the nearest;
 * MOST_POSITION if none is near.
 */
static double position(const struct mrope *m, const double *x, size_t axis,
		       const double likely[2])
{
	const struct rotary *r = m->form;
	const size_t k = first_pair(m, axis, m->layout->rows * r->pairs / 64);
	const size_t step = m->layout->step == 2 && !axis ? 1 : m->layout->step;
	const double pairs = (double)r->pairs, noise = r->profile->noise;
	const double w = pow(m->base, -(double)k / pairs);
	const double v = pow(m->base, -(double)(k + step) / pairs);
	double best = MOST_POSITION, least = HUGE_VAL;

	for (double p = -2; p < MOST_POSITION; p++) {
		const double at = p < 0 ? likely[(int)p + 2] : p;
		double far = off(m, x, k, at * w);

		if (far > 1e-6 + 2 * noise + at * 1e-7 || far >= least)
			continue;
		far = fmax(far, off(m, x, k + step, at * v));
		if (far > 1e-6 + 2 * noise + at * 1e-7 || far >= least)
			continue;
		best = at;
		least = far;
		if (p < 0 && far <= noise + at * w * 1e-7)
			break;
	}
	return best;
}

/*
 * Find the positions of all rows. False if there are none, or if the axes
 * always agree: then there is but one axis.
 */
static bool find_positions(struct mrope *m)
{
	const struct profile *p = m->form->profile;
	double last[AXES] = { -1, -1, -1 };
	bool apart = false;
	size_t n = 0;

	for (size_t i = 0; i < p->n * AXES; i++) {
		/* The next token of a row or a text, and one of a text. */
		const double likely[2] = { last[i % AXES] + 1, last[0] };

		last[i % AXES] = position(m, profile_row(p, i / AXES), i % AXES,
					  likely);
		if (last[i % AXES] >= MOST_POSITION)
			return false;
		n += (size_t)snprintf(m->positions + n, 8, "%s%.0f",
				      i ? "," : "", last[i % AXES]);
		apart |= i % AXES && fabs(last[i % AXES] - last[0]) > 0;
	}
	return apart;
}

/*
 * Try n pairs for rows and as many for columns; time has the rest. In turn,
 * slow pairs don't tell their axes: all numbers that fit are tried, from the
 * usual one down.
 */
static void try_sections(struct search *s, const struct mrope *m)
{
	const struct candidate c = {
		/* Positions of axes differ: rows tell no slopes of columns */
		.recipe = "rope", .relative = 8, .absolute = 4 + 4 * MOST_ROWS,
	};
	const struct rotary *r = m->form;
	size_t n = m->layout->rows * r->pairs / 64;

	do
		try_candidate(s, &c, "dim=%zu out=%s%s base=%.0f "
			      "sections=%zu,%zu,%zu mrope=%s positions=%s",
			      2 * r->pairs, r->out,
			      r->interleaved ? " pairs=interleaved" : "",
			      m->base, r->pairs - 2 * n, n, n, m->layout->name,
			      m->positions);
	while (m->layout->step == 3 && --n >= 2 && s->n < MOST_FOUND);
}

static bool try_form(struct search *s, struct rotary *r)
{
	struct mrope m = { .form = r };

	if (r->form == FORM_ANGLES)
		return false;
	m.positions = search_alloc(s, r->profile->n * AXES + 1, 8);
	for (size_t b = 0; m.positions && !s->n &&
	     b < COUNT(bases) * COUNT(layouts); b++) {
		size_t n;

		m.base = bases[b / COUNT(layouts)];
		m.layout = &layouts[b % COUNT(layouts)];
		n = m.layout->rows * r->pairs / 64;
		if (n >= 2 && r->pairs >= 2 * n + 2 && find_positions(&m))
			try_sections(s, &m);
	}
	return s->n;
}

void identify_mrope(struct search *s)
{
	const struct profile *p = s->profile;

	if (!s->n && p->n <= MOST_ROWS && p->cols >= 12 && !p->integers &&
	    p->max <= 1.001 && p->min >= -1.001)
		rotary_each_form(s, false, try_form);
}
