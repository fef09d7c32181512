/* fit.c: finds the command that makes a table but for noise. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "identify/draws.h"
#include "identify/fit.h"
#include "identify/reading.h"
#include "identify/spectrum.h"
#include "identify/trial.h"
#include "table/sort.h"

/*
 * Noise of each level is ten times that of the one before. Values are random to
 * a candidate whose residuals are no smaller than the last.
 */
#define LEAST_NOISE 1e-12
#define MOST_NOISE 0.03
/* No more than this is named by few values. */
#define USUAL_NOISE 6e-3

/* The differential entropy of normal noise of standard deviation 1. */
#define NORMAL_ENTROPY 1.4189385

/* Normal noise is beyond so many standard deviations once in 5e8 values. */
#define BOUND 6

enum { SAMPLE_ROWS = 64, MAX_KEPT = 6, RANKED_VALUES = 1 << 20 };

/* Of tables whose values were rounded to steps: int8, two decimals. */
enum { SORTED = 4096, MOST_STEPS = 1 << 16 };

/* Half a step, and what arithmetic before the rounding may add. */
#define HALF 0.505

/* The deviation of what rounding to steps leaves, which is uniform. */
#define STEP_NOISE(step) ((step) / sqrt(12))

/* Families that measure parameters; the others try a list of them. */
static void (*const measuring[])(struct search *s) = {
	identify_sinusoid, identify_rope, identify_shift,
};

static void (*const listing[])(struct search *s) = {
	identify_families, identify_grid, identify_fourier,
};

/* Add squares of the residuals of row i to others; m: the largest so far. */
static double add_row(struct match *m, struct trial *t, size_t i,
		      double squares)
{
	const double *x = profile_row(t->profile, i), *y = trial_row(t, i);

	for (size_t j = 0; j < t->profile->cols; j++) {
		const double e = fabs(x[j] - y[j]);

		squares += e * e;
		if (e > m->residual) {
			m->residual = e;
			m->row = i;
			m->col = j;
		}
	}
	return squares;
}

/*
 * Compare every step-th row of the made table, a few first, which reject most
 * candidates: the root of the mean square of n values. Infinite if residuals
 * are as large as the values.
 */
static double measure(struct match *m, struct trial *t, size_t step, double n)
{
	const struct profile *p = t->profile;
	const size_t few[] = { 0, 1, p->n / 2, p->n - 1 };
	const double most = 8 * MOST_NOISE * p->deviation;
	double squares = 0, rows = 0;

	for (size_t k = 0; k < COUNT(few); k++)
		if (few[k] < p->n) {
			squares = add_row(m, t, few[k], squares);
			rows++;
		}
	if (!(squares <= most * most * rows * (double)p->cols))
		return HUGE_VAL;
	squares = m->residual = 0;
	for (size_t i = 0; i < p->n; i += step)
		squares = add_row(m, t, i, squares);
	return sqrt(squares / n);
}

double match_cost(const struct profile *p, const struct match *m, double n)
{
	const double least =
		fmax(p->deviation * (p->noise + 0x1p-53) + p->abs_noise,
		     STEP_NOISE(m->step));
	const double told = log(2) * m->bits;

	/* All residuals that rounding to steps leaves are equally likely. */
	return m->stepped ? n * (log(m->step) - NORMAL_ENTROPY) + told
			  : n * log(fmax(m->rms, least)) + told;
}

/* How other arithmetic than float32 is named, where that would leave more. */
static const char *dtype_flag(const struct trial *t, double residual)
{
	return profile_dtype(t->profile) == F64 &&
			       residual < FLOAT32_NOISE * t->amplitude
		       ? " --dtype float64" : "";
}

bool fit_measure(struct search *s, const struct candidate *c, size_t step,
		 struct match *m)
{
	const struct profile *p = s->profile;
	const size_t rows = (p->n + step - 1) / step;
	const double n = (double)rows * (double)p->cols;
	struct trial t = { .profile = p, .columns = s->columns };
	struct error err = { 0 };
	struct match made = {
		.candidate = *c, .plain = true, .grade = GRADE_CLOSE,
		.dtype = profile_dtype(p), .step = s->step, .rms = HUGE_VAL,
	};

