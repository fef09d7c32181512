/* sinusoid.c: sines and cosines of positions, in any known layout. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "text/decimal.h"
#include "identify/families.h"
#include "identify/frequencies.h"
#include "identify/rounding.h"

enum { LEVELS = 5, TRIES = 8, FEW_PAIRS = 4 };

/* Beyond the slowest pair's first turn, integers up to this are tried. */
#define FARTHEST 0x1p24

/* No more turns of it are tried: those of fast pairs are many. */
#define MOST_TURNS 0x1p17

/* Error of a position that double arithmetic leaves. */
#define POSITION_ERROR 1e-12

/* Where starts are searched. */
enum effort {
	NEAR,		       /* in the slowest pair's first turn, */
	FAR,		       /* beyond it, */
	ODD,		       /* or with a parameter of any digits */
};

/* How columns are read, with buffers for what is measured from them. */
struct waves {
	struct pair_layout layout;
	bool split;
	const char *odd;       /* --odd if the columns are odd, or "" */
	size_t zero, zeros;    /* a row of zeros, and how many there are */
	enum effort effort;
	double *phase, *error; /* [pairs] */
	double *frequency;     /* [pairs] */
	double *positions;     /* [n] */
	char *positions_text;  /* [n, NUMBER_ROOM] */
};

/* Options of a candidate besides those of the layout. */
struct parameters {
	const struct base *base;
	double start, step, scale;
	bool near;	       /* these, the base and amp are near values */
	double amp, amp_sqrt;
	bool fewer;	       /* --odd fewer: the last column is left out */
	const char *positions; /* a list instead of start and step, or NULL */
	const char *note;      /* of the candidate */
	double zero;	       /* position of a row of zeros */
};

/* What the first frequency tells of the exponents, or NULL. */
static const char *exponent_note(struct search *s, const struct parameters *o)
{
	const double unit = o->scale * fabs(o->step), base = round_to_usual(
		o->base->value, o->near ? 1e-4 * o->base->value : 0);
	const double off = -log(unit) / log(base) * 2 * o->base->d;

	if (fabs(off) < 0.5 || fabs(off) > 2.5 || !(base > 1) ||
	    nice_digits(base) > ROUND_DIGITS ||
	    fabs(off - rint(off)) > 1e-5)
		return o->note;
	return search_text(s, "the exponent of pair k is (2k %c %.0f)/%.0f in "
			   "place of 2k/%.0f", off > 0 ? '+' : '-', fabs(off),
			   2 * o->base->d, 2 * o->base->d);
}

/* The amplitude in the form that is usual, or the roundest value near it. */
static void choose_amplitude(const struct search *s, const struct waves *w,
			     struct parameters *o)
{
	const double d = (double)s->profile->cols, x = w->layout.amp;
	const double within = 8 * x * w->layout.amp_error;
	double off = within;

	o->amp = round_to_nice(x, within);
	for (int i = 0; i < 4; i++) {
		/* dim may be odd, with one column more than there are. */
		const double two = 1 + i % 2, dim = d + (i > 1);

		if (fabs(sqrt(two / dim) - x) > off)
			continue;
		off = fabs(sqrt(two / dim) - x);
		o->amp = 1;
		o->amp_sqrt = two;
		o->fewer = i > 1;
	}
	if (fabs(sqrt(d) - x) <= within)
		o->amp = sqrt(d);
	if (fabs(1 - x) <= within) {
		o->amp = 1;
		o->amp_sqrt = 0;
		o->fewer = false;
	}
	if (w->layout.negated)
		o->amp = -o->amp;
}

/* An option, of a number that is to be fitted if that is near. */
static const char *number(const struct parameters *o, const char *name,
			  char kind, double x, double initial, char text[64])
{
	if (!o->near || (kind == '?' && fabs(x) == 1))
		return option_if(name, x, initial, text);
	snprintf(text, 64, " %s=%s%c%.17g", name, x < 0 && kind == '?' ? "-"
		 : "", kind, kind == '?' ? fabs(x) : x);
	return text;
}

/* Try a base and positions with the amplitude of the layout. */
static bool try_parameters(struct search *s, const struct waves *w,
			   struct parameters *o)
{
	const bool full = fabs(o->scale / TWO_PI - 1) < 1e-9;
	char base[64], start[64], step[64], scale[64], amp[64], amp_sqrt[64];
	char zero[64], len[64], more[512];
	const struct candidate c = {
		.recipe = "sinusoid", .absolute = 4 * w->layout.amp,
		.per_position = 4 * w->layout.amp * fabs(o->scale),
		.independent = w->layout.pairs,
		.note = exponent_note(s, o),
	};

