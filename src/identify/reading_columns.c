/*
 * reading_columns.c: columns of a sinusoid or a RoPE table in another order,
 * with other signs, or a part of them.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "identify/assign.h"
#include "identify/reading.h"
#include "identify/rounding.h"
#include "identify/trial.h"
#include "table/sort.h"

enum { MAX_DIM = 8192, MIN_COLUMNS = 4, MIN_ROWS = 6, MAX_STARTS = 4 };

#define MAX_BASE 1e8

/* Where columns come from in one layout, and how regular that is. */
struct origin_columns {
	size_t *from;          /* [cols] */
	size_t low, high, stride;
	bool ascending;        /* from[j] is low + j stride */
	bool regular;          /* so are they in another order */
	bool flipped;          /* some signs are -1 */
};

/* What a guess is tried for. */
struct trial_columns {
	struct finding *f;
	struct assignment *a;
	struct guess guess;
	const char *denom;
	size_t dim;
};

static int ascending(const void *a, const void *b)
{
	const size_t *x = a, *y = b;

	return integers_order(*x, *y);
}

/* Measure how regular from [cols] is; sorted [cols] is room. */
static void measure_origin(struct origin_columns *o, size_t cols,
			   size_t *sorted)
{
	memcpy(sorted, o->from, cols * sizeof *sorted);
	qsort(sorted, cols, sizeof *sorted, ascending);
	o->low = sorted[0];
	o->high = sorted[cols - 1];
	o->stride = sorted[1] - sorted[0];
	o->ascending = o->regular = o->stride > 0;
	for (size_t j = 1; j < cols; j++) {
		o->regular = o->regular &&
			     sorted[j] - sorted[j - 1] == o->stride;
		o->ascending = o->ascending && o->from[j] > o->from[j - 1];
	}
}

/* The column of a value in a layout: 1: split, 2: cosines first. */
static size_t column_of(const struct assignment *a, size_t j, size_t half,
			int layout)
{
	const size_t second = a->sine[j] ^ (layout & 2 ? 0 : 1);

	return layout & 1 ? a->k[j] + second * half : 2 * a->k[j] + second;
}

/* Choose the layout with the most regular columns; -1 if none has. */
static int choose_layout(const struct assignment *a, size_t half,
			 struct origin_columns *best)
{
	const size_t cols = a->profile->cols;
	int chosen = -1, least = 4;

	for (int layout = 0; layout < 4; layout++) {
		struct origin_columns o = {
			.from = a->room + 2 * cols * (size_t)layout,
		};
		int rank;

		for (size_t j = 0; j < cols; j++) {
			o.from[j] = column_of(a, j, half, layout);
			o.flipped = o.flipped || a->sign[j] < 0;
		}
		measure_origin(&o, cols, o.from + cols);
		rank = 2 * !o.ascending + (o.stride > 1);
		if (!o.regular || rank >= least)
			continue;
		least = rank;
		chosen = layout;
		*best = o;
	}
	return chosen;
}

/*
 * Try columns from o of a table that has so many; if it makes them, note how
 * the columns were read: "columns 8 to 39, permuted".
 */
static bool try_columns(struct finding *f, const struct origin_columns *o,
			const struct columns *c,
			const struct candidate *candidate)
{
	const bool part = f->search.profile->cols < c->all;
	char which[80] = "";
	bool good;

	f->search.columns = c;
	f->search.n = 0;
	good = candidate->options &&
	       try_candidate(&f->search, candidate, "%s", candidate->options);
	f->search.columns = NULL;
	if (!good || (!part && o->ascending && !o->flipped))
		return good;
	if (part && o->stride < 2)
		snprintf(which, sizeof which, "columns %zu to %zu", o->low,
			 o->high);
	else if (part)
		snprintf(which, sizeof which, "columns %zu, %zu, ..., %zu",
			 o->low, o->low + o->stride, o->high);
	f->reading.text = search_text(
		&f->search, "%s%s%s%s", which,
		o->ascending ? "" : part ? ", permuted" : "columns permuted",
		o->flipped && (part || !o->ascending) ? ", " : "",
		o->flipped ? "signs of some columns flipped" : "");
	f->reading.made = search_text(&f->search, "this table%s%s",
					 part ? " in its " : ", ",
					 f->reading.text);
	f->reading.columns = *c;
	f->reading.flipped = o->flipped;
	return true;
}

/* The amplitude as options: in the form that is usual, or the roundest. */
static const char *amplitude_options(const struct trial_columns *t,
				     char text[64])
{
	const struct profile *p = t->a->profile;
	const double amp = t->a->fit.amp, dim = (double)t->dim;
	const double within = amp * (1e-5 + p->noise + p->epsilon);

	if (fabs(amp - 1) <= within)
		return "";
	if (fabs(amp - sqrt(dim)) <= within)
		return option_if("amp", sqrt(dim), 1, text);
	for (int two = 1; two <= 2; two++)
		if (fabs(amp - sqrt(two / dim)) <= within)
			return option_if("amp-sqrt", two, 0, text);
	return option_if("amp", round_to_nice(amp, within), 1, text);
}

