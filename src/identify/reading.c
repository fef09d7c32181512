/*
 * reading.c: other arrangements of a table in which a family may find it. Each
 * is a row of views[]: what it is called, what its command makes, and a
 * function that makes it.
 */

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "identify/budget.h"
#include "identify/reading.h"

const char *reading_format(struct finding *f, const char *format, ...)
{
	va_list list;
	const char *text;

	va_start(list, format);
	text = table_format(f->search.owner, f->search.err, format, list);
	va_end(list);
	return text;
}

/* Rows and columns of a tile, which stays in the cache. */
enum { TILE = 32 };

/* Transpose rows first to end - 1 of t to columns of x, which has n. */
static void transpose_rows(double *x, size_t n, const struct table *t,
			   size_t first, size_t end)
{
	for (size_t j = 0; j < t->cols; j += TILE)
		for (size_t i = first; i < end; i++) {
			const double *from = t->row(t, i, NULL);

			for (size_t k = j; k < j + TILE && k < t->cols; k++)
				x[k * n + i] = from[k];
		}
}

void reading_reshape(struct finding *f, const struct table *t, size_t rows,
		     size_t cols)
{
	struct table *view = &f->reading.view;

	*view = *t;
	view->planes = 1;
	view->outer_rank = 0;
	view->rows = rows;
	view->cols = cols;
	table_dense(view, t->row(t, 0, NULL));
}

double *reading_view(struct finding *f, const struct table *t, size_t planes,
		     size_t rows, size_t cols)
{
	double *x = search_alloc(&f->search, planes * rows, cols * sizeof *x);

	reading_reshape(f, t, rows, cols);
	f->reading.view.planes = planes;
	table_dense(&f->reading.view, x);
	return x;
}

bool reading_transpose(struct finding *f, const struct table *t)
{
	const size_t n = t->planes * t->rows;
	double *x = reading_view(f, t, 1, t->cols, n);

	for (size_t i = 0; x && i < n; i += TILE)
		transpose_rows(x, n, t, i, i + TILE < n ? i + TILE : n);
	return x && n > 1;
}

bool reading_undo(struct finding *f, const struct search *before)
{
	search_restore(&f->search, before);
	f->reading = (struct reading){ .text = NULL };
	return false;
}

/* Drop columns of zeros of the view. */
static bool drop_zeros(struct finding *f)
{
	const struct table t = f->reading.view;
	size_t *keep = search_alloc(&f->search, t.cols, sizeof *keep);
	size_t kept = 0;
	double *x;

	for (size_t j = 0; keep && j < t.cols; j++) {
		size_t i = 0;

		while (i < t.rows && !(fabs(t.row(&t, i, NULL)[j]) > 0))
			i++;
		keep[kept] = j;
		kept += i < t.rows;
	}
	x = kept ? reading_view(f, &t, 1, t.rows, kept) : NULL;
	for (size_t k = 0; x && k < t.rows * kept; k++)
		x[k] = t.row(&t, k / kept, NULL)[keep[k % kept]];
	return x;
}

/* Planes as blocks of columns, as heads divide the columns of a layer. */
static bool side_by_side(struct finding *f, const struct table *t)
{
	const size_t cols = t->planes * t->cols;
	double *x;

	if (t->planes < 2 || t->rows < 2)
		return false;
	x = reading_view(f, t, 1, t->rows, cols);
	for (size_t i = 0; x && i < t->planes * t->rows; i++)
		memcpy(x + i % t->rows * cols + i / t->rows * t->cols,
		       t->row(t, i, NULL), t->cols * sizeof *x);
	return x;
}

static bool one_below_another(struct finding *f, const struct table *t)
{
	reading_reshape(f, t, t->planes * t->rows, t->cols);
	return t->planes > 1;
}

/*
 * An index of the first dimension to a row. Of square matrices without their
 * columns of zeros, of which matrices of all pairs have many.
 */
static bool outer_rows(struct finding *f, const struct table *t)
{
	const size_t all = t->planes * t->rows * t->cols;
	size_t k = 0, rows = t->planes;

	while (k < t->outer_rank && t->outer[k] < 2)
		k++;
	if (k < t->outer_rank)
		rows = t->outer[k];
	reading_reshape(f, t, rows, all / rows);
	return t->planes > 1 && (t->rows != t->cols || t->rows < 3 ||
				 drop_zeros(f));
}

static bool planes_as_rows(struct finding *f, const struct table *t)
{
	reading_reshape(f, t, t->planes, t->rows * t->cols);
	return t->planes > 1;
}