	if (trial_begin(&t, c, &err))
		made.rms = measure(&made, &t, step, n);
	if (made.rms < HUGE_VAL && evidence_cost(&t, &err)) {
		made.recipe = t.made.from.recipe;
		made.command = search_text(s, "%s%s", t.made.from.command,
					   dtype_flag(&t, made.rms));
		made.bits = t.bits;
		/* Not if residuals are as small as those of the steps: then a
		   table of steps has noise. */
		/* Steps leave more than arithmetic does. */
		made.stepped = s->step > 0 && made.rms > s->step / 32 &&
			       made.residual <= HALF * s->step &&
			       s->off_step < made.residual / 4;
		made.cost = match_cost(s->plain, &made, n);
		*m = made;
	}
	table_close(&t.made);
	pass_memory(s->err, &err);
	return made.command;
}

/*
 * Whether the values say much more than the options: each says how many times
 * its residual is below the spread. So do pairs of columns, or any few
 * frequencies would be some base and step.
 */
static bool evident(struct search *s, const struct match *m)
{
	const struct profile *p = s->profile;
	const double all = (double)p->n * (double)p->cols;
	const double least = m->stepped ? STEP_NOISE(m->step) : 0;
	const double ratio = s->spread / fmax(m->rms, least);
	const double bits = all * log2(ratio);
	const double told = m->bits;
	/* Frequencies are known the better the more rows there are. */
	const double rows =
		m->candidate.independent ? log2((double)p->n) : 0;

	if (p->cols > 1 && (double)p->cols / 4 * (log2(ratio) + rows) < told)
		return false;
	/* Few commands are within half a step of all values. */
	return ratio > 1 / (m->stepped ? 2 * MOST_NOISE : USUAL_NOISE)
		       ? bits > 64 + 4 * told
		       : ratio > 1 / (2 * MOST_NOISE) && bits > 2000 + 8 * told;
}

/* The place of m in s: that of the same command, a free one, or the worst. */
static struct match *place(struct search *s, const struct match *m)
{
	struct match *worst = &s->matches[0];

	for (size_t k = 0; k < s->n; k++) {
		if (strcmp(s->matches[k].command, m->command) == 0)
			return &s->matches[k];
		if (s->matches[k].cost > worst->cost)
			worst = &s->matches[k];
	}
	if (s->n < MAX_MATCHES)
		return &s->matches[s->n++];
	return worst->cost > m->cost ? worst : NULL;
}

/* A search goes on until noise of its level, or rounding, explains all. */
static bool explained(const struct profile *p, const struct match *m)
{
	return m->stepped || m->rms <= 2 * p->assumed / BOUND;
}

bool fit_candidate(struct search *s, const struct candidate *c)
{
	const struct profile *p = s->profile;
	struct match m, *to;

	if (s->err->text[0] || search_over(s) ||
	    !fit_measure(s, c, p->n / SAMPLE_ROWS + 1, &m) || !evident(s, &m))
		return false;
	m.candidate.options = table_copy(s->owner, c->options, s->err);
	if (!m.candidate.options)
		return false;
	to = place(s, &m);
	if (to)
		*to = m;
	return explained(p, &m);
}

static int by_cost(const void *a, const void *b)
{
	const double x = ((const struct match *)a)->cost;
	const double y = ((const struct match *)b)->cost;

	return x > y ? 1 : x < y ? -1 : 0;
}

/*
 * Compare the best matches again, on many rows, and rank them by that; then the
 * best, on all.
 */
static void rank(struct search *s)
{
	const struct profile *p = s->profile;
	const size_t step = p->n * p->cols / RANKED_VALUES + 1;
	struct match *best = &s->matches[0];
	double ranked;

	qsort(s->matches, s->n, sizeof *s->matches, by_cost);
	s->n = s->n < MAX_KEPT ? s->n : MAX_KEPT;
	for (struct match *m = best; m < best + s->n; m++)
		fit_measure(s, &m->candidate, step, m);
	qsort(s->matches, s->n, sizeof *s->matches, by_cost);
	if (step > 1 && s->n) {
		ranked = best->cost;
		fit_measure(s, &best->candidate, 1, best);
		best->cost = ranked;
	}
}

