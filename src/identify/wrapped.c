/*
 * wrapped.c: tables that were scaled, shifted or normalized, had values dropped
 * or others added. The usual table whose columns are correlated best with the
 * input's is fitted to it by least squares, with one scale and offset for all
 * values, for each column or for each row.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "identify/reading.h"
#include "identify/rounding.h"

enum { SAMPLE = 32, LEAST_ROWS = 8, LEAST_COLUMNS = 4, LEAST_VALUES = 128 };

/* A usual table's options, and where it has a value of each pair: k stride. */
struct usual_form {
	const char *recipe, *options;
	size_t cols, stride;   /* columns of each pair */
	bool ends;             /* the slowest frequency is 1 / base */
};

static const struct usual_form usual_forms[] = {
	{ "rope", "out=cos", 1, 1, false },
	{ "rope", "out=sin", 1, 1, false },
	{ "rope", "out=cossin", 2, 1, false },
	{ "rope", "out=cis", 2, 2, false },
	{ "rope", "out=cos-full", 2, 1, false },
	{ "rope", "out=sin-full", 2, 1, false },
	{ "sinusoid", "", 2, 2, false },
	{ "sinusoid", "first=cos", 2, 2, false },
	{ "sinusoid", "layout=split", 2, 1, false },
	{ "sinusoid", "layout=split first=cos", 2, 1, false },
	{ "sinusoid", "layout=split denom=half-1", 2, 1, true },
};

/* Values that share a scale and an offset; dropped ones are zero. */
enum lines { WHOLE, DROPPED, COLUMNS, ROWS };

/*
 * Sums over values e that are made and x of the input, less the first ones, e0
 * and x0; end() makes them means, and sums of products about these.
 */
struct sums {
	double n, e0, x0, e, x, ee, ex, xx;
};

struct wrapped {
	struct search *search;
	const struct profile *profile;
	char best[160];        /* options of the candidate that explains most */
	const char *recipe;
	double score;          /* of the variance of the columns, by itself */
	double *made;          /* [n, cols] the table it makes */
	double *off;           /* [n, cols] what the fit leaves */
	enum lines by;
	size_t lines;
	struct sums *sums;     /* [lines] */
	double *scale, *offset; /* [lines] */
	double unexplained;    /* share of the variance */
	struct match match;
};

