/*
 * stackings.c: tables as code stacks them for its arithmetic: columns of cosines
 * and sines twice, in any place; rotation matrices; axes in turn; cells column
 * by column; batches; biases with a causal mask.
 */
#include <math.h>
#include <string.h>

#include "identify/reading.h"

/*
 * Columns j = (group P + letter) inner + i of a pattern of P letters: those of
 * a letter are equal, and of opposite sign to those of its capital. The table
 * that is read has one column for each letter, group and i.
 */
struct stacking {
	const char *pattern;
	size_t parts;          /* inner is so small a part of all columns, */
	size_t inner;          /* or this; then parts are such patterns each */
	const char *words;
};

static const struct stacking stackings[] = {
	{ "aa", 2, 0, "its columns stored twice, as by cat((x, x))" },
	{ "aa", 0, 1, "each column stored twice, as by repeat_interleave" },
	{ "aa", 4, 0, "each half of its columns stored twice" },
	{ "aa", 8, 0, "each quarter of its columns stored twice" },
	{ "aa", 0, 2, "each pair of columns stored twice" },
	{ "Aa", 2, 0, "its columns stored twice, at first with opposite sign" },
	{ "aBba", 0, 1, "as rotation matrices [[cos, -sin], [sin, cos]]" },
	{ "aBba", 4, 0, "as rotation matrices [[cos, -sin], [sin, cos]]" },
	/* Axes in turn: in one row of cells, only one of them changes. */
	{ "ab", 1, 1, "the columns of two axes in turn" },
	{ "ab", 2, 1, "in each half, the columns of two axes in turn" },
	{ "ab", 1, 2, "the pairs of columns of two axes in turn" },
};

static bool is_turns(const struct stacking *k)
{
	return strcmp(k->pattern, "ab") == 0;
}

/* A table as rows [n] of columns. */
struct laid_out {
	double *x;
	size_t n, cols;
};

/* The column of which j is a copy, in the first group's order. */
static size_t source(const struct stacking *k, size_t inner, size_t j)
{
	const size_t p = strlen(k->pattern), at = j / inner % p;
	const char letter = (char)(k->pattern[at] | 0x20);
	const size_t from = (size_t)(strchr(k->pattern, letter) - k->pattern);

	return j - at * inner + from * inner;
}

/* Whether the columns repeat so. */
static bool repeats(const struct laid_out *l, const struct stacking *k,
		    size_t inner)
{
	const size_t p = strlen(k->pattern);

	for (size_t i = 0; i < l->n; i++)
		for (size_t j = 0; j < l->cols; j++) {
			const double *x = l->x + i * l->cols;
			const bool minus = k->pattern[j / inner % p] < 'a';
			const double y = x[source(k, inner, j)];

			if (fabs(x[j] - (minus ? -y : y)) > 0)
				return false;
		}
	return true;
}

/* Whether columns of one letter, but not all, are those of the row before. */
static bool takes_turns(const struct laid_out *l, size_t inner)
{
	bool same[2] = { true, true };

	for (size_t j = 0; l->n > 2 && j < l->cols; j++)
		if (fabs(l->x[j] - l->x[j + l->cols]) > 0)
			same[j / inner % 2] = false;
	return same[0] != same[1];
}

/* Copy one column for each letter, group and i to the view. */
static double *take_columns(struct finding *f, const struct laid_out *l,
			    const struct stacking *k, size_t inner)
{
	const bool turns = is_turns(k);
	const size_t part = k->parts ? l->cols / k->parts : l->cols;
	struct table *view = &f->reading.view;
	double *x = search_alloc(&f->search, l->n * l->cols, sizeof *x);
	double *to = x;

	if (!x)
		return NULL;
	view->planes = 1;
	view->rows = l->n;
	view->cols = turns ? l->cols : l->cols / 2;
	view->outer_rank = 0;
	table_dense(view, x);
	for (size_t i = 0; i < l->n; i++) {
		const double *from = l->x + i * l->cols;

		for (size_t block = 0; turns && block < 2 * k->parts; block++)
			for (size_t j = 0; j < part; j++)
				if (j / inner % 2 == block % 2)
					*to++ = from[block / 2 * part + j];
		for (size_t j = 0; !turns && j < l->cols; j++)
			if (source(k, inner, j) == j)
				*to++ = from[j];
	}
	return x;
}

/* Run all families on the view; if there is a match, note how it was read. */
static bool run_as(struct finding *f, const char *text, const char *made)
{
	f->search.verdict = NULL;
	if (!run_families(&f->search, &f->reading.profile, &f->reading.view))
		return false;
	f->reading.text = text;
	f->reading.made = made;
	return true;
}