bool fit_explained(const struct search *s)
{
	for (size_t k = 0; k < s->n && s->profile->assumed > 0; k++)
		if (explained(s->profile, &s->matches[k]))
			return true;
	return !(s->profile->assumed > 0);
}

/* ---- what the residuals of a match look like */

enum { FEW = 200, MOST_VALUES = 1 << 18 };

/* A true hypothesis is rejected once in about 1e9 tables. */
#define SIGMAS 6

/* Smaller probabilities reject a distribution (Kolmogorov-Smirnov). */
#define LEAST_P 0.01

/* Residuals of every step-th row, and their moments. */
struct sample {
	double *e;             /* [n, cols] */
	size_t n, cols, step;
	double count;          /* n cols */
	double variance;       /* the mean square */
	double kurtosis;
};

static double residual(const struct sample *a, size_t i, size_t j)
{
	return a->e[i * a->cols + j];
}

/* Fill the sample; false if memory is short. */
static bool take_sample(struct sample *a, struct search *s,
			const struct match *m)
{
	const struct profile *p = s->profile;
	struct trial t = { .profile = p, .columns = s->columns };
	const bool good = trial_begin(&t, &m->candidate, s->err);
	double squares = 0, fourth = 0;

	a->cols = p->cols;
	a->step = p->n * p->cols / MOST_VALUES + 1;
	a->n = (p->n + a->step - 1) / a->step;
	a->count = (double)a->n * (double)a->cols;
	a->e = good ? search_alloc(s, a->n, a->cols * sizeof *a->e) : NULL;
	for (size_t i = 0; a->e && i < a->n; i++) {
		const double *x = profile_row(p, i * a->step);
		const double *y = trial_row(&t, i * a->step);

		for (size_t j = 0; j < a->cols; j++) {
			const double e = x[j] - y[j];

			a->e[i * a->cols + j] = e;
			squares += e * e;
			fourth += e * e * e * e;
		}
	}
	table_close(&t.made);
	a->variance = squares / a->count;
	a->kurtosis = fourth / a->count / (a->variance * a->variance);
	return a->e;
}

/* The mean square of line k: a column, or a row. */
static double line_square(const struct sample *a, size_t k, bool column)
{
	const size_t n = column ? a->n : a->cols;
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += pow(column ? residual(a, i, k) : residual(a, k, i), 2);
	return sum / (double)n;
}

/* Lines whose mean square is above the mean. */
struct large_lines {
	size_t n, first, last;
	size_t most;           /* the largest of all */
};

/* Say which they are. */
static void large_words(const struct large_lines *l, const char *name,
			struct residual_test *r)
{
	if (l->n > 1 && l->last - l->first + 1 == l->n)
		snprintf(r->text, sizeof r->text,
			 ", which is larger in %ss %zu to %zu", name, l->first,
			 l->last);
	else if (l->n == 1)
		snprintf(r->text, sizeof r->text,
			 ", which is larger in %s %zu", name, l->most);
	else
		snprintf(r->text, sizeof r->text,
			 ", which is larger in some %ss, most in %s %zu", name,
			 name, l->most);
}

/*
 * Whether the mean squares of lines differ by more than those of independent
 * residuals of this kurtosis. Names the lines of more than the mean.
 */
static bool uneven(const struct sample *a, bool column, struct residual_test *r)
{
	const size_t lines = column ? a->cols : a->n;
	const double length = (double)(column ? a->n : a->cols);
	struct large_lines large = { 0 };
	double sum = 0, largest = 0;

	for (size_t k = 0; k < lines; k++) {
		const double x = line_square(a, k, column) / a->variance;
		const size_t at = column ? k : k * a->step;

		sum += pow(x - 1, 2);
		if (x > largest)
			large.most = at;
		largest = fmax(x, largest);
		if (x < 1)
			continue;
		large.first = large.n++ ? large.first : at;
		large.last = at;
	}
	sum *= length / (a->kurtosis - 1);
	/* A line that has most of all raises the kurtosis, too. */
	if (!(sum - (double)lines >
	      SIGMAS * sqrt((double)lines * (2 + 12 / length))) &&
	    !(lines >= 8 && largest > 0.5 * (double)lines))
		return false;
	r->kind = RESIDUALS_UNEVEN;
	large_words(&large, column ? "column" : "row", r);
	return true;
}