/* Try the columns as columns of a sinusoid, in the most regular layout. */
static bool try_as_sinusoid(struct trial_columns *t)
{
	const struct guess *g = &t->guess;
	struct origin_columns o = { .from = NULL };
	const int layout = choose_layout(t->a, g->half, &o);
	const struct columns c = {
		.all = t->dim, .from = o.from, .sign = t->a->sign,
	};
	struct candidate candidate = {
		.recipe = "sinusoid", .absolute = 4 * t->a->fit.amp,
		.per_position = 4 * t->a->fit.amp,
	};
	char base[64], start[64], step[64], scale[64];

	if (layout < 0)
		return false;
	candidate.options = search_text(
		&t->f->search, "len=%zu dim=%zu%s%s denom=%s%s%s%s%s",
		t->a->profile->n, t->dim, layout & 1 ? " layout=split" : "",
		layout & 2 ? " first=cos" : "", t->denom,
		option_if("base", g->base, 1e4, base),
		option_if("start", g->start * g->step, 0, start),
		option_if("step", g->step, 1, step),
		amplitude_options(t, scale));
	return try_columns(t->f, &o, &c, &candidate);
}

/*
 * Try the columns as all cosines or all sines of a RoPE table, each once, or
 * twice if full: there are as many columns as that, and none is used twice.
 */
static bool try_as_rope(struct trial_columns *t, bool full)
{
	const struct guess *g = &t->guess;
	const size_t cols = t->a->profile->cols;
	struct origin_columns o = { .from = t->a->room };
	const struct columns c = {
		.all = cols, .from = o.from, .sign = t->a->sign,
	};
	struct candidate candidate = {
		.recipe = "rope", .relative = 8, .absolute = 4,
		.per_position = 4,
	};
	size_t *seen = t->a->room + 2 * cols;
	char base[64], start[64], scaling[64] = "", number[32];

	memset(seen, 0, g->half * sizeof *seen);
	for (size_t j = 0; j < cols; j++) {
		if (t->a->sine[j] != t->a->sine[0])
			return false;
		o.from[j] = t->a->k[j] + g->half * seen[t->a->k[j]]++;
		o.flipped = o.flipped || t->a->sign[j] < 0;
	}
	measure_origin(&o, cols, o.from + cols);
	if (fabs(g->step - 1) > 0)
		snprintf(scaling, sizeof scaling, " scaling=linear:%s",
			 nice_text(1 / g->step, number));
	candidate.options = search_text(
		&t->f->search, "dim=%zu out=%s%s%s len=%zu%s%s", 2 * g->half,
		t->a->sine[0] ? "sin" : "cos", full ? "-full" : "",
		option_if("base", g->base, 1e4, base), t->a->profile->n,
		option_if("start", g->start, 0, start), scaling);
	return try_columns(t->f, &o, &c, &candidate);
}

/* Try the guess from each start that the phases allow. */
static bool try_guess(struct trial_columns *t)
{
	struct guess *g = &t->guess;
	const size_t cols = t->a->profile->cols;
	int starts = MAX_STARTS;

	if (!assign_check(t->a, g))
		return false;
	g->start = -1;
	while (starts-- && assign_next_start(t->a, g, &g->start)) {
		if (!assign_columns(t->a, g))
			continue;
		if (cols == g->half && strcmp(t->denom, "dim") == 0 &&
		    try_as_rope(t, false))
			return true;
		if (g->per > 1 ? try_as_rope(t, true) : try_as_sinusoid(t))
			return true;
	}
	return false;
}

/* Try a base with both denominators; columns of the dim may be missing. */
static bool try_dim(struct trial_columns *t, double base, size_t dim)
{
	for (int less = 0; less < 2; less++) {
		t->dim = dim;
		t->denom = less ? "half-1" : "dim";
		t->guess.half = dim / 2;
		t->guess.base = base;
		t->guess.d = (double)t->guess.half - less;
		if (try_guess(t))
			return true;
	}
	return false;
}

/*
 * Try the base that the decay and a dim have, if it has so few digits and is
 * known so well. An error of a fifth of the decay leaves it above 1.
 */
static bool try_own_base(struct trial_columns *t, size_t dim, int digits,
			 double most)
{
	const struct progression *fit = &t->a->fit;

	for (int less = 0; fit->decay > 5 * fit->decay_error && less < 2;
	     less++) {
		const double d = (double)dim / 2 - less;
		const double off = 4 * d * (fit->decay_error + 1e-12);
		const double base = exp(fit->decay * d);
		const double round = round_to_nice(base, base * off);

		if (off < most && nice_digits(round) <= digits &&
		    try_dim(t, round, dim))
			return true;
	}
	return false;
}