static bool transposed(struct finding *f, const struct table *t)
{
	return t->planes == 1 && reading_transpose(f, t);
}

static bool planes_transposed(struct finding *f, const struct table *t)
{
	const bool planes = planes_as_rows(f, t);
	const struct table flat = f->reading.view;

	return planes && reading_transpose(f, &flat);
}

/* One row of integers from 0 on, one more each, as a column of positions. */
static bool counting(struct finding *f, const struct table *t)
{
	const double *x = t->row(t, 0, NULL);
	size_t j = 1;

	while (j < t->cols && !(fabs(x[j] - x[j - 1] - 1) > 0))
		j++;
	reading_reshape(f, t, t->cols, 1);
	return t->planes == 1 && t->rows == 1 && j == t->cols && j > 1 &&
	       x[0] >= 0 && rint(x[0]) == x[0];
}

/*
 * Rows that t interpolates linearly to twice as many. Of these, every second
 * has so much of its own row, the others as much or as little of the one
 * before them; the first and last are repeated beyond the ends.
 */
static bool halve(struct finding *f, const struct table *t, double own,
		  double other)
{
	const size_t n = (t->rows + 1) / 2, cols = t->cols;
	const double within = 4 * f->profile.noise *
		fmax(fabs(f->profile.min), fabs(f->profile.max));
	const bool fits = t->planes == 1 && n > 3 && f->profile.finite &&
			  t->rows * cols <= LARGE;
	double *x = fits ? reading_view(f, t, 1, n, cols) : NULL;
	bool bent = false;

	if (!x)
		return false;
	for (size_t i = 0; i < t->rows; i++) {
		const double *y = t->row(t, i, NULL);
		double *p = x + i / 2 * cols;

		for (size_t j = 0; i % 2 == 0 && j < cols; j++)
			p[j] = i ? (y[j] - (1 - own) * *(p + j - cols)) / own
				 : y[j];
	}
	for (size_t i = 1; i < t->rows; i += 2) {
		const double *y = t->row(t, i, NULL), *p = x + i / 2 * cols;
		const double *next = i + 1 < t->rows ? p + cols : p;

		for (size_t j = 0; j < cols; j++) {
			if (fabs(y[j] - other * p[j] - (1 - other) * next[j]) >
			    within)
				return false;
			bent = bent || (i > 1 && next > p &&
					fabs(*(p + j - cols) + next[j] -
					     2 * p[j]) > 32 * within);
		}
	}
	for (size_t k = 0; k < n * cols; k++)
		x[k] = dtype_round(f->profile.stored, x[k]);
	return bent;
}

static bool halved(struct finding *f, const struct table *t)
{
	return halve(f, t, 1, 0.5) || halve(f, t, 0.75, 0.75);
}

/* Set skip [rows]: rows of zeros, or else of NaN; returns how many. */
static size_t empty_rows(const struct table *t, bool zero, bool *skip)
{
	size_t count = 0;

	for (size_t i = 0; i < t->rows; i++) {
		const double *x = t->row(t, i, NULL);
		size_t j = 0;

		while (j < t->cols && (zero ? x[j] == 0 : isnan(x[j]) != 0))
			j++;
		skip[i] = j == t->cols;
		count += skip[i];
	}
	return count;
}

/* Whether rows first to end - 1 are in the table and none is left out. */
static bool all_there(const bool *skip, long first, long end, long n)
{
	while (first >= 0 && first < end && end <= n && !skip[first])
		first++;
	return first == end;
}

/*
 * Fill column x of rows left out, first to end - 1, from rows by and 2 by away:
 * x[t-by] + x[t+by] is as many times x[t] as in all others.
 */
static void fill_column(double *x, const struct table *t, const bool *skip,
			long first, long end, long by)
{
	const long n = (long)t->rows, cols = (long)t->cols, m = labs(by);
	double xy = 0, xx = 0;

	for (long i = m; i + m < n; i++) {
		if (skip[i - m] || skip[i] || skip[i + m])
			continue;
		xy += x[i * cols] * (x[(i - m) * cols] + x[(i + m) * cols]);
		xx += x[i * cols] * x[i * cols];
	}
	for (long i = first; i < end; i++)
		x[i * cols] = (xx > 0 ? xy / xx : 2) * x[(i + by) * cols] -
			      x[(i + 2 * by) * cols];
}

