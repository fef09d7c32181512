/*
 * wrapped.c: tables that were scaled, shifted or normalized, had values dropped
 * or others added. The usual table whose columns are correlated best with the
 * input's is fitted to it by least squares: with one scale and offset for all
 * values, for each column or for each row.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "identify/budget.h"
#include "identify/fit.h"
#include "identify/reading.h"
#include "identify/rounding.h"

enum { SAMPLE = 32, LEAST_ROWS = 8, LEAST_COLUMNS = 4, LEAST_VALUES = 128 };

/* Values that share a scale and an offset; WHOLE but zeros, which dropped. */
enum lines { WHOLE, COLUMNS, ROWS, DROPPED };

/* Sums over values e that are made and x of the input, less the first ones. */
struct sums {
	double n, e0, x0, e, x, ee, ex, xx;
};

struct wrapped {
	struct search *search;
	const struct profile *profile;
	char options[160], best[160];
	const char *recipe;
	double score;          /* of the best: the share of the variance that
				  it explains, each column for itself */
	const char *command;
	double *e;             /* [n, cols] the table it makes */
	enum lines by;
	struct sums *sums;     /* [lines] */
	double *scale, *offset;/* [lines] */
	struct match match;
	double explained;      /* share of the variance */
};

static void add(struct sums *s, double e, double x)
{
	if (!s->n++) {
		s->e0 = e;
		s->x0 = x;
	}
	e -= s->e0;
	x -= s->x0;
	s->e += e;
	s->x += x;
	s->ee += e * e;
	s->ex += e * x;
	s->xx += x * x;
}

/* The sums of squares of the distances from the means. */
static double squares_made(const struct sums *s)
{
	return fmax(0, s->ee - s->e * s->e / s->n);
}

static double squares_given(const struct sums *s)
{
	return fmax(0, s->xx - s->x * s->x / s->n);
}

/* The scale that fits best: 0 if made values are equal. */
static double slope(const struct sums *s)
{
	return squares_made(s) > 0
		       ? (s->ex - s->e * s->x / s->n) / squares_made(s) : 0;
}

/* Whether made values are so different that rounding leaves the scale. */
static bool tells_scale(const struct sums *s)
{
	return squares_made(s) > 1e-7 * s->n * s->e0 * s->e0;
}

/* Compare the columns of a candidate on a sample of rows; keep the best. */
static void screen(struct wrapped *w, const char *recipe)
{
	const struct profile *p = w->profile;
	const size_t n = p->n < SAMPLE ? p->n : SAMPLE;
	struct table made = { 0 };
	struct error err = { 0 };
	double *row = NULL, explained = 0, all = 0;

	memset(w->sums, 0, p->cols * sizeof *w->sums);
	if (recipe_open(&made, recipe, w->options, NULL, &err) &&
	    made.cols == p->cols && made.end == p->n)
		row = table_alloc(&made, p->cols, sizeof *row, &err);
	for (size_t k = 0; row && k < n; k++) {
		const size_t i = sample_index(k, p->n);

		table_rows(&made, F64, i, 1, NULL, row);
		for (size_t j = 0; j < p->cols; j++)
			add(&w->sums[j], row[j], profile_row(p, i)[j]);
	}
	for (size_t j = 0; row && j < p->cols; j++) {
		const struct sums *s = &w->sums[j];
		const double a = slope(s);

		explained += a > 0 ? a * a * squares_made(s) : 0;
		all += squares_given(s);
	}
	if (all > 0 && explained / all > w->score + 1e-9) {
		w->score = explained / all;
		w->recipe = recipe;
		memcpy(w->best, w->options, sizeof w->best);
	}
	table_close(&made);
	pass_memory(w->search->err, &err);
}

/* The frequency of column j, which may have an offset: 0 if it has none. */
static double frequency(const struct profile *p, size_t j)
{
	struct sums s = { 0 };
	double c;  /* 2 cos w: x[t-1] + x[t+1] is c x[t] plus a constant */

	for (size_t i = 1; i + 1 < p->n; i++)
		add(&s, profile_value(p, i, j), profile_value(p, i - 1, j) +
						profile_value(p, i + 1, j));
	c = slope(&s);
	return fabs(c) < 2 ? acos(c / 2) : 0;
}

/* The base that the first two frequencies have, if it is short; or 0. */
static double own_base(const struct profile *p, const struct usual_form *f)
{
	const double d = (double)(p->cols / f->cols) - f->ends;
	const double base = pow(frequency(p, 0) / frequency(p, f->stride), d);
	const double round = base > 1 && base < 1e9
				     ? round_to_nice(base, base * d * 1e-6) : 0;

	return round > 1 && nice_digits(round) <= ODD_DIGITS ? round : 0;
}