	choose_amplitude(s, w, o);
	snprintf(len, sizeof len, "len=%zu", s->profile->n);
	snprintf(zero, sizeof zero, " zero-row=%.0f", o->zero);
	number(o, "amp", '?', o->amp, 1, amp);
	snprintf(more, sizeof more,
		 " dim=%zu%s%s%s%s%s denom=%s%s%s%s%s%s%s%s%s",
		 s->profile->cols + o->fewer, w->split ? " layout=split" : "",
		 w->layout.cosine_first ? " first=cos" : "",
		 w->odd[0] ? " odd=" : "", w->odd, o->fewer ? " odd=fewer" : "",
		 o->base->denom,
		 number(o, "base", '?', o->base->value, USUAL_BASE, base),
		 number(o, "step", '?', o->step, 1, step),
		 number(o, "angle-scale", '?', full ? 1 : o->scale, 1, scale),
		 number(o, "start", '~', o->start, 0, start),
		 full ? " full-turns" : "", amp,
		 option_if("amp-sqrt", o->amp_sqrt, 0, amp_sqrt),
		 w->zeros ? zero : "");
	if (o->near)
		return solve_near(s, &c, search_text(s, "%s%s", len, more));
	return try_candidate(s, &c, "%s%s%s", o->positions ? "positions="
			     : len, o->positions ? o->positions : "", more);
}

/* Measure the phases of all pairs of a row. */
static void measure_row(const struct search *s, const struct waves *w,
			size_t row)
{
	for (size_t k = 0; k < w->layout.pairs; k++)
		w->phase[k] = pair_phase(&w->layout, s->profile, row, k,
					 &w->error[k]);
}

/*
 * Try positions from a start, where row first is at position at in units of
 * the first frequency: either they or the angles are scaled.
 */
static bool try_start(struct search *s, const struct waves *w,
		      const struct base *base, double unit, double at,
		      double error, size_t first)
{
	const double scale = fabs(unit), step = copysign(1, unit);
	const double starts[] = {
		round_to_decimals(at - (double)first * unit, error),
		round_to_decimals(at / scale - (double)first * step,
				  error / scale),
	};
	/* Integer positions are likelier than others. */
	const bool integer = rint(starts[0]) == starts[0] ||
			     rint(starts[1]) != starts[1];
	bool good = false;

	for (int i = 0; i < 1 + (fabs(unit) != 1); i++) {
		const int k = integer ? i : 1 - i;
		struct parameters one = {
			.base = base, .start = starts[k],
			.step = k ? step : unit, .scale = k ? scale : 1,
			.near = w->effort == ODD,
		};

		one.zero = one.start + (double)w->zero * one.step;
		good |= try_parameters(s, w, &one);
	}
	return good;
}

/*
 * Find the start in the first turn of the slowest pair; if far, beyond it,
 * where only whole positions are found, whose angles double arithmetic made.
 */
static bool find_start(struct search *s, const struct waves *w,
		       const struct base *base, double step, size_t first)
{
	struct series one = series_of_base(s->profile, base->value, base->d);
	const double slowest = exp(-one.decay * (double)(w->layout.pairs - 1));
	const bool near = w->effort == NEAR;
	/* A single pair has the phases of many integers. */
	const double most = FARTHEST * slowest / TWO_PI /
			    (w->layout.pairs > 1 ? 1 : 1024);
	const double turns = near ? 0 : fmin(MOST_TURNS, most);
	int tries = TRIES;
	double at, error;

	if (!near)
		one.first_error = 0x1p-50;
	for (double turn = near ? 0 : 1; tries && fabs(turn) <= turns;
	     turn = turn > 0 ? -turn : 1 - turn) {
		/* The clock costs more than a turn. */
		if (fmod(turn, 64) == 0 && search_over(s))
			return false;
		if (!series_position(&one, w->phase, w->error, w->layout.pairs,
				     turn, &at, &error))
			continue;
		error = 6 * error + POSITION_ERROR;
		if (!near && !(fabs(at - rint(at)) < error))
			continue;
		tries--;
		if (try_start(s, w, base, step, at, error, first))
			return true;
	}
	return false;
}

/* The roundest step near; 2 pi is round, too. */
static double round_step(double step, double within)
{
	return fabs(fabs(step) - TWO_PI) <= within ? copysign(TWO_PI, step)
						 : round_to_nice(step, within);
}

