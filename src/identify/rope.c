/* rope.c: RoPE's tables, in which form and with which scaling. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "identify/families.h"
#include "identify/fit.h"
#include "identify/rotary.h"
#include "identify/frequencies.h"
#include "identify/rounding.h"

enum { LEVELS = 4, MOST_FREQUENCIES = 1 << 14 };

static const double factors[] = { 2, 4, 8, 16, 32, 40, 64 };

/* Usual training lengths. */
static const double lengths[] = {
	8192, 4096, 2048, 32768, 16384, 65536, 131072, 1024, 512, 256, 128, 64,
};

/* Digits of a number below 2^53, with sign and comma. */
enum { POSITION_ROOM = 24 };

const char *rope_position_options(struct search *s, const double *at, size_t n,
			   bool even, bool say)
{
	char start[64], step[64], *text;
	size_t length = 0;

	if (even)
		return search_text(
			s, "%s%s", option_if("start", at[0],
					     say ? HUGE_VAL : 0, start),
			option_if("step", n > 1 ? at[1] - at[0] : 1,
				  say ? HUGE_VAL : 1, step));
	for (size_t i = 0; i < n; i++)
		if (!(fabs(at[i]) < 0x1p53))
			return NULL; /* no position of anything */
	text = search_alloc(s, n + 1, POSITION_ROOM);
	for (size_t i = 0; text && i < n; i++)
		length += (size_t)snprintf(text + length, POSITION_ROOM,
					   "%s%.0f", i ? "," : " positions=",
					   at[i]);
	return text;
}

/* Positions as options: a length, or a list. */
static const char *position_options(struct search *s, const struct rotary *r)
{
	const size_t n = r->profile->n;
	/* Angles say less: others are multiples of rows, too. */
	const char *text = r->positions
		? rope_position_options(s, r->positions, n, r->evenly_spaced,
				 r->form == FORM_ANGLES) : "";

	return text && r->positions && r->evenly_spaced
		? search_text(s, " len=%zu%s", n, text) : text;
}

static struct candidate candidate_of(const struct rotary *r)
{
	const double per_turn = r->form == FORM_ANGLES ? 0 : 4 * r->amp;

	return (struct candidate){
		.recipe = "rope", .relative = 8, .absolute = per_turn,
		.per_position = per_turn, .independent = r->pairs,
		.jump = r->jump,
	};
}

bool rope_try_base(struct search *s, const struct rotary *r, double base,
		   const char *scaling, ...)
{
	const struct candidate c = candidate_of(r);
	const char *positions = position_options(s, r);
	char number[32], text[120];
	va_list arguments;

	va_start(arguments, scaling);
	vsnprintf(text, sizeof text, scaling, arguments);
	va_end(arguments);
	return positions && try_candidate(
		s, &c, "dim=%zu out=%s%s base=%s%s%s%s", 2 * r->pairs, r->out,
		r->interleaved ? " pairs=interleaved" : "",
		nice_text(base, number), text, positions,
		r->emulate ? r->emulate : "");
}

bool rope_try_linear(struct search *s, const struct rotary *r, double base,
		     double f)
{
	char number[32];

	if (f == 1)
		return rope_try_base(s, r, base, "%s", "");
	return rope_try_base(s, r, base, " scaling=linear:%s",
			     nice_text(f, number));
}

/* The base of a series, within so many times its error. */
static double base_of(const struct rotary *r, const struct series *l,
		      double times)
{
	const double d = (double)r->pairs, base = exp(l->decay * d);

	return round_to_usual(base, times * base * d *
				    (l->decay_error + SERIES_ERROR));
}

/*
 * Try scaling=ntk:F and dynamic, which stretch a usual base; within is the
 * relative error of the stretched one.
 */
