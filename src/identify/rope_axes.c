/*
 * rope_axes.c: RoPE along the axes of images and videos, as models have it, or
 * but for the frequencies, the shares of the axes or the size that coordinates
 * are scaled to.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exact/turns.h"
#include "identify/identify.h"
#include "identify/families.h"
#include "identify/rotary.h"
#include "identify/rounding.h"

/* Rows, columns and frames of the cells in the rows from a table's first on. */
struct cells {
	size_t first, h, w, t;
	size_t merge;          /* cells go by blocks of so many squared; or 1 */
};

enum { AXES_MOST = 8, TEXT_MOST = 1024 };

/* Adjacent pairs that turn from cell to cell along one axis. */
struct axis_turn {
	char along;            /* 'y', 'x' or 't'; '0': they do not turn */
	size_t pairs;
	size_t size;           /* cells along the axis */
	double start;          /* the first pair's angle in the first cell, as
				  a slow pair tells it, */
	double fastest;        /* and how it changes to the next */
	double slow;           /* the same of pair k, which is known well; */
	size_t k;              /* 0: none but the first is */
};

/* The options of a preset that tell of grids. */
enum value { ORDER, AXES, COORDS, PAIRS, TEXT_IDS, MERGE, CLS, BASE, VALUES };

static const char *const names[VALUES] = {
	"order", "axes", "coords", "pairs", "text-ids", "merge", "cls", "base",
};

/* A convention, and the forms that the table may have. */
struct convention {
	const char *options;   /* "preset=dinov3", or all that it says */
	bool named;            /* it is a preset's */
	char is[VALUES][16];   /* "" if there is none */
	size_t merge, cls;
	struct rotary forms[ROTARY_FORMS];
	size_t forms_n;
};

static bool has(const struct convention *v, enum value k, const char *text)
{
	return strcmp(v->is[k], text) == 0;
}

/*
 * Whether column j differs between the first cell and cell i. Of distant cells,
 * of which there are many, few columns are asked for.
 */
static bool differs(const struct profile *p, const struct cells *c, size_t j,
		    size_t i)
{
	const double within = 2 * (p->noise + p->abs_noise + p->assumed);
	const double x = profile_row(p, c->first)[j];
	const double y = i == 1 ? profile_row(p, c->first + 1)[j]
				: profile_value(p, c->first + i, j);

	return fabs(y - x) > within * fmax(1, fabs(x));
}

/*
 * Whether the cells may have this shape, of two axes or more: each column tells
 * one coordinate, so it changes in one of the first steps along the axes at
 * most; what changes in the next row has not changed at the end of this one.
 * Behind text tokens, each step changes something.
 */
static bool may_have_shape(const struct profile *p, const struct cells *c)
{
	const size_t step[] = { 1, c->w, c->w * c->h };
	const size_t size[] = { c->w, c->h, c->t };
	size_t moving[3] = { 0 };

	if ((c->h > 1) + (c->w > 1) + (c->t > 1) < 2)
		return false;
	for (size_t j = 0; j < p->cols; j++) {
		int changes = 0;

		for (int a = 0; a < 3; a++) {
			const bool moves = size[a] > 1 &&
					   differs(p, c, j, step[a]);

			if (moves && a && step[a] > 1 &&
			    differs(p, c, j, step[a] - 1))
				return false;
			moving[a] += moves;
			changes += moves;
		}
		if (changes > 1)
			return false;
	}
	for (int a = 0; c->first && a < 3; a++)
		if (size[a] > 1 && !moving[a])
			return false;
	return true;
}

/* The same where cells go by blocks and frames repeat. */
static bool may_have_blocks(const struct profile *p, const struct cells *c)
{
	if (c->h % c->merge || c->w % c->merge)
		return false;
	for (size_t j = 0; j < p->cols; j++)
		if ((differs(p, c, j, 1) && differs(p, c, j, c->merge)) ||
		    (c->t > 1 && differs(p, c, j, c->w * c->h)))
			return false;
	return true;
}