/* series_bases() of the table's columns. */
static size_t list_bases(const struct search *s, const struct waves *w,
			 const struct series *l, double within,
			 struct base bases[MAX_BASES])
{
	return series_bases(l, within, s->profile->cols,
			    strcmp(w->odd, "round-up") == 0, bases);
}

/* Try what is near a series measured from row first on, but for a number. */
static bool fit_values(struct search *s, struct waves *w,
		       const struct series *l, size_t first)
{
	const struct match nearest = s->nearest;
	const size_t before = s->n;
	const double round = round_step(l->first, 6 * fabs(l->first) *
					(l->first_error + SERIES_ERROR));
	const bool usual = fabs(round) == 1 || fabs(round) == TWO_PI;
	struct series one = *l;
	struct base bases[MAX_BASES];
	const size_t n = list_bases(s, w, l, 0, bases);
	double at, error;

	one.first = 1;
	one.first_error = l->decay_error * (double)w->layout.pairs;
	if (w->layout.pairs < 2 ||
	    !series_position(&one, w->phase, w->error, w->layout.pairs, 0, &at,
			     &error))
		return false;
	for (size_t k = 0; k < n; k++)
		try_start(s, w, &bases[k], usual ? round : l->first, at, 0,
			  first);
	/* Odd digits are near to any table. */
	s->nearest = nearest;
	return s->n > before;
}

/*
 * Find the positions of all rows, rounded within so many times their errors;
 * false if a row has none.
 */
static bool find_positions(struct search *s, const struct waves *w,
			   const struct series *one, double within)
{
	double least = HUGE_VAL, *at = w->positions, error = 0;

	for (size_t i = 0; i < s->profile->n; i++) {
		if (profile_zero_row(s->profile, i)) {
			at[i] = NAN;
			continue;
		}
		measure_row(s, w, i);
		if (!search_goes_on(s, series_position(one, w->phase, w->error,
						       w->layout.pairs, 0,
						       &at[i], &error)))
			return false;
		at[i] = round_to_decimals(at[i], within * error +
					  (within > 1 ? POSITION_ERROR : 0));
		least = fmin(least, at[i]);
	}
	/* Rows of zeros get a position that no other row has. */
	for (size_t i = 0; i < s->profile->n; i++)
		if (isnan(at[i]))
			at[i] = floor(least) - 1;
	return true;
}

/* Whether positions are one step apart; sets the step, 1 for one position. */
static bool evenly_spaced(const double *at, size_t n, double *step)
{
	*step = n > 1 ? at[1] - at[0] : 1;
	for (size_t i = 1; i < n; i++)
		if (fabs(at[i] - fma((double)i, *step, at[0])) >
		    1e-9 * fabs(*step))
			return false;
	return *step != 0;
}

/* Functions of the row that programs take positions from. */
static const struct {
	double (*of)(double row);
	const char *note;
} functions[] = {
	{ log1p, "the position of row i is log(1 + i)" },
	{ sqrt, "the position of row i is the square root of i" },
};

/* Put a function in place of positions that have its values; what it is. */
static const char *find_function(double *at, size_t n, int digits)
{
	for (size_t k = 0; k < COUNT(functions); k++) {
		size_t i = 0;

		while (i < n && fabs(at[i] - functions[k].of((double)i)) <
					1e-5 * (1 + fabs(at[i])))
			i++;
		if (i < n)
			continue;
		for (i = 0; i < n; i++)
			at[i] = round_digits(functions[k].of((double)i),
					     digits);
		return functions[k].note;
	}
	return NULL;
}

/* Try a base with any positions of the rows. */
static bool try_rows(struct search *s, const struct waves *w,
		     const struct base *base, double within)
{
	const struct series one = series_of_base(s->profile, base->value,
						 base->d);
	const size_t n = s->profile->n;
	double *at = w->positions;
	struct parameters o = { .base = base, .scale = 1 };
	char number[NUMBER_ROOM];
	size_t length = 0;

	if (!find_positions(s, w, &one, w->effort == ODD ? within : 6))
		return false;
	o.start = at[0];
	o.zero = at[w->zero];
	if (!evenly_spaced(at, n, &o.step)) {
		o.note = find_function(at, n, s->profile->stored == F64 ? 17
								  : 8);
		for (size_t i = 0; i < n; i++)
			length += (size_t)snprintf(
				w->positions_text + length, NUMBER_ROOM, "%s%s",
				i ? "," : "", nice_text(at[i], number));
		o.positions = w->positions_text;
		o.start = 0;
		o.step = 1;
	}
	return try_parameters(s, w, &o);
}