static void try_stretched(struct search *s, const struct rotary *r,
			  double stretched, double within)
{
	const double h1 = (double)r->pairs - 1;
	const double extent =
		r->positions ? r->positions[r->profile->n - 1] + 1 : 1;
	char number[32];

	for (size_t b = 0; b < USUAL_BASES; b++) {
		const double factor =
			pow(stretched / usual_bases[b], h1 / (double)r->pairs);
		const double round =
			round_to_nice(factor, fmax(1e-5, within) * factor);

		if (!(factor > 1 + 1e-6 && factor < 1e4))
			continue;
		if (nice_digits(round) <= ROUND_DIGITS)
			rope_try_base(s, r, usual_bases[b], " scaling=ntk:%s",
				      nice_text(round, number));
		for (size_t l = 0; l < COUNT(lengths); l++) {
			double f = (factor - 1) / (extent / lengths[l] - 1);

			f = f > 0 ? round_to_nice(f, 1e-4 * f) : 0;
			if (f > 0 && nice_digits(f) <= 2)
				rope_try_base(s, r, usual_bases[b],
					      " scaling=dynamic:%s,%.0f",
					      nice_text(f, number), lengths[l]);
		}
	}
}

/* Try a base, then a factor, that may have any digits. */
static void try_odd(struct search *s, const struct rotary *r,
		    const struct series *l)
{
	const struct candidate c = candidate_of(r);
	const double f = 1 / l->first, within = 6 * f *
					(l->first_error + SERIES_ERROR);
	const char *positions;
	char scaling[64] = "";

	if (s->profile->assumed > 0 || r->form == FORM_ANGLES ||
	    !(l->decay > 0) || !r->evenly_spaced || fabs(r->positions[0]) > 0)
		return;
	rope_try_linear(s, r, base_of(r, l, 6), round_to_nice(f, within));
	if (fabs(f - 1) > within)
		snprintf(scaling, sizeof scaling, " scaling=linear:?%.17g", f);
	positions = position_options(s, r);
	if (positions)
		solve_near(s, &c, search_text(
			s, "dim=%zu out=%s%s base=?%.17g%s%s%s", 2 * r->pairs,
			r->out, r->interleaved ? " pairs=interleaved" : "",
			exp(l->decay * (double)r->pairs), scaling, positions,
			r->emulate ? r->emulate : ""));
}

/* Try all frequencies as one series. */
static bool try_series(struct search *s, const struct rotary *r,
		       const struct series *l)
{
	const size_t before = s->n;

	for (int level = 0; !search_has_exact(s, before) && level < LEVELS;
	     level++) {
		const double within = 6 * pow(0.1, level);
		const double base = exp(l->decay * (double)r->pairs);
		const double error = within * (double)r->pairs *
				     (l->decay_error + SERIES_ERROR);
		const double round = l->decay > 0 ? base_of(r, l, within) : 1e4;
		const double f = round_to_nice(
			1 / l->first,
			within / l->first * (l->first_error + SERIES_ERROR));

		if (nice_digits(round) > 2 && f > 0.999 && f < 1.001)
			try_stretched(s, r, base, error);
		if (nice_digits(f) <= ODD_DIGITS)
			rope_try_linear(s, r, round,
					f > 1.001 || f < 0.999 ? f : 1);
	}
	if (s->n == before)
		try_odd(s, r, l);
	/* Under noise, the series may be but near to a scaled one. */
	return s->n > before && fit_explained(s);
}

/* Scalings of a base, one after another. */
struct by_parts {
	struct search *search;
	const struct rotary *rotary;
	double base;
	size_t first;          /* matches before them */
	bool found;
};

/*
 * Try the scalings by a factor and a length. Of those that agree but for
 * rounding, or under noise, the nearest is kept; whether none can be nearer.
 */
