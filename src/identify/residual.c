/* residual.c: what the residuals of a match look like. */
#include <math.h>
#include <stdio.h>

#include "identify/draws.h"
#include "identify/fit.h"
#include "identify/trial.h"
#include "table/sort.h"

enum { FEW = 200, MOST_VALUES = 1 << 18, SORTED = 4096 };

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