static void add(struct sums *s, double e, double x)
{
	if (s->n++ <= 0) {
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

/* Returns the scale that fits best: 0 if made values are equal. */
static double end(struct sums *s)
{
	s->ee = fmax(0, s->ee - s->e * s->e / s->n);
	s->xx = fmax(0, s->xx - s->x * s->x / s->n);
	s->ex -= s->e * s->x / s->n;
	s->e = s->e0 + s->e / s->n;
	s->x = s->x0 + s->x / s->n;
	return s->ee > 0 ? s->ex / s->ee : 0;
}

/* Whether made values are so different that rounding leaves the scale. */
static bool tells_scale(const struct sums *s)
{
	return s->ee > 1e-7 * s->n * s->e0 * s->e0;
}

/* Add what a fit of the line explains of its variance, and that. */
static void add_line(struct sums *s, double *explained, double *all)
{
	const double a = fmax(0, end(s));

	*explained += a * a * s->ee;
	*all += s->xx;
}

/*
 * Compare the columns of a candidate, and its rows, each for itself, on a
 * sample of rows; keep the best.
 */
static void screen(struct wrapped *w, const char *recipe, const char *options)
{
	const struct profile *p = w->profile;
	struct table made = { 0 };
	struct error err = { 0 };
	double *row = NULL, by_column[2] = { 0 }, by_row[2] = { 0 }, score;

	memset(w->sums, 0, p->cols * sizeof *w->sums);
	if (recipe_open(&made, recipe, options, NULL, &err) &&
	    made.cols == p->cols && made.end == p->n)
		row = table_alloc(&made, p->cols, sizeof *row, &err);
	for (size_t k = 0; row && k < p->n && k < SAMPLE; k++) {
		const size_t i = p->n < SAMPLE ? k : sample_index(k, p->n);
		struct sums s = { 0 };

		table_rows(&made, F64, i, 1, NULL, row);
		for (size_t j = 0; j < p->cols; j++) {
			add(&w->sums[j], row[j], profile_row(p, i)[j]);
			add(&s, row[j], profile_row(p, i)[j]);
		}
		add_line(&s, &by_row[0], &by_row[1]);
	}
	for (size_t j = 0; row && j < p->cols; j++)
		add_line(&w->sums[j], &by_column[0], &by_column[1]);
	score = fmax(by_column[0] / by_column[1], by_row[0] / by_row[1]);
	if (score > w->score + 1e-9) {
		w->score = score;
		w->recipe = recipe;
		snprintf(w->best, sizeof w->best, "%s", options);
	}
	table_close(&made);
	pass_memory(w->search->err, &err);
}

/* The frequency w of column j: x[t-1] + x[t+1] is 2 cos w x[t], shifted. */
static double frequency(const struct profile *p, size_t j)
{
	struct sums s = { 0 };
	double c;

	for (size_t i = 1; i + 1 < p->n; i++)
		add(&s, profile_value(p, i, j), profile_value(p, i - 1, j) +
						profile_value(p, i + 1, j));
	c = end(&s);
	return fabs(c) < 2 ? acos(c / 2) : 0;
}

/* Screen a form with usual bases, and the one of the first frequencies. */
static void screen_form(struct wrapped *w, const struct usual_form *f)
{
	const struct profile *p = w->profile;
	const size_t pairs = p->cols / f->cols;
	const double d = (double)(pairs - f->ends);
	const double own = pow(frequency(p, 0) / frequency(p, f->stride), d);
	char options[160], base[32];

	for (size_t k = 0; k / 2 <= USUAL_BASES; k++) {
		const size_t b = k / 2;

		if (b < USUAL_BASES)
			nice_text(usual_bases[b], base);
		else if (own > 1 && own < 1e9)
			nice_text(round_to_nice(own, own * d * 1e-6), base);
		snprintf(options, sizeof options, "len=%zu dim=%zu %s%s%s%s",
			 p->n, 2 * pairs, f->options, b ? " base=" : "",
			 b ? base : "", k % 2 ? " start=1" : "");
		screen(w, f->recipe, options);
	}
}

/* Make the best candidate's table. */
static bool make(struct wrapped *w)
{
	const struct profile *p = w->profile;
	struct search *s = w->search;
	struct table t = { 0 };
	const size_t row = p->cols * sizeof(double);

	w->made = search_alloc(s, p->n, row);
	w->off = search_alloc(s, p->n, row);
	if (w->made && w->off &&
	    recipe_open(&t, w->recipe, w->best, NULL, s->err)) {
		t.dtype = F64;
		table_rows(&t, F64, 0, p->n, NULL, w->made);
		w->match = (struct match){
			.recipe = t.from.recipe,
			.candidate = { .recipe = w->recipe,
				       .options = search_text(s, "%s",
							      w->best) },
			.command = search_text(s, "%s", t.from.command),
			.dtype = profile_dtype(p), .plain = true,
		};
	}
	table_close(&t);
	return w->match.command && w->match.candidate.options;
}

static size_t line_of(const struct wrapped *w, size_t i, size_t j)
{
	return w->by == COLUMNS ? j : w->by == ROWS ? i : 0;
}

/* Fit scale and offset of each line; dropped values are in none. */
static void fit(struct wrapped *w, enum lines by)
{
	const struct profile *p = w->profile;

	w->by = by;
	w->lines = by == COLUMNS ? p->cols : by == ROWS ? p->n : 1;
	memset(w->sums, 0, w->lines * sizeof *w->sums);
	for (size_t i = 0; i < p->n; i++)
		for (size_t j = 0; j < p->cols; j++) {
			const double x = profile_row(p, i)[j];

			if (by != DROPPED || fabs(x) > 0)
				add(&w->sums[line_of(w, i, j)],
				    w->made[i * p->cols + j], x);
		}
	for (size_t k = 0; k < w->lines; k++) {
		struct sums *s = &w->sums[k];

		w->scale[k] = end(s);
		w->offset[k] = s->x - w->scale[k] * s->e;
	}
}

/* How far rounding and arithmetic may have moved a value of row i. */
static double within(const struct profile *p, double scale, double offset,
		     size_t i)
{
	const double a = fabs(scale), b = fabs(offset);
	const double arithmetic = p->epsilon * (8 * (2 * a + b) +
						4 * a * (double)i);

	return arithmetic + (p->integers	       ? 0.5
			     : p->digits < MAX_DIGITS ? 1.02 * p->abs_noise
				   : 2.5 * p->noise * (a + b));
}

/* Measure what the fit leaves; whether rounding explains all. */
static bool measure(struct wrapped *w)
{
	const struct profile *p = w->profile;
	struct match *m = &w->match;
	double squares = 0, all = 0, n = 0;
	bool good = true;

	m->residual = 0;
	for (size_t i = 0; i < p->n; i++)
		for (size_t j = 0; j < p->cols; j++) {
			const size_t at = i * p->cols + j, k = line_of(w, i, j);
			const double a = w->scale[k], b = w->offset[k];
			const double x = profile_row(p, i)[j];
			const bool in = w->by != DROPPED || fabs(x) > 0;
			const double off = in ? x - a * w->made[at] - b : 0;

			w->off[at] = off;
			good = good && fabs(off) <= within(p, a, b, i);
			squares += off * off;
			if (fabs(off) > m->residual) {
				m->residual = fabs(off);
				m->row = i;
				m->col = j;
			}
		}
	for (size_t k = 0; k < w->lines; k++) {
		all += w->sums[k].xx;
		n += w->sums[k].n;
	}
	m->rms = sqrt(squares / n);
	w->unexplained = squares / all;
	return good;
}

/*
 * Integers were rounded in steps of 1, which least squares do not see: move to
 * what the worst value allows, again and again. Whether all are within 1/2.
 */
static bool settle(struct wrapped *w)
{
	enum { STEPS = 64 };
	const size_t cols = w->profile->cols;
	const struct match *m = &w->match;
	bool good = false;

	for (int i = 0; !good && i < STEPS && w->profile->integers &&
	     w->by == WHOLE && m->residual < 1; i++) {
		const double e = w->made[m->row * cols + m->col];
		const double off = w->off[m->row * cols + m->col];
		const double by = 1.2 * (off - copysign(0.5, off)) /
				  (1 + e * e);

		w->scale[0] += by * e;
		w->offset[0] += by;
		good = measure(w);
	}
	return good;
}

/* x, rounded so that it has few digits; 0 where it is as good as that. */
static double short_number(double x, double error)
{
	return fabs(x) <= error ? 0
				: copysign(round_to_nice(fabs(x), error), x);
}

/*
 * Give the one scale and offset the fewest digits with which the fit is as
 * good: such as rounding explains, or within four standard errors.
 */
static void shorten(struct wrapped *w, bool exact)
{
	const double a = w->scale[0], b = w->offset[0], rms = w->match.rms;
	double error = exact ? 1e-2 : 4 * w->match.rms / sqrt(w->sums[0].ee);

	do {
		w->scale[0] = fabs(a - 1) <= error
				      ? 1 : short_number(a, error * fabs(a));
		w->offset[0] = short_number(b, error * fabs(a));
		error /= 4;
	} while ((!measure(w) || w->match.rms > 1.5 * rms) && exact &&
		 error > 1e-12);
}

/* Whether a row or a column is zero, which is no chance. */
static bool has_zero_lines(const struct profile *p)
{
	for (size_t i = 0; i < p->n; i++)
		if (profile_zero_row(p, i))
			return true;
	for (size_t j = 0; j < p->cols; j++)
		if (profile_zero_column(p, j))
			return true;
	return false;
}

/* Whether some values are zero, and these are as large as others as made. */
static bool drops_at_random(const struct wrapped *w)
{
	const size_t all = w->profile->n * w->profile->cols;
	const struct sums *kept = &w->sums[0];
	struct sums s = { 0 };

	for (size_t k = 0; k < all; k++)
		add(&s, w->made[k], 0);
	end(&s);
	return kept->n < 0.999 * s.n && !has_zero_lines(w->profile) &&
	       pow((kept->e - s.e) * kept->n, 2) <
		       36 * s.ee * (1 - kept->n / s.n);
}

/* What became of lines, each scaled and shifted by itself. */
static const char *lines_words(const struct wrapped *w)
{
	bool same = true, centred = true, standard = true, unshifted = true;

	for (size_t k = 0; k < w->lines; k++) {
		const struct sums *s = &w->sums[k];
		const double square = s->xx / s->n, a = w->scale[k];

		centred &= fabs(s->x) <= 1e-4 * sqrt(square) + 1e-6;
		standard &= fabs(square - 1) < 1.1 / s->n + 1e-3;
		if (!tells_scale(s))
			continue;
		same &= fabs(a - w->scale[0]) <= 1e-4 * a;
		unshifted &= fabs(w->offset[k]) <= 1e-4 * a;
	}
	return centred && same	     ? "is centred (mean 0)"
	       : centred && standard ? "is normalized to mean 0 and standard "
				       "deviation 1"
	       : unshifted	     ? "has an amplitude of its own"
	       : same		     ? "is shifted by a value of its own"
				     : "is scaled and shifted by values of its "
				       "own";
}

/* Note what became of the values of the command. */
static void tell(struct wrapped *w, struct reading *r)
{
	struct search *s = w->search;
	const double all = (double)w->profile->n * (double)w->profile->cols;
	const double a = w->scale[0], b = w->offset[0];
	const char *by = fabs(a - 1) > 0 ? search_text(s, "%.9g ", a) : "";
	const char *line = fabs(b) > 0
		? search_text(s, "%sx %c %.9g", by, b < 0 ? '-' : '+', fabs(b))
		: search_text(s, "%sx", by);

	if (w->by == DROPPED)
		r->text = search_text(s, "%.3g %% of the values become 0 and "
				      "the others %s%s",
				      100 * (1 - w->sums[0].n / all), line,
				      *by ? " (dropout)" : "");
	else if (w->by == WHOLE && (*by || fabs(b) > 0))
		r->text = search_text(s, "each value x becomes %s", line);
	else if (w->by != WHOLE)
		r->text = search_text(s, "each %s %s", w->by == ROWS ? "row"
				      : "column", lines_words(w));
	if (!r->text)
		return;
	r->made = search_text(s, "this table when %s", r->text);
	r->scale = w->scale;
	r->offset = w->offset;
	r->lines = w->lines;
	r->names[0] = w->by == COLUMNS ? "column_scales"
		      : w->by == ROWS  ? "row_scales" : "scale";
	r->names[1] = w->by == COLUMNS ? "column_offsets"
		      : w->by == ROWS  ? "row_offsets" : "offset";
}

/*
 * Whether what is left is no law's, as neighbours are unrelated, but so many
 * values say that the table is below it.
 */
static bool evident(const struct wrapped *w)
{
	const size_t n = w->profile->n, cols = w->profile->cols;
	double down = 0, right = 0, all = 0;

	for (size_t i = 0; i + 1 < n; i++)
		for (size_t j = 0; j + 1 < cols; j++) {
			const double *x = w->off + i * cols + j;

			right += x[0] * x[1];
			down += x[0] * x[cols];
			all += x[0] * x[0];
		}
	return fabs(right) < 0.1 * all && fabs(down) < 0.1 * all &&
	       w->scale[0] > 0 && w->unexplained < 0.98 &&
	       -(double)(n * cols) * log2(w->unexplained) > 400;
}

/* Whether lines have scales of one sign, and the values are not as made. */
static bool is_wrapped(const struct wrapped *w)
{
	for (size_t k = 0; k < w->lines; k++)
		if (tells_scale(&w->sums[k]) &&
		    w->scale[k] <= 1e-4 * fabs(w->scale[0]))
			return false;
	return w->by != WHOLE || fabs(w->scale[0] - 1) > 1e-6 ||
	       fabs(w->offset[0]) > 1e-6;
}

/* Fit the best candidate in all ways; the grade of the first that is good. */
static enum grade fit_all(struct wrapped *w)
{
	double rms = HUGE_VAL;

	for (enum lines by = WHOLE; by <= ROWS; by++) {
		fit(w, by);
		if ((by == DROPPED && !drops_at_random(w)) ||
		    !(measure(w) || settle(w)) || w->unexplained > 0.1 ||
		    !is_wrapped(w) || w->match.rms > rms / 2) {
			/* Many scales are no better than one under noise. */
			rms = by == WHOLE ? w->match.rms : rms;
			continue;
		}
		if (w->lines == 1)
			shorten(w, true);
		/* An amplitude is an option of the command. */
		return by == WHOLE && !(fabs(w->offset[0]) > 0) &&
		       strcmp(w->recipe, "sinusoid") == 0 ? GRADE_NONE
							   : GRADE_ROUNDING;
	}
	fit(w, WHOLE);
	measure(w);
	shorten(w, false);
	return evident(w) ? GRADE_CLOSE : GRADE_NONE;
}

/* What is left: noise, or what a few values have that are wrong. */
static void tell_rest(const struct wrapped *w)
{
	const size_t all = w->profile->n * w->profile->cols;
	char *text = w->search->residuals.text;
	const size_t room = sizeof w->search->residuals.text;
	size_t n = 0;

	for (size_t k = 0; k < all; k++)
		n += fabs(w->off[k]) > w->match.rms / 16;
	if (4 * n < all)
		snprintf(text, room, ", nearly all of which is in %zu of %zu "
			 "values", n, all);
	else
		snprintf(text, room, ", which looks like noise (%.2g %% of "
			 "the variance)", 100 * w->unexplained);
}

bool find_wrapped(struct finding *f, const struct table *t)
{
	const struct profile *p = &f->profile;
	struct search *s = &f->search;
	struct wrapped w = { .search = s, .profile = p };
	const size_t most = p->n > p->cols ? p->n : p->cols;
	const size_t values = p->n * p->cols;

	if (!p->finite || t->planes > 1 || p->n < LEAST_ROWS ||
	    p->cols < LEAST_COLUMNS || values < LEAST_VALUES || values > LARGE)
		return false;
	w.sums = search_alloc(s, most, sizeof *w.sums);
	w.scale = search_alloc(s, most, 2 * sizeof *w.scale);
	if (!w.sums || !w.scale)
		return false;
	w.offset = w.scale + most;
	for (size_t k = 0; search_goes_on(s, k < COUNT(usual_forms)); k++)
		if (p->cols % usual_forms[k].cols == 0)
			screen_form(&w, &usual_forms[k]);
	if (!w.recipe || !make(&w))
		return false;
	if (find_repaired_as(f, t, w.made))
		return true;
	w.match.grade = fit_all(&w);
	if (w.match.grade == GRADE_NONE)
		return false;
	s->matches[0] = w.match;
	s->n = 1;
	s->verdict = NULL;
	tell(&w, &f->reading);
	if (w.match.grade == GRADE_CLOSE)
		tell_rest(&w);
	return true;
}