/*
 * Whether neighbours, in a row or in a column, are correlated, and by more than
 * rounding of arithmetic beside noise may cause.
 */
static bool correlated(const struct sample *a, bool column)
{
	const size_t down = column ? 1 : 0, right = column ? 0 : 1;
	double sum = 0;

	for (size_t i = 0; i + down < a->n; i++)
		for (size_t j = 0; j + right < a->cols; j++)
			sum += residual(a, i, j) *
			       residual(a, i + down, j + right);
	sum = fabs(sum) / a->variance;
	return sum > SIGMAS * sqrt(a->count) && sum > 0.25 * a->count;
}

/* How the residuals are distributed; a part of them is kept, sorted. */
static const char *distribution(struct sample *a)
{
	const size_t all = a->n * a->cols, step = all / SORTED + 1;
	struct distribution d;
	bool normal, uniform;
	size_t n = 0;

	for (size_t i = 0; i < all; i += step)
		a->e[n++] = a->e[i];
	sort_doubles(a->e, n);
	distribution_of(&d, NULL, a->e, n);
	normal = d.normal_p > LEAST_P;
	uniform = d.uniform_p > LEAST_P;
	return normal && uniform ? ", which looks like noise"
	       : normal	  ? ", which looks like Gaussian noise"
	       : uniform  ? ", which looks like uniform noise"
			  : ", neither normal nor uniform in distribution";
}

void residuals_test(struct search *s)
{
	struct sample a = { .n = 0 };
	struct residual_test *r = &s->residuals;

	*r = (struct residual_test){ .kind = RESIDUALS_UNTESTED };
	if (!take_sample(&a, s, &s->matches[0]))
		return;
	/* Too few tell no distribution. */
	if (a.count >= FEW && s->matches[0].stepped) {
		r->kind = RESIDUALS_NOISE;
		snprintf(r->text, sizeof r->text,
			 ", which looks like rounding to steps of %.3g",
			 s->matches[0].step);
	} else if (correlated(&a, true) || correlated(&a, false)) {
		r->kind = RESIDUALS_SYSTEMATIC;
		snprintf(r->text, sizeof r->text,
			 ", but neighbouring residuals are correlated");
	} else if (a.count >= FEW && !uneven(&a, true, r) &&
		   !uneven(&a, false, r)) {
		r->kind = RESIDUALS_NOISE;
		snprintf(r->text, sizeof r->text, "%s",
			 distribution(&a));
	}
}

/* ---- the search */

/* p with noise of a standard deviation. */
static void assume_noise(struct profile *rough, const struct profile *p,
			 double noise)
{
	struct spectrum *const spectrum = rough->spectrum;

	*rough = *p;
	rough->spectrum = spectrum;
	rough->assumed = BOUND * noise;
	rough->noise = fmax(p->noise, rough->assumed /
					      fmax(fabs(p->max), fabs(p->min)));
	rough->abs_noise = fmax(p->abs_noise, rough->assumed);
	rough->digits = rough->decimals = MAX_DIGITS;
	rough->dtype_noise = rough->dtype_abs_noise = 0;
}

/*
 * Compare the matches again as if there were no noise: arithmetic may explain
 * residuals though the search under rounding alone lost its way.
 */
static void compare_exactly(struct search *s)
{
	struct search *fits = search_copy(s);

	if (!fits)
		return;
	s->n = 0;
	for (size_t k = 0; k < fits->n; k++)
		search_compare(s, &fits->matches[k].candidate);
	search_keep_best(s);
	fits->nearest = s->nearest;
	if (!s->n)
		*s = *fits;
}

/*
 * The step of which all differences of sorted values are multiples, or 0; off
 * becomes how far these are off at most.
 */