/*
 * Whether values may be angles, which are far from 0 in some cells; or cosines
 * and sines, of small angles where the slowest of many pairs begins.
 */
static bool may_have_form(const struct rotary *r)
{
	const struct profile *p = r->profile;
	const double within = 1e-3 + 8 * (p->noise + p->assumed);
	const bool wave = fmax(p->max, -p->min) <= 1.001 + p->assumed;
	const double slow = profile_row(p, 0)[(r->pairs - 1) * r->stride];

	if (r->form == FORM_ANGLES)
		return !wave || p->min >= 0;
	if (r->form == FORM_COS || r->form == FORM_SIN)
		return wave && (r->pairs < 8 ||
				(r->form == FORM_COS) == (slow > 0.7));
	for (size_t i = 0; i < p->n; i += p->n - 1)
		for (size_t k = 0; k < r->pairs; k++) {
			const double *x = profile_row(p, i) + k * r->stride;

			if (fabs(x[0] * x[0] + x[r->gap] * x[r->gap] - 1) >
			    within)
				return false;
		}
	return true;
}

/* Whether measured options make of it what they make of an unnamed one. */
static bool is_plain(const struct convention *v)
{
	return v->named && has(v, COORDS, "index") && !v->is[TEXT_IDS][0] &&
	       !v->cls && !strchr(v->is[ORDER], '0');
}

/* Whether a form has the convention's pairs, where it shows any. */
static bool has_pairs(const struct convention *v, const struct rotary *r)
{
	const bool twice = r->form != FORM_BOTH &&
			   r->pairs < r->profile->cols;
	const bool interleaved = has(v, PAIRS, "interleaved");

	/* Without a name, only twice the same columns show them. */
	return twice ? interleaved == r->interleaved
		     : v->named || !interleaved;
}

/* Try options with alternatives in a form; whether a command is exact. */
static bool try_options(struct search *s, const struct convention *v,
			const struct rotary *r, const char *options)
{
	const struct family row = {
		.recipe = "rope",
		.absolute = 4 * fmin((double)s->profile->n, 100),
	};
	/* V-JEPA 2 turns the two columns of a pair by different angles. */
	const bool full = has(v, PAIRS, "mixed") && r->form != FORM_BOTH &&
			  r->form != FORM_ANGLES;
	const size_t before = s->n;
	const char *text = search_text(s, "%s %s out=%s%s dim=%zu", v->options,
				       options, r->out, full ? "-full" : "",
				       (full ? 1 : 2) * r->pairs);

	return text && solve_family(s, &row, text) &&
	       search_has_exact(s, before);
}

static const char *grid_options(struct search *s, const struct cells *c,
				const char *more)
{
	const char *t = c->t > 1 ? search_text(s, "x%zu", c->t) : "";
	const char *text = c->first ? search_text(s, " text=%zu", c->first)
				    : "";

	return t && text ? search_text(s, "grid=%zux%zu%s%s%s", c->h, c->w, t,
				       text, more) : "";
}

/* The least divisor of n above d; 0: there is none. */
static size_t next_divisor(size_t n, size_t d)
{
	size_t e;

	for (d++; d <= n / d; d++)
		if (n % d == 0)
			return d;
	for (e = n / d; e && n % e; e--)
		;
	return e ? n / e : 0;
}

/* Conventions of no project in particular. */
static const char *const unnamed[] = {
	"order=y,x", "order=x,y",
	"order=y,x pairs=interleaved", "order=x,y pairs=interleaved",
	"order=y,x merge=2", "order=x,y merge=2",
	"order=y,x pairs=interleaved merge=2",
	"order=x,y pairs=interleaved merge=2",
	"order=y,x spacing=alternating", "order=x,y spacing=alternating",
	"order=y,x spacing=alternating pairs=interleaved",
	"order=x,y spacing=alternating pairs=interleaved",
	"order=t,y,x", "order=t,y,x pairs=interleaved",
};

