/*
 * rope_measured.c: RoPE along axes as models have it, but for the frequencies,
 * the shares of the axes or the size that coordinates are scaled to.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "exact/turns.h"
#include "identify/conventions.h"
#include "identify/rounding.h"

/* The axes of a convention, as they are measured. */
struct measured {
	const struct convention *convention;
	struct axis_turn axes[AXES_MOST];
	size_t n;
};

/*
 * Whether the runs of pairs turn along the axes of the convention, in its
 * order; one along an axis of a single cell does not turn.
 */
static bool match_axes(const struct measured *m, const struct cells *c)
{
	const char *order = m->convention->order;

	for (size_t n = 0; n < m->n; n++) {
		const bool moves = cells_along(c, order[2 * n]) > 1;

		if (m->axes[n].along != (moves ? order[2 * n] : '0'))
			return false;
		if (!order[2 * n + 1])
			return n + 1 == m->n;
	}
	return false;
}

/* The convention's own frequencies. */
static void write_nothing(const struct measured *m, char text[160])
{
	(void)m;
	(void)text;
}

/* The base of an axis, or 0; sets its error. */
static double base_of(const struct axis_turn *a, double *within)
{
	const double power = (double)a->pairs / (double)(a->k ? a->k : 1);
	const double base = a->k ? pow(a->fastest / a->slow, power) : 0;

	*within = base * power * a->within * (1 / a->fastest + 1 / a->slow);
	return base;
}

/* " base=B", as the first axis with several fast pairs has it. */
static void write_base(const struct measured *m, char text[160])
{
	char number[32];
	double within;

	for (size_t i = 0; i < m->n; i++) {
		const double base = base_of(&m->axes[i], &within);

		if (!(base > 0))
			continue;
		snprintf(text, 160, " base=%s",
			 nice_text(round_to_usual(base, within), number));
		return;
	}
}

/* " start=S step=D" of no named convention, and its base, if it has another */
static void write_place(const struct measured *m, char text[160])
{
	const struct axis_turn *a = &m->axes[0];
	const double start = round_to_nice(fabs(a->start), a->within);
	const double step = round_to_nice(a->fastest, 2 * a->within);
	char first[32], change[32];
	size_t n;

	if (m->convention->named || (!(start > 0) && fabs(step - 1) <= 0))
		return;
	n = (size_t)snprintf(text, 160, " start=%s step=%s",
			     nice_text(start, first), nice_text(step, change));
	write_base(m, text + n);
}

/* " ntk=R,R,R", as bases of the axes are to that of the convention. */
static void write_ntk(const struct measured *m, char text[160])
{
	size_t n = 0;

	for (size_t i = 0; i < m->n; i++) {
		const double d = 2 * (double)m->axes[i].pairs;
		char number[32];
		double within, r = 1;
		const double base = base_of(&m->axes[i], &within);

		if (base > 0) {
			r = pow(base / m->convention->base, (d - 2) / d);
			r = round_to_nice(r, r * within / base);
		}
		n += (size_t)snprintf(text + n, 160 - n, "%s%s",
				      i ? "," : " ntk=", nice_text(r, number));
	}
}

/* " periods=MIN:MAX" of an axis with several fast pairs. */
static void write_periods(const struct measured *m, char text[160])
{
	char low[32], high[32];

	for (size_t i = 0; i < m->n; i++) {
		const struct axis_turn *a = &m->axes[i];
		const bool turns =
			strcmp(m->convention->coords, "separate") == 0;
		const double unit =
			turns ? 2 * TWO_PI / (double)a->size : 1;
		const double least = unit / a->fastest;
		const double error = least * a->within / a->fastest;
		double ratio, within;

		if (!a->k)
			continue;
		ratio = pow(a->fastest / a->slow,
			    (double)(a->pairs - 1) / (double)a->k);
		within = least * ratio * (double)a->pairs / (double)a->k *
			 a->within * (1 / a->fastest + 1 / a->slow);
		nice_text(round_to_nice(least, error), low);
		nice_text(round_to_nice(least * ratio, within), high);
		snprintf(text, 160, " periods=%s:%s", low, high);
		return;
	}
}

/*
 * The length that an axis is scaled to, or that a grid was fitted in, with as
 * much on both sides.
 */
static double length_of(const struct axis_turn *a, bool fitted)
{
	const double n = (double)a->size, first = fabs(a->start);
	const double end = (a->fastest * (n - 1) + first) * n / (n - 1);

	return rint(fitted ? end + first : a->fastest * n);
}

/* " base-size=HxW", by the changes from row to row and column to column. */
static void write_size(const struct measured *m, char text[160])
{
	const char *coords = m->convention->coords;
	const bool fitted = strcmp(coords, "fitted") == 0;
	double h = 0, w = 0;

	for (size_t i = 0; i < m->n; i++) {
		if (m->axes[i].along == 'y')
			h = length_of(&m->axes[i], fitted);
		if (m->axes[i].along == 'x')
			w = length_of(&m->axes[i], fitted);
	}
	if ((fitted || strcmp(coords, "scaled") == 0) && h >= 1 && w >= 1)
		snprintf(text, 160, " base-size=%.0fx%.0f", h, w);
}

/* " axes=16,24,24", the dimensions of each. */
static void write_shares(const struct measured *m, char text[160])
{
	size_t n = 0;

	for (size_t i = 0; i < m->n; i++)
		n += (size_t)snprintf(text + n, 160 - n, "%s%zu",
				      i ? "," : " axes=",
				      2 * m->axes[i].pairs);
}

/* Try one measured option in place of the convention's, and its shares. */
static bool try_options(struct search *s, const struct measured *m,
			const char *grid, int form)
{
	static void (*const writers[])(const struct measured *m,
				       char text[160]) = {
		write_nothing, write_place, write_base, write_size, write_ntk,
		write_periods,
	};
	char shares[160] = "", text[160], more[448];

	write_shares(m, shares);
	for (size_t k = 0; k < sizeof writers / sizeof *writers; k++) {
		text[0] = '\0';
		writers[k](m, text);
		snprintf(more, sizeof more, "%s%s", grid, text);
		if (text[0] && try_form(s, m->convention->options, more, form))
			return true;
		snprintf(more, sizeof more, "%s%s%s", grid, shares, text);
		if ((text[0] || !k) &&
		    try_form(s, m->convention->options, more, form))
			return true;
	}
	return false;
}

/* Try a preset with other shares, frequencies or sizes on the cells. */
static bool try_measured(struct search *s, const struct convention *v,
			 const struct cells *c)
{
	const bool interleaved = strcmp(v->pairs, "interleaved") == 0;
	char grid[GRID_ROOM];

	/* V-JEPA 2 has its columns in an order of its own. */
	if (strcmp(v->pairs, "mixed") == 0)
		return false;
	grid_options(c, grid);
	for (int form = COS; form < FORMS; form++) {
		struct measured m = { .convention = v };

		if (!may_have_form(s->profile, form))
			continue;
		m.n = measure_axes(s->profile, c, (enum rope_form)form,
				   interleaved, m.axes);
		if (match_axes(&m, c) && try_options(s, &m, grid, form))
			return true;
	}
	return false;
}

void identify_rope_measured(struct search *s)
{
	const struct profile *p = s->profile;
	struct convention v;

	if (s->n || p->integers || p->n < 3 || p->cols < 3 ||
	    p->noise >= COARSE_NOISE)
		return;
	for (size_t k = 0; convention_read(s, k, &v); k++)
		if (v.order[0] && convention_try(s, &v, try_measured))
			return;
}