/* Fill x in each run of rows left out, from before or after it. */
static bool fill_rows(double *x, const struct table *t, const bool *skip)
{
	const long n = (long)t->rows;

	for (long i = 0, end; i < n; i = end) {
		long m, by;

		for (end = i; end < n && skip[end];)
			end++;
		m = end - i;
		by = all_there(skip, i - 2 * m, i, n) ? -m : m;
		if (by > 0 && !all_there(skip, end, end + 2 * m, n))
			return false;
		for (size_t j = 0; m && j < t->cols; j++)
			fill_column(x + j, t, skip, i, end, by);
		end += !m;
	}
	return true;
}

/* "rows 58 to 60 and 3 others": the first of them, and how many follow. */
static const char *skipped_words(struct finding *f, size_t rows, size_t count)
{
	const bool *skip = f->search.skip;
	size_t first = 0, end;

	while (!skip[first])
		first++;
	for (end = first; end < rows && skip[end];)
		end++;
	count -= end - first;
	return reading_format(
		f, "row%s %zu%s%s", end - first > 1 || count ? "s" : "", first,
		end - first > 1 ? reading_format(f, " to %zu", end - 1) : "",
		count ? reading_format(f, " and %zu more", count) : "");
}

/* Rows of zeros or NaN in an otherwise intact table are no part of it. */
static bool rows_left_out(struct finding *f, const struct table *t)
{
	struct search *s = &f->search;
	struct profile *p = &f->reading.profile;
	bool *skip = search_alloc(s, t->rows, sizeof *skip);
	const size_t count = skip ? empty_rows(t, f->profile.finite, skip) : 0;
	const bool fits = count && t->planes == 1 && t->cols > 1 &&
			  t->rows >= count + 8 && 2 * count <= t->rows &&
			  !f->profile.integers;
	double *x = fits ? reading_view(f, t, 1, t->rows, t->cols) : NULL;
	const char *words;

	if (!x)
		return false;
	s->skip = skip;
	table_rows(t, F64, 0, t->rows, NULL, x);
	for (size_t i = 0; i < t->rows; i++)
		if (skip[i])
			memset(x + i * t->cols, 0, t->cols * sizeof *x);
	profile_table(p, &f->reading.view);
	if (!fill_rows(x, t, skip))
		return false;
	words = skipped_words(f, t->rows, count);
	f->reading.text = reading_format(f, "%s left out", words);
	f->reading.made = reading_format(
		f, "this table, except %s, which %s %s", words,
		count > 1 ? "are" : "is", f->profile.finite ? "zero" : "NaN");
	/* Families know positions by zeros and peaks. */
	for (size_t k = 0; k < t->rows * t->cols; k++)
		x[k] = fabs(x[k]) < 1e-6 * p->max ? 0 : dtype_round(p->stored,
				fmax(p->min, fmin(p->max, x[k])));
	return true;
}

struct view {
	bool (*make)(struct finding *f, const struct table *t);
	const char *text;      /* how the table is read: "transposed" */
	const char *made;      /* NULL: "this table, " and the text */
};

/* Where there is no text, make() sets it. */
static const struct view views[VIEWS] = {
	[VIEW_PLANE] = { view_plane, "one of its planes, all equal",
			 "each plane of this table" },
	[VIEW_BATCH] = { view_batch, "one of a batch, all equal",
			 "each of the batch of this table" },
	[VIEW_CAUSAL] = { view_causal, "without its causal mask", NULL },
	[VIEW_BATCH_CAUSAL] = { view_batch_causal, "without its causal mask",
				NULL },
	[VIEW_CELLS] = { view_cells, "cells column by column",
			 "this table, its cells column by column" },
	[VIEW_WINDOW] = { view_window, NULL, NULL },
	[VIEW_OUTER_ROWS] = { outer_rows, NULL, NULL },
	[VIEW_BELOW] = { one_below_another, NULL, NULL },
	[VIEW_BESIDE] = { side_by_side, "planes side by side", NULL },
	[VIEW_ROWS] = { planes_as_rows, "each plane as one row", NULL },
	[VIEW_ROWS_TRANSPOSED] = { planes_transposed,
				   "planes as rows, transposed", NULL },
	[VIEW_TRANSPOSED] = { transposed, "transposed", NULL },
	[VIEW_COUNTING] = { counting, "transposed", NULL },
	[VIEW_HALVED] = { halved, "rows before they were interpolated",
			  "the rows that this table interpolates linearly to "
			  "twice as many" },
	[VIEW_LEFT_OUT] = { rows_left_out, NULL, NULL },
};

bool make_view(struct finding *f, const struct table *t, enum view_kind k)
{
	f->reading.text = views[k].text;
	f->reading.made = views[k].made;
	return views[k].make(f, t);
}