/* Whether the table has the stacking. */
static bool has_stacking(const struct laid_out *l, const struct stacking *k,
			 size_t inner)
{
	const size_t all = strlen(k->pattern) * inner;
	const size_t part = k->inner && k->parts ? l->cols / k->parts : l->cols;

	if (!inner || part % all)
		return false;
	return is_turns(k) ? part > all && takes_turns(l, inner)
			   : repeats(l, k, inner);
}

/*
 * Run all families on the columns of each stacking that the table has, and of
 * one within one.
 */
static bool try_stackings(struct finding *f, const struct laid_out *l,
			  const char *how)
{
	struct reading *r = &f->reading;

	for (size_t s = 0; s < COUNT(stackings); s++) {
		const struct stacking *k = &stackings[s];
		const size_t inner = k->inner ? k->inner : l->cols / k->parts;
		const char *words;
		struct laid_out less = { .n = l->n };

		if (!has_stacking(l, k, inner))
			continue;
		less.x = take_columns(f, l, k, inner);
		if (!less.x)
			return false;
		less.cols = r->view.cols;
		words = reading_format(f, "%s%s", how, k->words);
		if (run_as(f, words, reading_format(f, "this table, %s",
						    words)))
			return true;
		if (!is_turns(k) && try_stackings(f, &less, reading_format(
						  f, "%s, ", words)))
			return true;
	}
	return false;
}

/* Ways to lay planes out, with what the reading says before the stacking. */
enum { IN_ROWS, SIDE_BY_SIDE, ONE_BELOW_ANOTHER, WAYS };

static const char *const way_words[WAYS] = { "", "planes side by side, ", "" };

/*
 * Rows of an index of the first dimension each, of planes side by side, or of
 * the table. Returns whether that differs from the ways before.
 */
static bool lay_out(struct laid_out *l, const struct table *t, int way)
{
	const size_t rows = t->planes * t->rows, cols = t->cols;
	size_t k = 0;

	l->n = way == SIDE_BY_SIDE ? t->rows : rows;
	while (k < t->outer_rank && t->outer[k] < 2)
		k++;
	if (way == IN_ROWS && t->planes > 1)
		l->n = k < t->outer_rank ? t->outer[k] : t->planes;
	l->cols = rows * cols / l->n;
	for (size_t i = 0; i < rows; i++)
		memcpy(l->x + (way == SIDE_BY_SIDE
			       ? i % t->rows * l->cols + i / t->rows * cols
			       : i * cols),
		       t->row(t, i, NULL), cols * sizeof *l->x);
	return way == IN_ROWS || (t->planes > 1 && t->rows > 1);
}

/* Drop columns of zeros, of which matrices of all pairs have many. */
static void drop_zeros(struct laid_out *l)
{
	double *to = l->x;
	size_t *keep = (size_t *)(void *)(l->x + l->n * l->cols), kept = 0;

	for (size_t j = 0; j < l->cols; j++) {
		size_t i = 0;

		while (i < l->n && !(fabs(l->x[i * l->cols + j]) > 0))
			i++;
		keep[kept] = j;
		kept += i < l->n;
	}
	for (size_t i = 0; i < l->n; i++)
		for (size_t j = 0; j < kept; j++)
			*to++ = l->x[i * l->cols + keep[j]];
	l->cols = kept;
}

bool read_stacked(struct finding *f, const struct table *t)
{
	const size_t all = t->planes * t->rows * t->cols;
	struct laid_out l = { .n = 0 };

	if (!f->profile.finite || f->profile.integers)
		return false;
	l.x = search_alloc(&f->search, 2 * all, sizeof *l.x);
	for (int way = 0; l.x && way < WAYS; way++) {
		f->reading.view = *t;
		if (!lay_out(&l, t, way))
			continue;
		if (way == IN_ROWS && t->planes > 1 && t->rows == t->cols &&
		    t->rows > 2)
			drop_zeros(&l);
		if (try_stackings(f, &l, way_words[way]))
			return true;
	}
	return false;
}

/* Whether columns tell one coordinate each of cells, h to a column. */
static bool may_be_cells(const struct profile *p, size_t h)
{
	size_t same = 0;

	for (size_t j = 0; j < p->cols; j++) {
		const double x = profile_row(p, 0)[j];
		const bool below = fabs(profile_row(p, 1)[j] - x) > 0;

		if (below && fabs(profile_row(p, h)[j] - x) > 0)
			return false;
		same += !below;
	}
	return same > 0 && same < p->cols;
}

bool read_cells(struct finding *f, const struct table *t)
{
	const struct profile *p = &f->profile;
	struct reading *r = &f->reading;

	if (!p->finite || p->integers || t->planes > 1)
		return false;
	for (size_t h = 2; 2 * h <= p->n; h++) {
		double *x;

		if (p->n % h || !may_be_cells(p, h))
			continue;
		x = search_alloc(&f->search, p->n * p->cols, sizeof *x);
		if (!x)
			return false;
		for (size_t i = 0; i < p->n; i++)
			memcpy(x + (i % h * (p->n / h) + i / h) * p->cols,
			       profile_row(p, i), p->cols * sizeof *x);
		r->view = *t;
		table_dense(&r->view, x);
		if (run_as(f, "cells column by column",
			   "this table, its cells column by column"))
			return true;
	}
	return false;
}