static bool try_scalings(struct by_parts *p, double f, double length)
{
	static const char *const ways[] = {
		"yarn", "yarn,truncate=false", "llama3", "llama3,low=1,high=8",
		"llama3,low=1,high=2", "llama3,low=1,high=16",
		"llama3,low=1,high=32",
	};
	const struct rotary *r = p->rotary;
	const double usual = 0.1 * log(f) + 1;
	const double within = 64 * (r->profile->noise + r->profile->epsilon);
	struct search *s = p->search;
	struct match *best = &s->matches[p->first];
	char number[32], factor[32], attention[60] = "";
	bool done = false;

	nice_text(f, factor);
	if (r->form != FORM_ANGLES && fabs(r->amp - usual) > within)
		snprintf(attention, sizeof attention, ",attention_factor=%s",
			 nice_text(round_to_nice(r->amp, within / 8), number));
	for (size_t k = 0; k < COUNT(ways) && !done; k++) {
		const int kind = (int)strcspn(ways[k], ",");
		const bool good = rope_try_base(
			s, r, p->base, " scaling=%.*s:%s,%.0f%s%s", kind,
			ways[k], factor, length, ways[k] + kind,
			ways[k][0] == 'y' ? attention : "");

		p->found = p->found || good;
		done = s->judge && good;
		if (s->judge || s->profile->assumed > 0 || s->n == p->first)
			continue;
		if (s->n > p->first + 1 && best[1].rms < best->rms)
			*best = best[1];
		s->n = p->first + 1;
		done = best->exact;
	}
	return done;
}

/* Whether each frequency is that of the base divided by 1 to f. */
static bool may_be_by_parts(const struct rotary *r, double base, double f)
{
	for (size_t k = 0; k < r->pairs; k++) {
		const double w = pow(base, -(double)k / (double)r->pairs);

		if (r->w[k] > w * (1 + 1e-4) + 8 * r->error[k] ||
		    r->w[k] < w / f * (1 - 1e-4) - 8 * r->error[k])
			return false;
	}
	return true;
}

/* Frequency k without scaling over the measured one; its relative error. */
static double scaling_factor(const struct by_parts *p, size_t k, double *error)
{
	const struct rotary *r = p->rotary;
	const double w = pow(p->base, -(double)k / (double)r->pairs);

	*error = 6 * (r->error[k] / r->w[k] + r->profile->epsilon);
	return w / r->w[k];
}

/*
 * The training length of llama3 by the best measured of the pairs that are
 * scaled in part, with low=1 and high=4; 0 if there is none.
 */
static double measured_length(const struct by_parts *p, double f)
{
	double length = 0, least = 0.5, error;

	for (size_t k = 1; k < p->rotary->pairs; k++) {
		const double by = scaling_factor(p, k, &error);
		const double share = (1 / by - 1 / f) / (1 - 1 / f);
		const double full = TWO_PI * pow(p->base, (double)k /
						 (double)p->rotary->pairs);

		error *= 3 * full;
		if (!(share > 0.01 && share < 0.99 && error < least))
			continue;
		least = error;
		length = rint((1 + 3 * share) * full);
	}
	return length;
}

/* Try the factor and the length as measured. */
static bool try_measured(struct by_parts *p, double within)
{
	double f = 0, error, length;

	/* The slowest pair that is measured as well as that tells the factor */
	for (size_t k = p->rotary->pairs; k-- > 1 && !(f > 0);) {
		f = scaling_factor(p, k, &error);
		f = error > 0 && error < within ? round_to_nice(f, f * error)
						: 0;
	}
	length = f > 1 ? measured_length(p, f) : 0;
	if (!(f > 1) || nice_digits(f) > ROUND_DIGITS + 1)
		return false;
	if (length > 0)
		try_scalings(p, f, length);
	for (size_t l = 0; !p->found && l < COUNT(lengths); l++)
		try_scalings(p, f, lengths[l]);
	return p->found;
}

bool rope_try_by_parts(struct search *s, const struct rotary *r, double base)
{
	struct by_parts p = { s, r, base, s->n, false };

	for (size_t i = 0; i < COUNT(factors); i++)
		for (size_t l = 0;
		     may_be_by_parts(r, base, factors[i]) && l < COUNT(lengths);
		     l++)
			if (try_scalings(&p, factors[i], lengths[l]))
				return true;
	return p.found || try_measured(&p, 1e-3) || try_measured(&p, 0.05);
}