/* The row of a series whose decay alone is known. */
#define NO_ROW SIZE_MAX

/*
 * Try the bases of a series, less and less rounded. It was measured from row to
 * row, from row first on; without one, rows may have any positions.
 */
static bool fit_series(struct search *s, struct waves *w,
		       const struct series *l, size_t first)
{
	const size_t before = s->n;
	struct base round[MAX_BASES];
	const size_t rounds =
		first == NO_ROW ? 0 : list_bases(s, w, l, 6, round);
	bool good = false;

	if (first != NO_ROW)
		measure_row(s, w, first);
	if (first != NO_ROW && w->effort == ODD)
		return fit_values(s, w, l, first);
	for (int level = 0; !search_has_exact(s, before) &&
			    level < (w->effort == FAR ? 2 : LEVELS);
	     level++) {
		const double within = 6 * pow(0.1, level);
		struct base bases[MAX_BASES];
		const size_t n = list_bases(s, w, l, within, bases);
		const double step = round_step(
			l->first, within * fabs(l->first) *
					  (l->first_error + SERIES_ERROR));

		/* Rows that are all equal have no start. */
		if (first != NO_ROW && step == 0)
			return good;
		/* One odd number is likelier than two. */
		for (size_t k = 0; level && k < rounds; k++)
			good |= find_start(s, w, &round[k], step, first);
		for (size_t k = 0; k < n; k++)
			good |= first == NO_ROW
				? try_rows(s, w, &bases[k], within)
				: find_start(s, w, &bases[k], step, first);
		s->strict = s->n > before;
	}
	s->strict = false;
	return good;
}

/*
 * The first row that is not zero, and whose next is not, if there is one. Rows
 * of a file that has shrunk since they were counted are all zero.
 */
static size_t first_row(const struct waves *w, const struct profile *p)
{
	size_t i = 0;

	if (w->zeros == 1 && w->zero == 1 && p->n > 2)
		return 2;
	while (i + 1 < p->n && profile_zero_row(p, i))
		i++;
	return i;
}

/* Whether rows may have any positions; a single pair has one for any row. */
static bool rows_have_positions(const struct search *s, const struct waves *w)
{
	return w->effort != FAR && (w->layout.pairs > 1 || s->profile->n == 1);
}

/* Try usual bases if there are too few pairs or rows to measure one. */
static bool try_usual(struct search *s, struct waves *w, size_t first)
{
	const double half = (double)w->layout.pairs;
	/* One pair has the frequency 1 whatever the base. */
	const size_t n =
		w->layout.pairs > 1 ? (size_t)2 * USUAL_BASES : 1;

	for (size_t i = 0; i < n; i++) {
		const double d =
			i % 2 ? half - 1 : (double)s->profile->cols / 2;
		const struct series one = {
			.first = 1, .decay = log(usual_bases[i / 2]) / d,
		};
		struct series l = one;

		if (rows_have_positions(s, w) && fit_series(s, w, &one, NO_ROW))
			return true;
		if (first + 1 == s->profile->n || w->zeros > 1)
			continue;
		measure_frequencies(&w->layout, s->profile, first, w->frequency,
				    w->error);
		if (!series_position(&one, w->frequency, w->error,
				     w->layout.pairs, 0, &l.first,
				     &l.first_error))
			continue;
		l.first_error /= fmax(fabs(l.first), DBL_MIN);
		if (fit_series(s, w, &l, first))
			return true;
	}
	return false;
}

/* Try the series that the phases of one row form. */
static bool try_row(struct search *s, struct waves *w, size_t i)
{
	struct series l = { .tolerance = series_tolerance(s->profile) };

	if (i >= s->profile->n || profile_zero_row(s->profile, i))
		return false;
	measure_row(s, w, i);
	return series_fit(&l, w->phase, w->error, w->layout.pairs) &&
	       fit_series(s, w, &l, NO_ROW);
}

static bool try_series(struct search *s, struct waves *w, size_t first)
{
	const struct pair_layout *layout = &w->layout;
	struct series l = { .tolerance = series_tolerance(s->profile) };

	if (first + 1 < s->profile->n && w->zeros < 2) {
		measure_frequencies(layout, s->profile, first, w->frequency,
				    w->error);
		if (series_fit(&l, w->frequency, w->error, layout->pairs) &&
		    fit_series(s, w, &l, first))
			return true;
	}
	if (rows_have_positions(s, w) &&
	    (try_row(s, w, first) || try_row(s, w, first + 1) ||
	     try_row(s, w, s->profile->n - 1)))
		return true;
	return (layout->pairs <= FEW_PAIRS || s->profile->n == 1) &&
	       try_usual(s, w, first);
}

