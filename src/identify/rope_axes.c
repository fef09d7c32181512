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
#include "identify/rounding.h"

/* Rows, columns and frames of the cells in the rows from a table's first on. */
struct cells {
	size_t first, h, w, t;
	size_t merge;          /* cells go by blocks of so many squared; or 1 */
};

/* The forms of a table; the first three have a column for each pair. */
enum rope_form { COS, SIN, ANGLES, COS_FULL, SIN_FULL, COSSIN, CIS, FORMS };

enum { AXES_MOST = 8, GRID_ROOM = 120, TEXT_MOST = 1024, MORE = 160 };

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
	double within;         /* error of both changes */
};

/* The options of a preset that tell of grids. */
enum value {
	ORDER, COORDS, PAIRS, SPACING, TEXT_IDS, MERGE, CLS, BASE, VALUES
};

static const char *const names[VALUES] = {
	"order", "coords", "pairs", "spacing", "text-ids", "merge", "cls",
	"base",
};

struct convention {
	const char *options;   /* "preset=dinov3", or all that it says */
	bool named;            /* it is a preset's */
	char is[VALUES][16];   /* "" if there is none */
	size_t merge, cls;
};

static bool has(const struct convention *v, enum value k, const char *text)
{
	return strcmp(v->is[k], text) == 0;
}

/* Tries a preset on cells; whether the search is at its end. */
typedef bool try_function(struct search *s, const struct convention *v,
			  const struct cells *c);

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

/* Whether columns k step and k step + apart are cosines and sines. */
static bool may_be_circles(const struct profile *p, size_t step, size_t apart)
{
	const double within = 1e-3 + 8 * (p->noise + p->assumed);

	for (size_t i = 0; i < p->n; i += p->n - 1)
		for (size_t k = 0; 2 * k + 1 < p->cols; k++) {
			const double *x = profile_row(p, i) + k * step;

			if (fabs(x[0] * x[0] + x[apart] * x[apart] - 1) >
			    within)
				return false;
		}
	return true;
}

/* Whether the table may have this form. */
static bool may_have_form(const struct profile *p, int form)
{
	const bool even = p->cols % 2 == 0;
	const double most = fmax(p->max, -p->min);

	switch (form) {
	case COSSIN:
		return even && may_be_circles(p, 1, p->cols / 2);
	case CIS:
		return even && may_be_circles(p, 2, 1);
	default:
		return form == ANGLES ||
		       (most <= 1.001 + p->assumed && (form < ANGLES || even));
	}
}

/* Try a convention with more options in a form; whether it is exact. */
static bool try_form(struct search *s, const char *options, const char *more,
	      int form)
{
	static const char *const outs[FORMS] = {
		"cos", "sin", "angles", "cos-full", "sin-full", "cossin", "cis"
	};
	const size_t times = form < COS_FULL ? 2 : 1;
	const size_t before = s->n;

	return try_recipe(s, "rope", 4 * fmin((double)s->profile->n, 100),
			  "%s %s out=%s dim=%zu", options, more,
			  outs[form], times * s->profile->cols) &&
	       search_has_exact(s, before);
}

/* "grid=4x6 text=5", written to text, which is returned. */
static const char *grid_options(const struct cells *c, char text[GRID_ROOM])
{
	size_t n = (size_t)snprintf(text, GRID_ROOM, "grid=%zux%zu", c->h,
				    c->w);

	if (c->t > 1)
		n += (size_t)snprintf(text + n, GRID_ROOM - n, "x%zu", c->t);
	if (c->first)
		snprintf(text + n, GRID_ROOM - n, " text=%zu", c->first);
	return text;
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

/*
 * Try a preset on cells of all shapes that the table may have: in all rows, or
 * behind text tokens.
 */
static bool convention_try(struct search *s, const struct convention *v,
			   try_function *try)
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
				if ((v->merge ? may_have_blocks(p, &c)
					      : may_have_shape(p, &c)) &&
				    try(s, v, &c))
					return true;
			}
	}
	return false;
}

/* Changes from here on are known to several digits. */
#define WELL 1e-2

static size_t cells_along(const struct cells *c, char along)
{
	return along == 'y' ? c->h : along == 'x' ? c->w
	       : along == 't' ? c->t : 1;
}

/* The angle of pair k in row i, or one of the same cosine or sine. */
static double angle(const struct profile *p, size_t i, size_t k,
		    enum rope_form form, bool interleaved)
{
	const bool full = form == COS_FULL || form == SIN_FULL;
	const double *x = profile_row(p, i) + (full && interleaved ? 2 * k : k);