/* Try the base that the first pairs have, scaled for the others. */
static bool try_prefix(struct search *s, const struct rotary *r, size_t pairs)
{
	struct series l = { .tolerance = series_tolerance(r->profile) };
	double *w = search_alloc(s, pairs, sizeof *w);
	double base;

	if (!w)
		return false;
	memcpy(w, r->w, pairs * sizeof *w);
	if (!series_fit(&l, w, r->error, pairs) || !(l.decay > 0))
		return false;
	base = base_of(r, &l, 6);
	return nice_digits(base) <= ROUND_DIGITS &&
	       rope_try_by_parts(s, r, base);
}

/* Try a series of the first pairs, where the others have frequency 0. */
static bool try_partial(struct search *s, const struct rotary *r)
{
	struct series l = { .tolerance = series_tolerance(r->profile) };
	size_t n = r->pairs;

	while (n > 0 && fabs(r->w[n - 1]) <= 3 * r->error[n - 1])
		n--;
	if (n < 2 || n == r->pairs || !series_fit(&l, r->w, r->error, n))
		return false;
	return rope_try_base(s, r, base_of(r, &l, 6),
			     " scaling=proportional rotary-dim=%zu", 2 * n);
}

void rotary_try_frequencies(struct search *s, struct rotary *r)
{
	struct series l = { .tolerance = series_tolerance(r->profile) };

	if ((series_fit(&l, r->w, r->error, r->pairs) &&
	     try_series(s, r, &l)) || try_partial(s, r))
		return;
	for (size_t n = r->pairs - 1; n > 1; n = n > 4 ? n * 3 / 4 : n - 1)
		if (try_prefix(s, r, n))
			return;
}

/* Try usual bases and any positions: row 1 need not be position 1. */
static void try_usual(struct search *s, struct rotary *r)
{
	enum { FEW_BITS = 48 }; /* than the options of a scaling have */
	const struct profile *p = s->profile;
	const bool noise = p->assumed > 0;
	const bool few =
		(double)p->n * (double)p->cols * -log2(p->noise) < FEW_BITS;
	const size_t before = s->n;

	for (size_t b = 0; (noise || s->n == before) && b < ROTARY_BASES; b++)
		if (rotary_assume_base(r, usual_bases[b]) &&
		    rotary_find_positions(r) &&
		    !rope_try_linear(s, r, usual_bases[b], 1) &&
		    !few)
			rope_try_by_parts(s, r, usual_bases[b]);
}

/* Whether a candidate of this form matches. */
static bool try_form(struct search *s, struct rotary *r)
{
	const size_t before = s->n;

	if (!rotary_open(r, s))
		return false;
	for (int one = 0; one < 1 + (r->form == FORM_SIN) && s->n == before;
	     one++)
		if (rotary_measure(r, one) && rotary_find_positions(r))
			rotary_try_frequencies(s, r);
	if (s->n == before || !fit_explained(s))
		try_usual(s, r);
	return s->n > before;
}

/* Try one row of frequencies. */
static void try_row(struct search *s)
{
	const struct profile *p = s->profile;
	struct rotary r;

	if (!rotary_of_frequencies(&r, s, p->cols))
		return;
	for (size_t k = 0; k < p->cols; k++) {
		r.w[k] = profile_row(p, 0)[k];
		r.error[k] = (p->noise + 4 * p->epsilon) * fabs(r.w[k]) +
			     p->abs_noise;
	}
	rotary_try_frequencies(s, &r);
}

void identify_rope(struct search *s)
{
	const struct profile *p = s->profile;

	/* Along axes, found already: most pairs stand still in most rows. */
	if (s->n && s->matches[s->n - 1].exact &&
	    strcmp(s->matches[s->n - 1].recipe->name, "rope") == 0)
		return;
	/* One column again and again shows no frequencies that fall. */
	if (p->integers || p->cols < 4 || p->max > 1e6 || p->max < 1e-6 ||
	    profile_same_columns(p))
		return;
	/* In one row, noise hides slow frequencies, and so any scaling. */
	if (p->n == 1 && p->assumed > 0)
		return;
	if (p->n == 1 && p->min >= 0 && p->cols <= MOST_FREQUENCIES)
		try_row(s);
	rotary_each_form(s, false, try_form);
}