/*
 * Read the k-th convention: plain ones in all orders of axes and pairs, then
 * the presets of rope. False behind the last, or if memory is short.
 */
static bool convention_read(struct search *s, size_t k, struct convention *v)
{
	const struct recipe *r = recipe_find("rope", s->err);
	struct table room = { 0 };
	struct fields f = { .given = NULL };
	char *text, number[OPTION_ROOM];
	bool good;

	v->named = k >= COUNT(unnamed);
	if (v->named && !r->presets[k - COUNT(unnamed)].name)
		return false;
	v->options = search_text(s, "%s%s", v->named ? "preset=" : "",
				 v->named ? r->presets[k - COUNT(unnamed)].name
					  : unnamed[k]);
	text = search_text(s, "%s", v->options ? v->options : "");
	good = text && recipe_begin(r, &room, &f, s->err) &&
	       recipe_set_all(r, &f, text, s->err);
	for (size_t i = 0; good && i < VALUES; i++) {
		const struct option *o = option_find(r->options, names[i],
						     strlen(names[i]));

		snprintf(v->is[i], sizeof v->is[i], "%s",
			 option_text(o, f.self, number));
	}
	v->merge = strtoul(v->is[MERGE], NULL, 10);
	v->cls = strtoul(v->is[CLS], NULL, 10);
	table_close(&room);
	return !s->err->text[0];
}

/* Try a convention, and what its project also has, on the cells. */
static bool try_cells(struct search *s, const struct convention *v,
		      const struct cells *c)
{
	const char *options = grid_options(s, c, !v->named
		? "{|! start=1|! start=0.5|! emulate=bf16-freqs|! "
		  "emulate=fp16-freqs}"
		: has(v, COORDS, "separate") ? "{|! coords=min|! coords=max}"
					     : "");

	for (size_t k = 0; k < v->forms_n; k++)
		if (has_pairs(v, &v->forms[k]) &&
		    try_options(s, v, &v->forms[k], options))
			return true;
	return false;
}

static size_t cells_along(const struct cells *c, char along)
{
	return along == 'y' ? c->h : along == 'x' ? c->w
	       : along == 't' ? c->t : 1;
}

/* Along which axis pair k turns, and how far; '0' for none. */
static struct axis_turn measure_pair(const struct rotary *r,
				     const struct cells *c, size_t k)
{
	const char axes[] = { 'y', 'x', 't' };
	const size_t steps[] = {
		c->merge > 1 ? c->merge : c->w, 1, c->w * c->h,
	};
	const double noise = 4 * (r->profile->noise + r->profile->epsilon);
	/* Small angles have cosines as good as 1. */
	const double within = r->form == FORM_COS ? 2 * sqrt(noise) : noise;
	double error;
	const double from = rotary_angle(r, c->first, k, 0, &error);
	struct axis_turn turn = {
		.along = '0', .pairs = 1, .size = 1, .start = from,
	};

	for (size_t a = 0; a < sizeof axes; a++) {
		const size_t size = cells_along(c, axes[a]);
		const double change = size < 2 ? 0
			: fabs(rotary_angle(r, c->first + steps[a], k, from,
					    &error) - from);

		if (change <= within * fmax(1, fabs(from)))
			continue;
		turn.along = axes[a];
		turn.size = size;
		turn.fastest = change;
	}
	return turn;
}

/*
 * Measure the runs of pairs that turn along one axis; returns how many there
 * are, or 0 for more than AXES_MOST.
 */
static size_t measure_axes(const struct rotary *r, const struct cells *c,
			   struct axis_turn *axes)
{
	/* Changes from here on are known to several digits. */
	const double well = 1e-2;
	struct axis_turn *last = axes;
	size_t n = 0;