/* Try all columns of a table of that dim. */
static bool try_whole(struct trial_columns *t, size_t dim)
{
	const struct progression *fit = &t->a->fit;
	const double within = 4 * fit->first_error + TONE_ERROR;
	const double step = fabs(fit->first - 1) <= within
				    ? 1
				    : round_to_nice(fit->first, within);

	t->guess.step = step;
	if (nice_digits(step) > ROUND_DIGITS)
		return false;
	for (size_t b = 0; b < USUAL_BASES; b++)
		if (try_dim(t, usual_bases[b], dim))
			return true;
	return try_own_base(t, dim, ROUND_DIGITS, HUGE_VAL);
}

/* 0: a power of two; 1: a multiple of 64; 2: of 8. */
static int unusual(size_t dim)
{
	return !(dim & (dim - 1)) ? 0 : dim % 64 == 0 ? 1 : dim % 8 ? 3 : 2;
}

/*
 * Try a part of the columns of larger tables of a base, whose frequencies from
 * one to the next of the part are every so many.
 */
static bool try_part(struct trial_columns *t, double base, int every)
{
	const struct progression *fit = &t->a->fit;
	const double d = every * log(base) / fit->decay;
	const double error = 4 * d * (fit->decay_error / fit->decay) + 0.01;
	const size_t least = 2 * (size_t)fmax(ceil(d - error), 0);

	for (int rank_of_dim = 0; rank_of_dim < 3; rank_of_dim++)
		for (size_t dim = least; (double)dim / 2 <= d + error + 1;
		     dim += 2) {
			if (dim > t->a->profile->cols && dim <= MAX_DIM &&
			    unusual(dim) == rank_of_dim &&
			    try_dim(t, base, dim))
				return true;
		}
	return false;
}

static bool try_parts(struct trial_columns *t)
{
	enum { FIRST_BASES = 4, USUAL_DIM = 1024 };
	const struct progression *fit = &t->a->fit;

	t->guess.step = 1;
	/* Too few columns turn to tell how many there were. */
	for (size_t dim = 8; fit->n < 3 && dim <= USUAL_DIM; dim *= 2)
		for (size_t b = 0; b < FIRST_BASES; b++)
			if (dim > t->a->profile->cols &&
			    try_dim(t, usual_bases[b], dim))
				return true;
	if (fit->n < 3 || 4 * fit->decay_error > 0.05 * fit->decay)
		return false;
	for (int every = 1; every <= 4; every *= 2)
		for (size_t b = 0; b < USUAL_BASES; b++)
			if (try_part(t, usual_bases[b], every))
				return true;
	for (size_t dim = 8; dim <= MAX_DIM; dim += 8)
		if (dim > t->a->profile->cols &&
		    exp(fit->decay * (double)dim / 2) < MAX_BASE &&
		    try_own_base(t, dim, 2, 1e-3))
			return true;
	return false;
}

bool read_columns(struct finding *f, const struct table *table)
{
	(void)table;
	return read_columns_of(f, &f->profile);
}

size_t measure_columns(struct finding *f, double most)
{
	const struct profile *p = &f->profile;

	if (!f->tones)
		f->tones = search_alloc(&f->search, 2 * p->cols,
					sizeof *f->tones);
	if (!f->tones)
		return 0;
	if (!f->fast)
		f->fast = measure_tones(p, most, f->tones);
	return f->fast;
}

bool read_columns_of(struct finding *f, const struct profile *p)
{
	struct assignment a;
	struct trial_columns t = { .f = f, .a = &a, .guess = { .per = 1 } };
	const size_t cols = p->cols;
	double most = HUGE_VAL;

	if (!p->finite || p->integers || cols < MIN_COLUMNS ||
	    cols > MAX_HALF || p->n < MIN_ROWS)
		return false;
	f->reading.profile = *p;
	f->search.profile = &f->reading.profile;
	/* The most that a column may leave of a sine which a command makes. */
	if (!(p->assumed > 0))
		most = (MAX_TOLERANCE + 2 * p->noise) *
			       fmax(fabs(p->min), fabs(p->max)) +
		       2 * p->abs_noise;
	if (!measure_columns(f, most) ||
	    !assign_begin(&a, &f->search, f->tones))
		return false;
	/*
	 * Under noise, fits leave residuals so small that MIN_ROWS values say
	 * more than which column, of which sign, they are.
	 */
	if ((cols % 2 == 0 && try_whole(&t, cols)) ||
	    try_whole(&t, 2 * cols) || try_parts(&t))
		return true;
	t.guess.per = 2;
	return cols % 2 == 0 && try_whole(&t, cols);
}