static void screen_form(struct wrapped *w, const struct usual_form *f)
{
	const struct profile *p = w->profile;
	char base[32], own[32] = "";

	if (own_base(p, f) > 0)
		nice_text(own_base(p, f), own);
	for (size_t b = 0; b <= USUAL_BASES; b++) {
		const char *text = b < USUAL_BASES ? usual_bases[b] : own;

		snprintf(base, sizeof base, "%s%s", b && text[0] ? " base=" : "",
			 b ? text : "");
		for (int start = 0; start < 2; start++) {
			snprintf(w->options, sizeof w->options,
				 "len=%zu dim=%zu %s%s%s", p->n,
				 2 * (p->cols / f->cols), f->options, base,
				 start ? " start=1" : "");
			screen(w, f->recipe);
		}
	}
}

/* Make the best candidate's table. */
static bool make(struct wrapped *w)
{
	const struct profile *p = w->profile;
	struct table made = { 0 };
	bool good;

	w->e = search_alloc(w->search, p->n, p->cols * sizeof *w->e);
	good = w->e && recipe_open(&made, w->recipe, w->best, NULL,
				   w->search->err);
	made.dtype = F64;
	if (good)
		table_rows(&made, F64, 0, p->n, NULL, w->e);
	if (good)
		w->match = (struct match){
			.recipe = made.from.recipe,
			.candidate = { .recipe = w->recipe },
			.command = search_text(w->search, "%s",
					       made.from.command),
			.dtype = profile_dtype(p), .plain = true,
		};
	table_close(&made);
	w->match.candidate.options = search_text(w->search, "%s", w->best);
	return good && w->match.command && w->match.candidate.options;
}

static size_t line_of(const struct wrapped *w, size_t i, size_t j)
{
	return w->by == COLUMNS ? j : w->by == ROWS ? i : 0;
}

static size_t lines(const struct wrapped *w)
{
	return w->by == COLUMNS ? w->profile->cols
	       : w->by == ROWS	? w->profile->n : 1;
}

/* Whether the fit concerns a value: where values were dropped, not zeros. */
static bool concerns(const struct wrapped *w, double x)
{
	return w->by != DROPPED || fabs(x) > 0;
}

/* Fit scale and offset of each line. */
static void fit(struct wrapped *w)
{
	const struct profile *p = w->profile;

	memset(w->sums, 0, lines(w) * sizeof *w->sums);
	for (size_t i = 0; i < p->n; i++)
		for (size_t j = 0; j < p->cols; j++) {
			const double x = profile_row(p, i)[j];

			if (concerns(w, x))
				add(&w->sums[line_of(w, i, j)],
				    w->e[i * p->cols + j], x);
		}
	for (size_t k = 0; k < lines(w); k++) {
		const struct sums *s = &w->sums[k];

		w->scale[k] = slope(s);
		w->offset[k] = s->x0 + s->x / s->n -
			       w->scale[k] * (s->e0 + s->e / s->n);
	}
}

/* How far rounding and arithmetic may have moved value x of row i. */
static double within(const struct profile *p, double made, double offset,
		     double amp, size_t i)
{
	const double size = fmax(fabs(made), fabs(offset));
	const double arithmetic =
		p->epsilon * (8 * (size + amp) + 4 * amp * (double)i);

	if (p->integers)
		return arithmetic + 0.5;
	return p->digits < MAX_DIGITS ? arithmetic + 1.02 * p->abs_noise
				      : arithmetic + 2.5 * p->noise *
						(amp + fabs(offset));
}

/* Measure the residuals; whether rounding explains all. */
static bool measure(struct wrapped *w)
{
	const struct profile *p = w->profile;
	struct match *m = &w->match;
	double squares = 0, all = 0, n = 0;
	bool good = true;

	m->residual = 0;
	for (size_t i = 0; i < p->n; i++)
		for (size_t j = 0; j < p->cols; j++) {
			const size_t k = line_of(w, i, j);
			const double a = w->scale[k];
			const double x = profile_row(p, i)[j];
			const double y = a * w->e[i * p->cols + j] +
					 w->offset[k];
			const double off = fabs(x - y);

			if (!concerns(w, x))
				continue;
			good = good && off <= within(p, y, w->offset[k],
						     fabs(a), i);
			squares += off * off;
			n++;
			if (off > m->residual) {
				m->residual = off;
				m->row = i;
				m->col = j;
			}
		}
	for (size_t k = 0; k < lines(w); k++)
		all += squares_given(&w->sums[k]);
	m->rms = sqrt(squares / n);
	w->explained = 1 - squares / all;
	return good;
}