static double common_step(const double *x, size_t n, double *off)
{
	const double range = x[n - 1] - x[0];
	double step = range;

	*off = 0;
	for (size_t i = 1; i < n; i++)
		if (x[i] - x[i - 1] > range / (2.0 * MOST_STEPS))
			step = fmin(step, x[i] - x[i - 1]);
	for (size_t i = 1; i < n; i++) {
		const double steps = rint((x[i] - x[0]) / step);
		const double far = fabs(x[i] - x[0] - steps * step);

		if (far > 0.05 * step)
			return 0;
		*off = fmax(*off, far);
		if (steps > 0)
			step = (x[i] - x[0]) / steps;
	}
	return step;
}

/* What the comparison under noise needs to know of p; false: no memory. */
static bool begin(struct search *s, const struct profile *p)
{
	double *x = search_alloc(s, SORTED, sizeof *x), squares = 0;
	const struct moments *columns = profile_columns(p, s->owner, s->err);
	const size_t all = p->n * p->cols, step = all / SORTED + 1;
	size_t n = 0;

	if (!x || !columns)
		return false;
	for (size_t j = 0; j < p->cols; j++)
		squares += columns[j].variance;
	for (size_t i = 0; i < all; i += step)
		x[n++] = profile_value(p, i / p->cols, i % p->cols);
	sort_doubles(x, n);
	s->plain = p;
	s->spread = p->n > 1 ? sqrt(squares / (double)p->cols) : p->deviation;
	s->step = common_step(x, n, &s->off_step);
	return true;
}

/* Keep measurements that are the same under any noise; false: no memory. */
static bool keep_spectrum(struct search *s, struct profile *rough,
			  const struct profile *p)
{
	rough->spectrum = search_alloc(s, 1, sizeof *rough->spectrum);
	if (!rough->spectrum)
		return false;
	rough->spectrum->tones = search_alloc(s, p->cols, sizeof(struct tone));
	return rough->spectrum->tones;
}

/* Whether most rows are zeros, which agree with many commands. */
static bool mostly_zeros(const struct profile *p)
{
	size_t zeros = 0;

	for (size_t i = 0; i < p->n; i++)
		zeros += profile_zero_row(p, i);
	return 2 * zeros > p->n;
}

bool fit_families(struct search *s, const struct profile *p,
		  struct profile *rough)
{
	const char *verdict = s->verdict, *family = s->family;
	const double scale = p->deviation;
	const size_t values = p->n * p->cols;
	double noise;

	if (mostly_zeros(p) || !keep_spectrum(s, rough, p) || !begin(s, p))
		return false;
	s->profile = rough;
	noise = s->step > 0	   ? HALF * s->step / BOUND / scale
		: p->stored == F64 ? LEAST_NOISE
				   : 1e-7;
	assume_noise(rough, p, noise * scale);
	for (; noise < MOST_NOISE && !fit_explained(s); noise *= 10) {
		assume_noise(rough, p, noise * scale);
		for (size_t k = 0;
		     search_goes_on_for(s, k < COUNT(measuring), values); k++)
			measuring[k](s);
	}
	/* Families are fast, and may need fewer options. */
	for (size_t k = 0; search_goes_on_for(s, k < COUNT(listing) &&
					      (!k || !s->n), values); k++)
		listing[k](s);
	s->profile = p;
	s->strict = false;
	s->verdict = verdict;
	s->family = family;
	rank(s);
	compare_exactly(s);
	if (s->n && !s->matches[0].explained)
		residuals_test(s);
	return s->n;
}

bool fit_columns(struct finding *f)
{
	struct search *s = &f->search;
	const struct search *before = search_copy(s);
	const struct profile *p = &f->profile;

	if (!before || !begin(s, p))
		return false;
	assume_noise(&f->rough, p, USUAL_NOISE / 2 * p->deviation);
	if (read_columns_of(f, &f->rough) && f->reading.text) {
		s->columns = &f->reading.columns;
		s->profile = p;
		rank(s);
		residuals_test(s);
		s->columns = NULL;
		if (s->residuals.kind != RESIDUALS_SYSTEMATIC)
			return true;
	}
	search_restore(s, before);
	s->n = 0;
	f->reading = (struct reading){ .text = NULL };
	return false;
}