	switch (form) {
	case COS:
	case COS_FULL:
		return acos(fmax(-1, fmin(1, *x)));
	case SIN:
	case SIN_FULL:
		return asin(fmax(-1, fmin(1, *x)));
	case COSSIN:
		return atan2(x[p->cols / 2], *x);
	case CIS:
		return atan2(x[k + 1], x[k]);
	case ANGLES:
	case FORMS:
	default:
		return *x;
	}
}

/* Set along which axis pair k turns, and how far; '0' for none. */
static void measure_pair(const struct profile *p, const struct cells *c,
			 enum rope_form form, bool interleaved, size_t k,
			 struct axis_turn *turn)
{
	const char axes[] = { 'y', 'x', 't' };
	const size_t steps[] = {
		c->merge > 1 ? c->merge : c->w, 1, c->w * c->h,
	};
	const double noise = 4 * (p->noise + p->epsilon);
	const bool cosine = form == COS || form == COS_FULL;
	const double from = angle(p, c->first, k, form, interleaved);

	*turn = (struct axis_turn){
		.along = '0', .pairs = 1, .size = 1, .start = from,
		/* Small angles have cosines as good as 1. */
		.within = cosine ? 2 * sqrt(noise) : noise,
	};
	for (size_t a = 0; a < sizeof axes; a++) {
		const size_t size = cells_along(c, axes[a]);
		const size_t row = c->first + steps[a];
		double change;

		if (size < 2)
			continue;
		change = angle(p, row, k, form, interleaved) - from;
		if (form != ANGLES)
			change = remainder(change, TWO_PI);
		if (fabs(change) <= turn->within * fmax(1, fabs(from)))
			continue;
		turn->along = axes[a];
		turn->size = size;
		turn->fastest = fabs(change);
	}
}

/*
 * Measure the runs of pairs that turn along one axis; returns how many there
 * are, or 0 for more than AXES_MOST. interleaved: columns 2k and 2k + 1 are of
 * pair k where a form has both.
 */
static size_t measure_axes(const struct profile *p, const struct cells *c,
			   enum rope_form form, bool interleaved,
			   struct axis_turn *axes)
{
	const size_t pairs = form < COS_FULL ? p->cols : p->cols / 2;
	struct axis_turn turn, *last = axes;
	size_t n = 0;