/* Whether all lines that tell their scale have one that is near to x. */
static bool same_scales(const struct wrapped *w, double x)
{
	size_t k = 0;

	while (k < lines(w) && (!tells_scale(&w->sums[k]) ||
				fabs(w->scale[k] - x) <= 1e-4 * fabs(x)))
		k++;
	return k == lines(w);
}

/* "2 x + 1", of numbers that are known so well. */
static const char *line_words(struct wrapped *w, double error, char text[64])
{
	const double a = w->scale[0], b = fabs(w->offset[0]);
	const double round = round_to_nice(fabs(a), error);
	char by[40] = "", more[40] = "";

	if (fabs(a - 1) > error)
		snprintf(by, sizeof by, "%s%.6g ", a < 0 ? "-" : "", round);
	if (b > error)
		snprintf(more, sizeof more, " %c %.6g",
			 w->offset[0] < 0 ? '-' : '+', round_to_nice(b, error));
	snprintf(text, 64, "%sx%s", by, more);
	return text;
}

/* What became of lines, each scaled and shifted for itself. */
static const char *lines_words(struct wrapped *w, char text[96])
{
	const char *name = w->by == ROWS ? "row" : "column";
	const bool same = same_scales(w, w->scale[0]);
	bool centred = true, standard = true, unshifted = true;

	for (size_t k = 0; k < lines(w); k++) {
		const struct sums *s = &w->sums[k];
		const double size = sqrt(squares_given(s) / s->n);
		const double mean = s->x0 + s->x / s->n;

		centred = centred && fabs(mean) <= 1e-4 * size + 1e-6;
		standard = standard && fabs(size * size - 1) <
					       1.1 / s->n + 1e-3;
		unshifted = unshifted && (!tells_scale(s) ||
					  fabs(w->offset[k]) <=
						  1e-4 * fabs(w->scale[k]));
	}
	if (centred && same)
		snprintf(text, 96, "each %s is centred (mean 0)", name);
	else if (centred && standard)
		snprintf(text, 96, "each %s is normalized to mean 0 and "
			 "standard deviation 1%s", name,
			 w->by == ROWS ? " (LayerNorm)" : "");
	else if (unshifted)
		snprintf(text, 96, "each %s has an amplitude of its own", name);
	else if (same)
		snprintf(text, 96, "each %s is shifted by a value of its own",
			 name);
	else
		snprintf(text, 96, "each %s is scaled and shifted by values "
			 "of its own", name);
	return text;
}

/* Note what became of the values of the command. */
static void tell(struct wrapped *w, struct finding *f)
{
	const struct profile *p = w->profile;
	const double all = (double)p->n * (double)p->cols, n = w->sums[0].n;
	const double error = fmax(1e-6 * fabs(w->scale[0]), 4 * w->match.rms /
				  sqrt(squares_made(&w->sums[0])));
	char text[96], line[64];

	if (w->by == DROPPED)
		snprintf(text, sizeof text, "%.3g %% of the values become 0 "
			 "and the others %s (dropout)", 100 * (1 - n / all),
			 line_words(w, error, line));
	else if (w->by == WHOLE)
		snprintf(text, sizeof text, "each value x becomes %s",
			 line_words(w, error, line));
	else
		lines_words(w, text);
	if (w->by == WHOLE && strcmp(line, "x") == 0)
		return;
	f->reading.text = search_text(w->search, "%s", text);
	f->reading.made = search_text(w->search, "this table when %s", text);
}

/* Whether residuals of neighbours, in a row or in a column, are unrelated. */
static bool independent(const struct wrapped *w)
{
	const struct profile *p = w->profile;
	double down = 0, right = 0, all = 0;

	for (size_t i = 0; i + 1 < p->n; i++)
		for (size_t j = 0; j + 1 < p->cols; j++) {
			const size_t k = i * p->cols + j;
			const double *x = profile_row(p, i);
			const double a = w->scale[0], b = w->offset[0];
			const double off = x[j] - a * w->e[k] - b;

			right += off * (x[j + 1] - a * w->e[k + 1] - b);
			down += off * (profile_row(p, i + 1)[j] -
				       a * w->e[k + p->cols] - b);
			all += off * off;
		}
	return fabs(right) < 0.1 * all && fabs(down) < 0.1 * all;
}

