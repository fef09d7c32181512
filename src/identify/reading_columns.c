/*
 * reading_columns.c: columns of a sinusoid or a RoPE table in another order,
 * with other signs, or a part of them. The frequencies and phases of those that
 * turn tell the series; then each column is the nearest wave of it.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "identify/frequencies.h"
#include "identify/reading.h"
#include "identify/rounding.h"
#include "identify/spectrum.h"
#include "identify/trial.h"
#include "table/sort.h"

enum { MAX_DIM = 8192, MAX_HALF = 16384, MIN_COLUMNS = 4, MIN_ROWS = 6 };
enum { MAX_START = 4096, FEW_TONES = 3, FEW_STARTS = 64, MAX_STARTS = 4 };
enum { COMPARED = 24, MAX_ASSIGNED = 12 };  /* rows; guesses */

#define MAX_BASE 1e8
#define QUARTER (TWO_PI / 4)

/* A series that is guessed, and which of its waves each column is. */
struct guess {
	struct finding *f;
	const struct profile *profile;
	const struct tone *tones;   /* [cols] */
	struct series fit;          /* of the frequencies of fast ones, */
	size_t different;           /* of which there are so many */
	double amp;                 /* their mean amplitude */
	/* Row t has the angles (t + start) step base^(-k / d), k < half. */
	double base, d, step, start;
	size_t dim, half;           /* half: MAX_HALF at most */
	const char *denom;
	size_t per;                 /* columns that may have the same values */
	size_t *wave;               /* [cols] 2 k: cosines, 2 k + 1: sines */
	double *sign;               /* [cols] */
	size_t *room;               /* [8 * cols] */
	size_t *used;               /* [2 * half] */
	double *values;             /* [2 * half, COMPARED] */
	int tries;                  /* how often columns were assigned */
};

/* Where columns come from in one layout, and how regular that is. */
struct origin_columns {
	size_t *from;          /* [cols] */
	size_t low, high, stride;
	bool ascending;        /* from[j] is low + j stride */
	bool regular;          /* so are they in another order */
	bool flipped;          /* some signs are -1 */
};

/* Fit a series to the fast columns; false if they form none, or vary. */
static bool fit_tones(struct guess *g, struct tone *sorted)
{
	double *w = (double *)(void *)g->room, *error = w;
	size_t n = 0;

	g->amp = 0;
	for (size_t j = 0; j < g->profile->cols; j++)
		if (g->tones[j].fast) {
			sorted[n++] = g->tones[j];
			g->amp += g->tones[j].amp;
		}
	g->amp /= (double)n;
	if (fabs(g->amp - 1) < 0.002)
		g->amp = 1;
	for (size_t j = 0; j < n; j++)
		if (fabs(sorted[j].amp - g->amp) > 0.02 * g->amp)
			return false;
	n = g->different = distinct_tones(sorted, n);
	error += n;
	for (size_t j = 0; j < n; j++) {
		w[j] = sorted[j].w;
		error[j] = sorted[j].error;
	}
	g->fit = (struct series){ .tolerance = TONE_ERROR / 10 };
	if (!series_fit(&g->fit, w, error, n))
		return false;
	for (size_t j = 0; j < n; j++)
		if (fabs(sorted[j].w - g->fit.first *
			 exp(-(double)j * g->fit.decay)) >
		    2 * sorted[j].error + TONE_ERROR * sorted[j].w)
			return false;
	return true;
}

/* Prepare to assign columns; false if they form no series. */
static bool begin(struct guess *g, struct tone *tones)
{
	const size_t cols = g->profile->cols;

	_Static_assert(sizeof *g->wave <= sizeof *g->sign, "they share memory");
	g->tones = tones;
	g->sign = search_alloc(&g->f->search, 10 * cols + (size_t)(2 + 2 *
			       COMPARED) * MAX_HALF, sizeof *g->sign);
	if (!g->sign)
		return false;
	g->values = g->sign + cols;
	g->wave = (size_t *)(void *)(g->values + (size_t)2 * COMPARED *
				     MAX_HALF);
	g->room = g->wave + cols;
	g->used = g->room + 8 * cols;
	if (!fit_tones(g, tones + cols))
		return false;
	/* Every column but small ones is a sine as a recurrence has it. */
	for (size_t j = 0; j < cols; j++)
		if (tones[j].off > 0.05 && tones[j].rms > 0.1 * g->amp)
			return false;
	return true;
}

static double frequency(const struct guess *g, size_t k)
{
	return g->step * pow(g->base, -(double)k / g->d);
}

/* The k of the frequency nearest to w; false if none is as near as measured. */
static bool find_frequency(const struct guess *g, const struct tone *o,
			   size_t *k)
{
	const double at =
		fmax(0, rint(-log(o->w / g->step) * g->d / log(g->base)));

	*k = (size_t)at;
	return at < (double)g->half &&
	       fabs(frequency(g, *k) - o->w) <=
		       2 * o->error + TONE_ERROR * o->w;
}