	for (size_t k = 0; k < pairs; k++) {
		measure_pair(p, c, form, interleaved, k, &turn);
		/* Slow pairs do not tell their axis: they are the last of it */
		if (n && (turn.along == '0' || turn.along == last->along)) {
			if (turn.fastest >= WELL) {
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

/* Try a convention with more options in forms of the table from one on. */
static bool try_forms(struct search *s, const struct convention *v,
		      const char *more, int form)
{
	/* Without a name, pairs matter in the order of full columns only. */
	const bool full = !v->named && has(v, PAIRS, "interleaved");

	for (int k = full ? COS_FULL : form; k < (full ? COSSIN : FORMS); k++)
		if (may_have_form(s->profile, k) &&
		    try_form(s, v->options, more, k))
			return true;
	return false;
}

/* Try a preset, and what its project also has, on the cells. */
static bool try_cells(struct search *s, const struct convention *v,
		      const struct cells *c)
{
	const struct {
		bool has;
		const char *more;
	} ways[] = {
		{ true, "" },
		{ has(v, COORDS, "separate"), " coords=min" },
		{ has(v, COORDS, "separate"), " coords=max" },
		{ has(v, SPACING, "alternating"),
		  " pairs=interleaved" },
		{ !v->named, " start=1" },
		{ !v->named, " start=0.5" },
		{ !v->named, " emulate=bf16-freqs" },
		{ !v->named, " emulate=fp16-freqs" },
	};
	char more[MORE], grid[GRID_ROOM];

	grid_options(c, grid);
	for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
		snprintf(more, sizeof more, "%s%s", grid, ways[k].more);
		if (ways[k].has && try_forms(s, v, more, COS))
			return true;
	}
	return false;
}

void identify_rope_axes(struct search *s)
{
	const struct profile *p = s->profile;
	struct convention v;
	char len[40];

	if (p->integers || p->n < 3 || p->cols < 3)
		return;
	snprintf(len, sizeof len, "len=%zu", p->n);
	for (size_t k = 0; convention_read(s, k, &v); k++)
		/* A column for each pair is also a part of a sinusoid. */
		if (v.is[ORDER][0] ? convention_try(s, &v, try_cells)
			       : try_forms(s, &v, len,
					   s->n ? COS_FULL : COS))
			return;
}

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
	const char *order = m->convention->is[ORDER];

	for (size_t n = 0; n < m->n; n++) {
		const bool moves = cells_along(c, order[2 * n]) > 1;

		if (m->axes[n].along != (moves ? order[2 * n] : '0'))
			return false;
		if (!order[2 * n + 1])
			return n + 1 == m->n;
	}
	return false;
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
static void write_base(const struct measured *m, char text[MORE])
{
	char number[32];
	double within;

	for (size_t i = 0; i < m->n; i++) {
		const double base = base_of(&m->axes[i], &within);

		if (!(base > 0))
			continue;
		snprintf(text, MORE, " base=%s",
			 nice_text(round_to_usual(base, within), number));
		return;
	}
}

/* " start=S step=D" of no named convention, and its base, if it has another */
static void write_place(const struct measured *m, char text[MORE])
{
	const struct axis_turn *a = &m->axes[0];
	const double start = round_to_nice(fabs(a->start), a->within);
	const double step = round_to_nice(a->fastest, 2 * a->within);
	char first[32], change[32];
	size_t n;

	if (m->convention->named || (!(start > 0) && fabs(step - 1) <= 0))
		return;
	n = (size_t)snprintf(text, MORE, " start=%s step=%s",
			     nice_text(start, first), nice_text(step, change));
	write_base(m, text + n);
}

/* " ntk=R,R,R", as bases of the axes are to that of the convention. */
static void write_ntk(const struct measured *m, char text[MORE])
{
	const double of = strtod(m->convention->is[BASE], NULL);
	size_t n = 0;

	for (size_t i = 0; i < m->n; i++) {
		const double d = 2 * (double)m->axes[i].pairs;
		char number[32];
		double within, r = 1;
		const double base = base_of(&m->axes[i], &within);

		if (base > 0) {
			r = pow(base / of, (d - 2) / d);
			r = round_to_nice(r, r * within / base);
		}
		n += (size_t)snprintf(text + n, MORE - n, "%s%s",
				      i ? "," : " ntk=", nice_text(r, number));
	}
}

/* " periods=MIN:MAX" of an axis with several fast pairs. */
static void write_periods(const struct measured *m, char text[MORE])
{
	char low[32], high[32];

	for (size_t i = 0; i < m->n; i++) {
		const struct axis_turn *a = &m->axes[i];
		const bool turns =
			has(m->convention, COORDS, "separate");
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
		snprintf(text, MORE, " periods=%s:%s", low, high);
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
static void write_size(const struct measured *m, char text[MORE])
{
	const bool fitted = has(m->convention, COORDS, "fitted");
	const bool scaled = has(m->convention, COORDS, "scaled");
	double h = 0, w = 0;

	for (size_t i = 0; i < m->n; i++) {
		if (m->axes[i].along == 'y')
			h = length_of(&m->axes[i], fitted);
		if (m->axes[i].along == 'x')
			w = length_of(&m->axes[i], fitted);
	}
	if ((fitted || scaled) && h >= 1 && w >= 1)
		snprintf(text, MORE, " base-size=%.0fx%.0f", h, w);
}

/* Try one measured option in place of the convention's, and its shares. */
static bool try_options(struct search *s, const struct measured *m,
			const char *grid, int form)
{
	static void (*const writers[])(const struct measured *m,
				       char text[MORE]) = {
		NULL, write_place, write_base, write_size, write_ntk,
		write_periods,
	};
	char shares[MORE] = "", text[MORE], more[448];
	size_t n = 0;

	for (size_t i = 0; i < m->n; i++)
		n += (size_t)snprintf(shares + n, MORE - n, "%s%zu",
				      i ? "," : " axes=",
				      2 * m->axes[i].pairs);
	for (size_t k = 0; k < COUNT(writers); k++) {
		text[0] = '\0';
		if (k)
			writers[k](m, text);
		if (k && !text[0])
			continue;
		for (int own = k ? 0 : 1; own < 2; own++) {
			snprintf(more, sizeof more, "%s%s%s", grid,
				 own ? shares : "", text);
			if (try_form(s, m->convention->options, more, form))
				return true;
		}
	}
	return false;
}

/* Try a preset with other shares, frequencies or sizes on the cells. */
static bool try_measured(struct search *s, const struct convention *v,
			 const struct cells *c)
{
	const bool interleaved = has(v, PAIRS, "interleaved");
	char grid[GRID_ROOM];

	/* V-JEPA 2 has its columns in an order of its own. */
	if (has(v, PAIRS, "mixed"))
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
		if (v.is[ORDER][0] && convention_try(s, &v, try_measured))
			return;
}