/* Whether rows i and j of the table have the same bytes. */
static bool same_rows(const struct table *t, size_t i, size_t j)
{
	return memcmp(t->row(t, i, NULL), t->row(t, j, NULL),
		      t->cols * sizeof(double)) == 0;
}

/*
 * Read one of a batch whose tables are all equal: [B, H, rows, cols], or
 * [planes, B, cols] of rows.
 */
bool read_batch(struct finding *f, const struct table *t)
{
	struct table *view = &f->reading.view;
	size_t k = 0, planes = t->planes, i;
	struct table one;
	double *x;

	while (k < t->outer_rank && t->outer[k] < 2)
		k++;
	if (k + 1 < t->outer_rank)
		planes /= t->outer[k];
	for (i = planes * t->rows; i < t->planes * t->rows; i++)
		if (!same_rows(t, i, i - planes * t->rows))
			planes = t->planes;
	*view = *t;
	view->planes = planes;
	for (i = 1; i < t->planes * t->rows; i++)
		if (i % t->rows && !same_rows(t, i, i - 1))
			break;
	if (planes == t->planes && i < t->planes * t->rows)
		return false;
	if (planes == t->planes)
		view->rows = 1;
	if (t->planes == 1 || view->planes * view->rows ==
			      t->planes * t->rows)
		return false;
	view->outer_rank = 0;
	x = search_alloc(&f->search, planes * view->rows,
			 t->cols * sizeof *x);
	for (i = 0; x && i < planes * view->rows; i++)
		memcpy(x + i * t->cols,
		       t->row(t, i * t->rows / view->rows, NULL),
		       t->cols * sizeof *x);
	if (x)
		table_dense(view, x);
	if (!x || run_as(f, "one of a batch, all equal",
			 "each of the batch of this table"))
		return x;
	one = *view;
	if (!read_causal(f, &one))
		return false;
	f->reading.made = reading_format(f, "%s, in each of the batch",
					 f->reading.made);
	return true;
}

/* Keys after the query in biases [planes, queries, keys], and what they have */
struct masked {
	double low, high;      /* of keys after the query */
	double least, most;    /* of others */
	bool same_rows;        /* of a plane, but for the mask */
};

/* Measure them; false for tables that have no such keys. */
static bool measure_mask(const struct table *t, struct masked *m)
{
	*m = (struct masked){ HUGE_VAL, -HUGE_VAL, HUGE_VAL, -HUGE_VAL, true };
	if (t->rows < 3 || t->cols < t->rows)
		return false;
	for (size_t i = 0; i < t->planes * t->rows; i++) {
		const double *x = t->row(t, i, NULL);
		const double *last = t->row(t, i / t->rows * t->rows +
					    t->rows - 1, NULL);
		const size_t keys = t->cols - t->rows + i % t->rows + 1;

		for (size_t j = 0; j < keys; j++) {
			m->least = fmin(m->least, x[j]);
			m->most = fmax(m->most, x[j]);
			m->same_rows &= !(fabs(x[j] - last[j]) > 0);
		}
		for (size_t j = keys; j < t->cols; j++) {
			if (isnan(x[j]))
				return false;
			m->low = fmin(m->low, x[j]);
			m->high = fmax(m->high, x[j]);
		}
	}
	return m->most > m->least && isfinite(m->most - m->least) &&
	       (!(m->high > m->low) || m->high < m->least);
}

/*
 * Read biases without their causal mask: with 0 there, or, where queries differ
 * in nothing else, the last query.
 */
bool read_causal(struct finding *f, const struct table *t)
{
	struct table *view = &f->reading.view;
	struct masked m;
	double *x;
	const char *made;

	if (!measure_mask(t, &m))
		return false;
	*view = *t;
	view->rows = m.same_rows ? 1 : t->rows;
	view->outer_rank = 0;
	x = search_alloc(&f->search, t->planes * view->rows,
			 t->cols * sizeof *x);
	if (!x)
		return false;
	for (size_t i = 0; i < t->planes * view->rows; i++) {
		const size_t at = m.same_rows ? (i + 1) * t->rows - 1 : i;
		const size_t keys = t->cols - t->rows + at % t->rows + 1;

		memcpy(x + i * t->cols, t->row(t, at, NULL),
		       keys * sizeof *x);
	}
	table_dense(view, x);
	made = reading_format(f, "%sthis table without its causal mask of %.9g"
			      "%s", m.same_rows ? "every query of " : "", m.low,
			      m.high > m.low ? " or more" : "");
	return run_as(f, "without its causal mask", made);
}