/* Try sines first and cosines first, all negated and none. */
static void try_signs(struct search *s, struct waves *w)
{
	const size_t first = first_row(w, s->profile);

	if (!pairs_circular(&w->layout, s->profile, first))
		return;
	for (int k = 0; k < 4; k++) {
		w->layout.cosine_first = k % 2;
		w->layout.negated = k / 2;
		if (try_series(s, w, first))
			return;
	}
	/* Under assumed noise, verdicts are dropped. */
	if (s->profile->noise < COARSE_NOISE && !(s->profile->assumed > 0) &&
	    pairs_have_angles(&w->layout, s->profile))
		s->verdict = search_text(
			s, "no match found: each pair of columns%s is a sine "
			"and a cosine of an angle (norm %.6g), but no formula "
			"that was tried gives the angles",
			s->profile->cols % 2 ? " but the last" : "",
			w->layout.amp);
}

static void try_layout(struct search *s, struct waves *w, const char *odd)
{
	const size_t cols = s->profile->cols;
	const size_t sines = cols / 2 + (cols % 2 && strcmp(odd, "zero") != 0);

	w->odd = odd;
	w->layout.pairs = cols / 2;
	w->layout.stride = w->split ? 1 : 2;
	w->layout.gap = w->split ? sines : 1;
	try_signs(s, w);
}

/*
 * Whether all values are the least or the greatest, as in masks: their variance
 * is then the largest that values of this mean can have (Bhatia and Davis
 * 2000). A few rows of a sinusoid may be so, many are not.
 */
static bool two_valued(const struct profile *p)
{
	enum { FEW_ROWS = 8 };

	return p->n > FEW_ROWS && p->deviation * p->deviation >=
		(1 - 1e-9) * (p->max - p->mean) * (p->mean - p->min);
}

static void try_layouts(struct search *s, struct waves *w)
{
	const struct profile *p = s->profile;
	const struct candidate column = {
		.recipe = "sinusoid", .absolute = 4, .per_position = 4,
		.independent = 1,
	};

	/* One column holds sines alone: only usual positions are tried. */
	for (int start = 0; p->cols == 1 && start < 2; start++)
		try_candidate(s, &column, "len=%zu dim=1 start=%d", p->n,
			      start);
	for (int split = 0; p->cols > 1 && split < 2; split++) {
		w->split = split;
		if (p->cols % 2 && profile_zero_column(p, p->cols - 1)) {
			try_layout(s, w, "zero");
		} else if (p->cols % 2) {
			try_layout(s, w, "sine");
			try_layout(s, w, "round-up");
		} else {
			try_layout(s, w, "");
		}
	}
}

/* Near starts first; far ones and odd parameters where nothing was exact. */
static void try_efforts(struct search *s, struct waves *w)
{
	const struct profile *p = s->profile;

	try_layouts(s, w);
	for (int odd = 0; odd < 2 && !(p->assumed > 0) &&
			  !search_has_exact(s, 0) && p->cols > 1; odd++) {
		const size_t before = s->n;

		w->effort = odd ? ODD : FAR;
		/* Doubles round the angles of far positions so much. */
		w->layout.slack = odd ? 0 : FARTHEST * 0x1p-52;
		if (!before || (odd && p->n * p->cols <= LARGE))
			try_layouts(s, w);
		/* Beside others, only an exact one is better. */
		if (before && !search_has_exact(s, before))
			s->n = before;
	}
}

void identify_sinusoid(struct search *s)
{
	const struct profile *p = s->profile;
	struct table owner = { 0 };
	struct waves w = { .zeros = 0 };
	const size_t pairs = p->cols / 2 + 1;

	/* Two values are a sine and a cosine of some position. */
	if (p->n * p->cols < 3 || two_valued(p))
		return;
	w.phase = table_alloc(&owner, 3 * pairs + p->n, sizeof *w.phase,
			      s->err);
	w.positions_text = table_alloc(&owner, p->n, NUMBER_ROOM, s->err);
	if (w.phase && w.positions_text) {
		w.error = w.phase + pairs;
		w.frequency = w.error + pairs;
		w.positions = w.frequency + pairs;
		for (size_t i = 0; i < p->n; i++)
			if (profile_zero_row(p, i)) {
				w.zero = i;
				w.zeros++;
			}
		try_efforts(s, &w);
	}
	table_close(&owner);
}