	for (size_t k = 0; k < r->pairs; k++) {
		const struct axis_turn turn = measure_pair(r, c, k);

		/* Slow pairs do not tell their axis: they are the last of it */
		if (n && (turn.along == '0' || turn.along == last->along)) {
			if (turn.fastest >= well) {
				last->k = last->pairs;
				last->slow = turn.fastest;
				last->start = turn.start * last->fastest /
					      turn.fastest;
			}
			last->pairs++;
			continue;
		}
		if (n == AXES_MOST)
			return 0;
		last = axes + n++;
		*last = turn;
	}
	return n;
}

/*
 * Whether the runs of pairs turn along the axes of the convention, in its
 * order; one along an axis of a single cell does not turn.
 */
static bool match_axes(const struct convention *v, const struct cells *c,
		       const struct axis_turn *axes, size_t n)
{
	const char *order = v->is[ORDER];

	for (size_t k = 0; k < n; k++) {
		const bool moves = cells_along(c, order[2 * k]) > 1;

		if (axes[k].along != (moves ? order[2 * k] : '0'))
			return false;
		if (!order[2 * k + 1])
			return k + 1 == n;
	}
	return false;
}

/* The base of an axis, or 0. */
static double base_of(const struct axis_turn *a)
{
	return a->k ? pow(a->fastest / a->slow,
			  (double)a->pairs / (double)a->k) : 0;
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

/* What of the axes stands in place of the convention's, but for their shares */
struct measured {
	char place[160], base[60], size[60], ntk[60 * AXES_MOST],
	     periods[120], shares[30 * AXES_MOST];
};

/* Write a share and a factor of the base for each axis, unless rope has them */
static void write_lists(const struct convention *v,
			const struct axis_turn *axes, size_t n,
			struct measured *m)
{
	const double initial = strtod(v->is[BASE], NULL);
	size_t ntk = 0, shares = 0;
	bool equal = !v->is[AXES][0], stretched = true;

	for (size_t i = 0; i < n; i++) {
		const double base = base_of(&axes[i]);
		const double d = 2 * (double)axes[i].pairs;

		shares += (size_t)snprintf(m->shares + shares, 30, "%s%.0f",
					   i ? "," : " axes=", d);
		ntk += (size_t)snprintf(m->ntk + ntk, 60, "%s%s%.6g",
					i ? "," : " ntk=", base > 0 ? "?" : "",
					base > 0 ? pow(base / initial,
						       (d - 2) / d) : 1);
		equal = equal && axes[i].pairs == axes[0].pairs;
		stretched = stretched && (!(base > 0) || base > 0.9 * initial);
	}
	if (equal)
		m->shares[0] = '\0';
	if (!stretched)
		m->ntk[0] = '\0';
}

/* Write the measured options with unknowns, "" for those that it has not. */
static void write_measured(const struct convention *v,
			   const struct axis_turn *axes, size_t n,
			   struct measured *m)
{
	const bool fitted = has(v, COORDS, "fitted");
	double h = 0, w = 0;

	*m = (struct measured){ .place = "" };
	write_lists(v, axes, n, m);
	for (size_t i = n; i-- > 0;) {
		const struct axis_turn *a = &axes[i];
		const double unit = has(v, COORDS, "separate")
			? 2 * TWO_PI / (double)a->size : 1;
		const double least = unit / a->fastest;

		h = a->along == 'y' ? length_of(a, fitted) : h;
		w = a->along == 'x' ? length_of(a, fitted) : w;
		if (!a->k)
			continue;
		snprintf(m->base, 60, " base=?%.6g", base_of(a));
		snprintf(m->periods, 120, " periods=?%.6g:?%.6g", least,
			 least * pow(a->fastest / a->slow,
				     (double)(a->pairs - 1) / (double)a->k));
	}
	if (!v->named && (fabs(axes[0].start) > 0 ||
			  fabs(axes[0].fastest - 1) > 1e-6))
		snprintf(m->place, 160, " start=~%.6g step=~%.6g%s",
			 axes[0].start, axes[0].fastest, m->base);
	if ((fitted || has(v, COORDS, "scaled")) && h >= 1 && w >= 1)
		snprintf(m->size, 60, " base-size=%.0fx%.0f", h, w);
}

/* Try a convention with other shares, frequencies or sizes on the cells. */
static bool try_measured(struct search *s, const struct convention *v,
			 const struct cells *c)
{
	/* V-JEPA 2 has its columns in an order of its own. */
	for (size_t k = 0; k < v->forms_n && !has(v, PAIRS, "mixed"); k++) {
		struct axis_turn axes[AXES_MOST];
		const size_t n = measure_axes(&v->forms[k], c, axes);
		struct measured m;
		const char *const more[] = {
			m.shares, m.place, m.base, m.size, m.ntk, m.periods,
		};

		if (!has_pairs(v, &v->forms[k]) || !match_axes(v, c, axes, n))
			continue;
		write_measured(v, axes, n, &m);
		for (size_t i = 0; i < COUNT(more); i++)
			if (more[i][0] && try_options(
				s, v, &v->forms[k], grid_options(
					s, c, search_text(
						s, i && m.shares[0] ? "%s{|!%s}"
						   : "%s", more[i], m.shares))))
				return true;
	}
	return false;
}

/*
 * Try a convention, as it is or with measured options, on cells of all shapes
 * that the table may have: in all rows, or behind text tokens. Whether the
 * search is at its end.
 */
static bool convention_try(struct search *s, const struct convention *v,
			   bool measured)
{
	const struct profile *p = s->profile;
	const size_t rows = p->n - v->cls;
	const size_t texts = rows - 1 < TEXT_MOST ? rows - 1 : TEXT_MOST;
	const size_t most = v->is[TEXT_IDS][0] ? texts : 0;
	/* Frames need an axis of their own, or repeat. */
	const bool frames = v->merge || strchr(v->is[ORDER], 't');
	struct cells c = { .merge = v->merge ? v->merge : 1 };

	for (; search_goes_on(s, c.first <= most); c.first++) {
		const size_t n = rows - c.first;

		for (c.t = 1; c.t; c.t = frames ? next_divisor(n, c.t) : 0)
			for (c.w = 1; c.w; c.w = next_divisor(n / c.t, c.w)) {
				c.h = n / c.t / c.w;
				if (!(v->merge ? may_have_blocks(p, &c)
					       : may_have_shape(p, &c)))
					continue;
				if (measured ? try_measured(s, v, &c)
					     : try_cells(s, v, &c))
					return true;
			}
	}
	return false;
}

/* RetNet's frequencies are those of rows, not of cells. */
static bool try_rows(struct search *s, const struct convention *v)
{
	const char *len = search_text(s, "len=%zu", s->profile->n);

	for (size_t k = 0; len && k < v->forms_n; k++)
		/* A column for each pair is also a part of a sinusoid. */
		if (!(s->n && v->forms[k].pairs == s->profile->cols) &&
		    try_options(s, v, &v->forms[k], len))
			return true;
	return false;
}

/* Try all conventions in the forms that a table of cells may have. */
static void try_conventions(struct search *s, bool measured)
{
	const struct profile *p = s->profile;
	struct convention v = { .forms_n = 0 };
	bool found = p->integers || p->n < 3 || p->cols < 3;
	const size_t n = found ? 0 : rotary_forms(p, false, v.forms);

	for (size_t k = 0; k < n; k++) {
		v.forms[k].amp = 1;
		if (may_have_form(&v.forms[k]))
			v.forms[v.forms_n++] = v.forms[k];
	}
	for (size_t k = 0; !found && v.forms_n && convention_read(s, k, &v);
	     k++)
		if (!(measured && is_plain(&v)))
			found = v.is[ORDER][0]
				? convention_try(s, &v, measured)
				: !measured && try_rows(s, &v);
}

void identify_rope_axes(struct search *s)
{
	try_conventions(s, false);
}

void identify_rope_measured(struct search *s)
{
	if (!s->n && s->profile->noise < COARSE_NOISE)
		try_conventions(s, true);
}