/* Whether all fast columns have a frequency of the guess. */
static bool has_frequencies(const struct guess *g)
{
	size_t k;

	for (size_t j = 0; j < g->profile->cols; j++)
		if (g->tones[j].fast && !find_frequency(g, &g->tones[j], &k))
			return false;
	return true;
}

/* Quarters of a turn from the wave k of a fast column to its phase. */
static double quarters(const struct guess *g, const struct tone *o, size_t *k)
{
	find_frequency(g, o, k);
	return (o->phase - frequency(g, *k) * g->start) / QUARTER;
}

/* Whether the phases of fast columns are whole quarters of a turn. */
static bool start_fits(const struct guess *g)
{
	const double n = (double)g->profile->n;

	for (size_t j = 0; j < g->profile->cols; j++) {
		const struct tone *o = &g->tones[j];
		size_t k;
		const double off = o->fast ? quarters(g, o, &k) : 0;

		if (fabs(off - rint(off)) * QUARTER >
		    0.01 + n * (o->error + TONE_ERROR * o->w))
			return false;
	}
	return true;
}

/* The next start, a whole number, that the phases allow. */
static bool next_start(struct guess *g)
{
	/* A few phases agree with many starts. */
	const double most = g->different < FEW_TONES ? FEW_STARTS : MAX_START;

	while (++g->start <= most)
		if (start_fits(g))
			return true;
	return false;
}

/* Row r of those that are compared: the last ones tell slow columns apart. */
static size_t row_of(const struct profile *p, size_t r)
{
	return p->n - 1 - r * (p->n - 1) / COMPARED;
}

/* The values of all waves in some rows. */
static void make_values(const struct guess *g)
{
	const enum dtype d = g->profile->stored;

	for (size_t k = 0; k < g->half; k++)
		for (size_t r = 0; r < COMPARED; r++) {
			double *made = g->values + 2 * k * COMPARED + r;
			const double row = (double)row_of(g->profile, r);
			const double at = frequency(g, k) * (row + g->start);

			made[0] = dtype_round(d, g->amp * cos(at));
			made[COMPARED] = dtype_round(d, g->amp * sin(at));
		}
}

/* Assign a column to the nearest wave that is not used up; false: none is. */
static bool assign_nearest(const struct guess *g, size_t j)
{
	double least = g->amp * g->amp * 1e-4 * COMPARED, x[COMPARED];
	size_t best = SIZE_MAX;

	for (size_t r = 0; r < COMPARED; r++)
		x[r] = profile_row(g->profile, row_of(g->profile, r))[j];
	for (size_t i = 0; i < 2 * g->half; i++) {
		const double *made = g->values + i * COMPARED;
		const double sign = made[0] * x[0] < 0 ? -1 : 1;
		double off = g->used[i] < g->per ? 0 : HUGE_VAL;

		for (size_t r = 0; r < COMPARED && off <= least; r++)
			off += pow(x[r] - sign * made[r], 2);
		if (off > least || (best != SIZE_MAX && off >= least))
			continue;
		least = off;
		best = i;
		g->sign[j] = sign;
	}
	if (best == SIZE_MAX)
		return false;
	g->used[best]++;
	g->wave[j] = best;
	return true;
}

/* Assign a fast column by its frequency and phase; false if it is used up. */
static bool assign_tone(const struct guess *g, size_t j)
{
	size_t k;
	double turned = rint(quarters(g, &g->tones[j], &k));

	turned -= 4 * floor(turned / 4);
	g->wave[j] = 2 * k + (turned == 1 || turned == 3);
	g->sign[j] = turned == 1 || turned == 2 ? -1 : 1;
	return g->used[g->wave[j]]++ < g->per;
}

/* Assign all columns; false if one is none of the guess. */
static bool assign_columns(struct guess *g)
{
	const size_t cols = g->profile->cols;

	memset(g->used, 0, 2 * g->half * sizeof *g->used);
	for (size_t j = 0; j < cols; j++)
		if (g->tones[j].fast && !assign_tone(g, j))
			return false;
	if (g->tries++ >= MAX_ASSIGNED)
		return false;
	make_values(g);
	for (size_t j = 0; j < cols; j++)
		if (!g->tones[j].fast && !assign_nearest(g, j))
			return false;
	return true;
}

static int ascending(const void *a, const void *b)
{
	const size_t *x = a, *y = b;

	return integers_order(*x, *y);
}