bool read_view(struct finding *f, const struct table *t, enum view_kind k)
{
	struct reading *r = &f->reading;

	if (make_view(f, t, k) &&
	    run_families(&f->search, &r->profile, &r->view)) {
		if (!r->made)
			r->made = reading_format(f, "this table, %s", r->text);
		return true;
	}
	r->text = r->made = NULL;
	return false;
}

bool read_steps(struct finding *f, const struct table *t)
{
	struct search *s = &f->search;

	if (t->planes > 1 || (t->rows > 1 && t->cols > 1))
		return false;
	reading_reshape(f, t, t->rows * t->cols, 1);
	profile_table(&f->reading.profile, &f->reading.view);
	s->profile = &f->reading.profile;
	identify_temperature(s);
	search_keep_best(s);
	if (s->n && t->cols > 1) {
		f->reading.text = "transposed";
		f->reading.made = "this table, transposed";
	}
	if (!s->n)
		s->profile = &f->profile;
	return s->n;
}

/* Whether a family makes the first columns as rows. */
static bool may_be_transposed(struct finding *f, const struct table *t)
{
	enum { FEW_COLUMNS = 4 };
	const size_t cols = t->cols < FEW_COLUMNS ? t->cols : FEW_COLUMNS;
	const struct search before = f->search;
	double *x = reading_view(f, t, 1, cols, t->rows);
	bool good;

	if (!x || t->planes > 1)
		return false;
	for (size_t i = 0; i < t->rows; i++) {
		double row[FEW_COLUMNS];

		table_part(t, i, 0, cols, row);
		for (size_t j = 0; j < cols; j++)
			x[j * t->rows + i] = row[j];
	}
	good = run_families(&f->search, &f->reading.profile, &f->reading.view);
	search_restore(&f->search, &before);
	return good;
}

bool find_large_reading(struct finding *f, const struct table *t)
{
	const struct search before = f->search;

	if (read_columns(f, t))
		return true;
	if (!f->search.verdict && may_be_transposed(f, t) &&
	    read_view(f, t, VIEW_TRANSPOSED))
		return true;
	return reading_undo(f, &before);
}

/* Arrangements in the order of the search: a view, or what seeks one. */
struct arrangement {
	bool (*seek)(struct finding *f, const struct table *t);
	enum view_kind view;
	bool shape;            /* another shape of the whole table, where
				  nothing is known of its own */
	bool small;            /* takes long for a large table */
};

static const struct arrangement arrangements[] = {
	{ .seek = read_flat },
	{ .view = VIEW_PLANE },
	{ .view = VIEW_CAUSAL },
	{ .seek = read_stacked },
	{ .view = VIEW_CELLS },
	{ .view = VIEW_WINDOW },
	{ .view = VIEW_BESIDE },
	{ .seek = read_columns },
	{ .seek = read_rows },
	{ .seek = read_blocks },
	{ .view = VIEW_ROWS, .shape = true },
	{ .view = VIEW_ROWS_TRANSPOSED, .shape = true, .small = true },
	{ .view = VIEW_TRANSPOSED, .shape = true, .small = true },
};

bool find_reading(struct finding *f, const struct table *t)
{
	const char *verdict = f->search.verdict;
	const size_t values = t->planes * t->rows * t->cols;

	for (size_t k = 0; k < COUNT(arrangements); k++) {
		const struct arrangement *a = &arrangements[k];

		if (!((a->shape || f->profile.integers) && verdict) &&
		    !(a->small && values > LARGE) &&
		    !search_over_for(&f->search, values) &&
		    (a->seek ? a->seek(f, t) : read_view(f, t, a->view)))
			return true;
	}
	f->reading = (struct reading){ .text = NULL };
	f->search.verdict = verdict;
	f->search.profile = &f->profile;
	return false;
}

void report_reading(const struct finding *f, struct report *r)
{
	const struct columns *c = &f->reading.columns;
	const size_t cols = f->search.profile->cols;
	double *from;

	report_group(r, "reading");
	if (f->reading.rests)
		report_lines(r, "rest", f->reading.rest, f->reading.rests);
	if (f->reading.lines) {
		report_numbers(r, f->reading.names[0], f->reading.scale,
			       f->reading.lines);
		report_numbers(r, f->reading.names[1], f->reading.offset,
			       f->reading.lines);
	}
	if (!c->from)
		return;
	from = table_alloc(r->owner, cols, sizeof *from, r->err);
	if (!from)
		return;
	for (size_t j = 0; j < cols; j++)
		from[j] = (double)c->from[j];
	report_numbers(r, "columns", from, cols);
	if (f->reading.flipped)
		report_numbers(r, "signs", c->sign, cols);
}
