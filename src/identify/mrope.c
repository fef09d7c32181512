/* mrope.c: rotary positions of three axes, alternating from pair to pair. */
#include <math.h>
#include <stdio.h>

#include "identify/identify.h"

enum { AXES = 3, MOST_POSITION = 4096, MOST_ROWS = 256, MOST_FOUND = 8 };

/* Bases of models with such positions. */
static const double bases[] = { 1e6, 5e6, 1e4, 5e5 };

/* Cosines in the first columns, pair after pair. */
struct mrope {
	const struct profile *profile;
	const char *out;
	size_t pairs;
	double base;
	char *positions;  /* as an option */
};

/* What the second half of the columns is: the same, sines, or more pairs. */
static void read_form(struct mrope *m)
{
	const struct profile *p = m->profile;
	const size_t half = p->cols / 2;
	bool same = p->cols % 2 == 0, sines = same;

	for (size_t i = 0; i < p->n; i++)
		for (size_t k = 0; k < half; k++) {
			const double *x = profile_row(p, i) + k;

			same = same && !(fabs(x[0] - x[half]) > 0);
			sines = sines && fabs(hypot(x[0], x[half]) - 1) < 1e-3;
		}
	m->out = same ? "cos-full" : sines ? "cossin" : "cos";
	m->pairs = same || sines ? half : p->cols;
}

/* Whether pair k of a row x is the cosine of position p. */
static bool is_cosine(const struct mrope *m, const double *x, size_t k,
		      double p)
{
	const double w = pow(m->base, -(double)k / (double)m->pairs);
	const double within = 1e-6 + 2 * m->profile->noise + p * 1e-7;

	return fabs(cos(p * w) - x[k]) <= within;
}

/*
 * Find the positions of all rows by the first two pairs of each axis. False if
 * there are none, or if the axes always agree: then there is but one axis.
 */
static bool find_positions(struct mrope *m)
{
	double last = 0;
	bool apart = false;
	size_t n = 0;

	for (size_t i = 0; i < m->profile->n * AXES; i++) {
		const double *x = profile_row(m->profile, i / AXES);
		const size_t k = i % AXES;
		double p = 0;

		while (p < MOST_POSITION &&
		       !(is_cosine(m, x, k, p) &&
			 is_cosine(m, x, k + AXES, p)))
			p++;
		if (p == MOST_POSITION)
			return false;
		n += (size_t)snprintf(m->positions + n, 8, "%s%.0f",
				      i ? "," : "", p);
		apart |= k > 0 && fabs(p - last) > 0;
		last = p;
	}
	return apart;
}

/* Try n pairs for rows and as many for columns; time has the rest. */
static void try_sections(struct search *s, const struct mrope *m, size_t n)
{
	const struct candidate c = {
		/* Positions of axes differ: rows tell no slopes of columns */
		.recipe = "rope", .relative = 8, .absolute = 4 + 4 * MOST_ROWS,
	};

	try_candidate(s, &c, "dim=%zu out=%s base=%.0f sections=%zu,%zu,%zu "
		      "mrope=interleaved positions=%s", 2 * m->pairs, m->out,
		      m->base, m->pairs - 2 * n, n, n, m->positions);
}

/*
 * Slow pairs don't tell their axes: all numbers that fit are tried, from that
 * of Qwen3-VL on, 20 of 64, down.
 */
void identify_mrope(struct search *s)
{
	const struct profile *p = s->profile;
	struct mrope m = { .profile = p };

	if (s->n || p->n > MOST_ROWS || p->cols < 12 ||
	    p->integers || p->max > 1.001 || p->min < -1.001)
		return;
	read_form(&m);
	m.positions = search_alloc(s, p->n * AXES + 1, 8);
	if (!m.positions)
		return;
	for (size_t b = 0; b < sizeof bases / sizeof *bases && !s->n; b++) {
		m.base = bases[b];
		if (!find_positions(&m))
			continue;
		for (size_t n = m.pairs * 5 / 16; n >= 2 && s->n < MOST_FOUND;
		     n--)
			try_sections(s, &m, n);
	}
}