/* Whether so many values say that the table is there, under what was added. */
static bool evident(const struct wrapped *w)
{
	const struct profile *p = w->profile;
	const double all = (double)p->n * (double)p->cols;

	return w->scale[0] > 0 && w->explained > 0.02 &&
	       -all * log2(1 - w->explained) / 2 > 200 && independent(w);
}

/* Whether a line has no scale, or another sign than the first one: the command does not make its values. */
static bool has_flat_line(const struct wrapped *w)
{
	size_t k = 0;

	while (k < lines(w) && !(tells_scale(&w->sums[k]) &&
				 w->scale[k] <= 1e-4 * fabs(w->scale[0])))
		k++;
	return k < lines(w);
}

/* Whether some values are zero, and these are as large as others as made. */
static bool drops_at_random(const struct wrapped *w)
{
	const struct sums *kept = &w->sums[0];
	const size_t all = w->profile->n * w->profile->cols;
	struct sums every = { 0 };
	double mean, off;

	for (size_t k = 0; k < all; k++)
		add(&every, w->e[k], 0);
	mean = every.e0 + every.e / every.n;
	off = fabs(kept->e0 + kept->e / kept->n - mean);
	return kept->n < 0.999 * every.n && off * off * kept->n * kept->n <
		36 * squares_made(&every) * (1 - kept->n / every.n);
}

/*
 * Integers were rounded in steps of 1, which least squares do not see: move to
 * what the worst value allows, again and again. Whether all are within 1/2.
 */
static bool settle(struct wrapped *w)
{
	enum { STEPS = 64 };
	const struct match *m = &w->match;
	bool good = false;

	for (int i = 0; !good && i < STEPS && w->profile->integers &&
	     w->by == WHOLE && m->residual < 1; i++) {
		const double e = w->e[m->row * w->profile->cols + m->col];
		const double x = profile_row(w->profile, m->row)[m->col];
		const double off = x - w->scale[0] * e - w->offset[0];
		const double by = 1.2 * (off - copysign(0.5, off)) /
				  (1 + e * e);

		w->scale[0] += by * e;
		w->offset[0] += by;
		good = measure(w);
	}
	return good;
}

/* Whether the values are others than the command makes. */
static bool is_wrapped(const struct wrapped *w)
{
	return w->by != WHOLE || fabs(w->scale[0] - 1) > 1e-6 ||
	       fabs(w->offset[0]) > 1e-6;
}

/* Fit the best candidate in all ways; the grade of the first that is good. */
static enum grade fit_all(struct wrapped *w)
{
	static const enum lines ways[] = { WHOLE, DROPPED, COLUMNS, ROWS };

	for (size_t k = 0; k < COUNT(ways); k++) {
		w->by = ways[k];
		fit(w);
		if (w->by == DROPPED && !drops_at_random(w))
			continue;
		if ((measure(w) || settle(w)) && w->explained > 0.9 &&
		    !has_flat_line(w) && is_wrapped(w))
			return GRADE_ROUNDING;
	}
	w->by = WHOLE;
	fit(w);
	measure(w);
	return evident(w) ? GRADE_CLOSE : GRADE_NONE;
}

bool find_wrapped(struct finding *f, const struct table *t)
{
	const struct profile *p = &f->profile;
	struct search *s = &f->search;
	struct wrapped w = { .search = s, .profile = p };
	const size_t most = p->n > p->cols ? p->n : p->cols;
	const size_t values = p->n * p->cols;

	if (!p->finite || t->planes > 1 || p->n < LEAST_ROWS ||
	    p->cols < LEAST_COLUMNS || values < LEAST_VALUES ||
	    values > LARGE)
		return false;
	w.sums = search_alloc(s, most, sizeof *w.sums);
	w.scale = search_alloc(s, most, 2 * sizeof *w.scale);
	if (!w.sums || !w.scale)
		return false;
	w.offset = w.scale + most;
	for (size_t k = 0; k < USUAL_FORMS; k++)
		if (p->cols % usual_forms[k].cols == 0 && !search_over(s))
			screen_form(&w, &usual_forms[k]);
	if (!w.recipe || !make(&w))
		return false;
	w.match.grade = fit_all(&w);
	if (w.match.grade == GRADE_NONE)
		return false;
	s->matches[0] = w.match;
	s->n = 1;
	s->verdict = NULL;
	tell(&w, f);
	if (w.match.grade == GRADE_CLOSE)
		snprintf(s->residuals.text, sizeof s->residuals.text,
			 ", which looks like noise (%.2g %% of the variance)",
			 100 * (1 - w.explained));
	return true;
}