/* Measure how regular from [cols] is; its second half is room. */
static void measure_origin(struct origin_columns *o, const struct guess *g)
{
	const size_t cols = g->profile->cols;
	size_t *sorted = o->from + cols;

	memcpy(sorted, o->from, cols * sizeof *sorted);
	qsort(sorted, cols, sizeof *sorted, ascending);
	o->low = sorted[0];
	o->high = sorted[cols - 1];
	o->stride = sorted[1] - sorted[0];
	o->ascending = o->regular = o->stride > 0;
	for (size_t j = 0; j < cols; j++) {
		o->flipped = o->flipped || g->sign[j] < 0;
		if (!j)
			continue;
		o->regular = o->regular &&
			     sorted[j] - sorted[j - 1] == o->stride;
		o->ascending = o->ascending && o->from[j] > o->from[j - 1];
	}
}

/* The column of a wave in a layout: 1: split, 2: cosines first. */
static size_t column_of(const struct guess *g, size_t wave, int layout)
{
	const size_t second = wave % 2 ^ (layout & 2 ? 0 : 1);

	return layout & 1 ? wave / 2 + second * g->half
			  : wave / 2 * 2 + second;
}

/* Choose the layout with the most regular columns; -1 if none has. */
static int choose_layout(const struct guess *g, struct origin_columns *best)
{
	const size_t cols = g->profile->cols;
	int chosen = -1, least = 4;

	for (int layout = 0; layout < 4; layout++) {
		struct origin_columns o = {
			.from = g->room + 2 * cols * (size_t)layout,
		};
		int rank;

		for (size_t j = 0; j < cols; j++)
			o.from[j] = column_of(g, g->wave[j], layout);
		measure_origin(&o, g);
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
static bool try_columns(const struct guess *g, const struct origin_columns *o,
			size_t all, const struct candidate *candidate)
{
	struct finding *f = g->f;
	const struct columns c = {
		.all = all, .from = o->from, .sign = g->sign,
	};
	const bool part = g->profile->cols < all;
	char which[80] = "";
	bool good;

	f->search.columns = &c;
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
	f->reading.columns = c;
	f->reading.flipped = o->flipped;
	return true;
}

/* The amplitude as options: in the form that is usual, or the roundest. */
static const char *amplitude_options(const struct guess *g, char text[64])
{
	const double amp = g->amp, dim = (double)g->dim;
	const double within =
		amp * (1e-5 + g->profile->noise + g->profile->epsilon);

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
static bool try_as_sinusoid(const struct guess *g)
{
	struct origin_columns o = { .from = NULL };
	const int layout = choose_layout(g, &o);
	struct candidate candidate = {
		.recipe = "sinusoid", .absolute = 4 * g->amp,
		.per_position = 4 * g->amp,
	};
	char base[64], start[64], step[64], scale[64];

	if (layout < 0)
		return false;
	candidate.options = search_text(
		&g->f->search, "len=%zu dim=%zu%s%s denom=%s%s%s%s%s",
		g->profile->n, g->dim, layout & 1 ? " layout=split" : "",
		layout & 2 ? " first=cos" : "", g->denom,
		option_if("base", g->base, 1e4, base),
		option_if("start", g->start * g->step, 0, start),
		option_if("step", g->step, 1, step),
		amplitude_options(g, scale));
	return try_columns(g, &o, g->dim, &candidate);
}

/*
 * Try the columns as all cosines or all sines of a RoPE table, each once, or
 * twice if full: there are as many columns as that, and none is used twice.
 */
static bool try_as_rope(const struct guess *g, bool full)
{
	const size_t cols = g->profile->cols;
	struct origin_columns o = { .from = g->room };
	struct candidate candidate = {
		.recipe = "rope", .relative = 8, .absolute = 4,
		.per_position = 4,
	};
	size_t *seen = g->room + 2 * cols;
	char base[64], start[64], scaling[64] = "", number[32];

	memset(seen, 0, g->half * sizeof *seen);
	for (size_t j = 0; j < cols; j++) {
		const size_t k = g->wave[j] / 2;

		if (g->wave[j] % 2 != g->wave[0] % 2)
			return false;
		o.from[j] = k + g->half * seen[k]++;
	}
	measure_origin(&o, g);
	if (fabs(g->step - 1) > 0)
		snprintf(scaling, sizeof scaling, " scaling=linear:%s",
			 nice_text(1 / g->step, number));
	candidate.options = search_text(
		&g->f->search, "dim=%zu out=%s%s%s len=%zu%s%s", 2 * g->half,
		g->wave[0] % 2 ? "sin" : "cos", full ? "-full" : "",
		option_if("base", g->base, 1e4, base), g->profile->n,
		option_if("start", g->start, 0, start), scaling);
	return try_columns(g, &o, cols, &candidate);
}

/* Try the guess from each start that the phases allow. */
static bool try_guess(struct guess *g)
{
	int starts = MAX_STARTS;

	if (!has_frequencies(g))
		return false;
	g->start = -1;
	while (starts-- && next_start(g)) {
		if (!assign_columns(g))
			continue;
		if (g->profile->cols == g->half &&
		    strcmp(g->denom, "dim") == 0 && try_as_rope(g, false))
			return true;
		if (g->per > 1 ? try_as_rope(g, true) : try_as_sinusoid(g))
			return true;
	}
	return false;
}

/* Try a base with both denominators; columns of the dim may be missing. */
static bool try_dim(struct guess *g, double base, size_t dim)
{
	for (int less = 0; less < 2; less++) {
		g->dim = dim;
		g->denom = less ? "half-1" : "dim";
		g->half = dim / 2;
		g->base = base;
		g->d = (double)g->half - less;
		if (try_guess(g))
			return true;
	}
	return false;
}

/*
 * Try the base that the decay and a dim have, if it has so few digits and is
 * known so well. An error of a fifth of the decay leaves it above 1.
 */
static bool try_own_base(struct guess *g, size_t dim, int digits, double most)
{
	const struct series *fit = &g->fit;

	for (int less = 0; fit->decay > 5 * fit->decay_error && less < 2;
	     less++) {
		const double d = (double)dim / 2 - less;
		const double off = 4 * d * (fit->decay_error + 1e-12);
		const double base = exp(fit->decay * d);
		const double round = round_to_nice(base, base * off);

		if (off < most && nice_digits(round) <= digits &&
		    try_dim(g, round, dim))
			return true;
	}
	return false;
}

/* Try all columns of a table of that dim. */
static bool try_whole(struct guess *g, size_t dim)
{
	const double first = g->fit.first;
	const double within = 4 * first * g->fit.first_error + TONE_ERROR;

	g->step = fabs(first - 1) <= within ? 1 : round_to_nice(first, within);
	if (nice_digits(g->step) > ROUND_DIGITS)
		return false;
	for (size_t b = 0; b < USUAL_BASES; b++)
		if (try_dim(g, usual_bases[b], dim))
			return true;
	return try_own_base(g, dim, ROUND_DIGITS, HUGE_VAL);
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
static bool try_part(struct guess *g, double base, int every)
{
	const struct series *fit = &g->fit;
	const double d = every * log(base) / fit->decay;
	const double error = 4 * d * (fit->decay_error / fit->decay) + 0.01;
	const size_t least = 2 * (size_t)fmax(ceil(d - error), 0);

	for (int rank = 0; rank < 3; rank++)
		for (size_t dim = least; (double)dim / 2 <= d + error + 1;
		     dim += 2)
			if (dim > g->profile->cols && dim <= MAX_DIM &&
			    unusual(dim) == rank && try_dim(g, base, dim))
				return true;
	return false;
}

static bool try_parts(struct guess *g)
{
	enum { FIRST_BASES = 4, USUAL_DIM = 1024 };
	const struct series *fit = &g->fit;

	g->step = 1;
	/* Too few columns turn to tell how many there were. */
	for (size_t dim = 8; g->different < 3 && dim <= USUAL_DIM; dim *= 2)
		for (size_t b = 0; b < FIRST_BASES; b++)
			if (dim > g->profile->cols &&
			    try_dim(g, usual_bases[b], dim))
				return true;
	if (g->different < 3 || 4 * fit->decay_error > 0.05 * fit->decay)
		return false;
	for (int every = 1; every <= 4; every *= 2)
		for (size_t b = 0; b < USUAL_BASES; b++)
			if (try_part(g, usual_bases[b], every))
				return true;
	for (size_t dim = 8; dim <= MAX_DIM; dim += 8)
		if (dim > g->profile->cols &&
		    exp(fit->decay * (double)dim / 2) < MAX_BASE &&
		    try_own_base(g, dim, 2, 1e-3))
			return true;
	return false;
}

size_t measure_columns(struct finding *f, double most)
{
	const struct profile *p = &f->profile;

	if (!f->tones)
		f->tones = search_alloc(&f->search, 2 * p->cols,
					sizeof *f->tones);
	if (f->tones && !f->fast)
		f->fast = measure_tones(p, most, f->tones);
	return f->fast;
}

bool read_columns_of(struct finding *f, const struct profile *p)
{
	struct guess g = { .f = f, .profile = &f->reading.profile, .per = 1 };
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
	if (!measure_columns(f, most) || !begin(&g, f->tones))
		return false;
	/*
	 * Under noise, fits leave residuals so small that MIN_ROWS values say
	 * more than which column, of which sign, they are.
	 */
	if ((cols % 2 == 0 && try_whole(&g, cols)) ||
	    try_whole(&g, 2 * cols) || try_parts(&g))
		return true;
	g.per = 2;
	return cols % 2 == 0 && try_whole(&g, cols);
}

bool read_columns(struct finding *f, const struct table *table)
{
	(void)table;
	return read_columns_of(f, &f->profile);
}
