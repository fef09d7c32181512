/*
 * repair.c: tables of which a command makes all values but a few. These are
 * found where a rule that nearly all values follow is broken, and replaced by
 * what the rule says, so that families can measure parameters. Candidates are
 * compared with the values as they are, a few of which may be wrong. Or all but
 * rows of zeros or NaN.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "identify/reading.h"
#include "identify/rounding.h"
#include "table/sort.h"

enum {
	SHARE = 100,       /* one of so many values may be wrong */
	MOST_BROKEN = 64,  /* values that break a rule: wrong ones, and others
			      beside them */
	LEAST_ROWS = 8,
	FIRST = 4096,      /* rows that tell which columns have blocks */
	SAMPLE = 63,       /* rows; of many columns, at least */
	LEAST_SAMPLE = 15,
	SAMPLE_VALUES = 1 << 21,
};

/*
 * How far a recurrence may be off: as a share of the column's median, or so
 * many times as far as it usually is.
 */
#define NEAR 1e-3
#define USUAL 16

/* How far values of a usual table may be off besides rounding. */
#define WITHIN 1e-4

/* As a share of the range of all values. */
#define SETTLED 1e-6

/* A rule that predicts a value from others of the table. */
struct rule {
	struct search *search;
	const struct table *table;
	size_t n;
	double *copy;          /* [n, cols] values, NaN where they break the
				  rule; NULL unless some, not many, do */
	double *room;          /* for it, or NULL */
	size_t broken[MOST_BROKEN], count;
	/* What value j of row i is if others are right; NaN: there is none. */
	void (*predict)(const struct rule *r, size_t i, size_t j, double y[2]);
	double *slope;         /* [cols] x[i-1] + x[i+1] = slope x[i] */
	double *within;        /* [cols] how far that may be off */
	const double *made;    /* [n, cols] by a command */
	size_t width;          /* rows of a block */
	bool *blocks;          /* [cols] equal in each block, or alike in all */
};

/* Row i of the copy, or of the table. */
static const double *rule_row(const struct rule *r, size_t i)
{
	return r->copy ? r->copy + i * r->table->cols
		       : r->table->row(r->table, i, NULL);
}

/* Value j of row i + by, or NaN where the plane of row i has no such row. */
static double at(const struct rule *r, size_t i, size_t j, long by)
{
	const long row = (long)(i % r->table->rows) + by;

	if (row < 0 || row >= (long)r->table->rows)
		return (double)NAN;
	return rule_row(r, (size_t)((long)i + by))[j];
}

/* Planes are constant along their diagonals. */
static void predict_diagonal(const struct rule *r, size_t i, size_t j,
			     double y[2])
{
	y[0] = j ? at(r, i, j - 1, -1) : (double)NAN;
	y[1] = j + 1 < r->table->cols ? at(r, i, j + 1, 1) : (double)NAN;
}

/* Columns turn at a frequency, or are straight lines. */
static void predict_turn(const struct rule *r, size_t i, size_t j, double y[2])
{
	y[0] = r->slope[j] * at(r, i, j, -1) - at(r, i, j, -2);
	y[1] = r->slope[j] * at(r, i, j, 1) - at(r, i, j, 2);
}

/* A command makes the values. */
static void predict_made(const struct rule *r, size_t i, size_t j, double y[2])
{
	y[0] = y[1] = r->made[i * r->table->cols + j];
}

/* Rows are cells of a grid: columns depend on the cell's row or its column. */
static void predict_cell(const struct rule *r, size_t i, size_t j, double y[2])
{
	const size_t w = r->width;

	if (!r->blocks[j]) {
		y[0] = at(r, i, j, -(long)w);
		y[1] = at(r, i, j, (long)w);
		return;
	}
	y[0] = i % w ? at(r, i, j, -1) : (double)NAN;
	y[1] = (i + 1) % w ? at(r, i, j, 1) : (double)NAN;
}

static bool is_near(const struct rule *r, size_t j, double x, double y)
{
	return x == y || (r->within && fabs(x - y) <= r->within[j]);
}

static bool breaks(const struct rule *r, size_t i, size_t j)
{
	const double x = rule_row(r, i)[j];
	double y[2];

	r->predict(r, i, j, y);
	if (isnan(y[0]) && isnan(y[1]))
		return isnan(x);
	return !is_near(r, j, x, y[0]) && !is_near(r, j, x, y[1]);
}

/*
 * Note the values that break the rule; false if there are none, or many, or if
 * time is over.
 */
static bool find_broken(struct rule *r)
{
	const size_t cols = r->table->cols;

	r->count = 0;
	for (size_t i = 0; search_goes_on(r->search, i < r->n); i++)
		for (size_t j = 0; j < cols; j++) {
			if (!breaks(r, i, j))
				continue;
			if (r->count == MOST_BROKEN)
				return false;
			r->broken[r->count++] = i * cols + j;
		}
	return (r->count > 0) & !r->search->stopped;
}

/*
 * x as a value that p's table may hold. What is predicted, and as good as 0,
 * the minimum or the maximum, is that: families read positions from such
 * values.
 */
static double settle(const struct rule *r, const struct profile *p, double x)
{
	const double usual[] = { 0, p->min, p->max };

	for (size_t k = 0; !r->made && k < COUNT(usual); k++)
		if (fabs(x - usual[k]) <= SETTLED * (p->max - p->min))
			return usual[k];
	if (p->digits < MAX_DIGITS)
		x = round_digits(round_decimals(x, p->decimals), p->digits);
	return dtype_round(p->stored, fmax(p->min, fmin(p->max, x)));
}

/* Replace what values that keep the rule predict. */
static size_t replace_some(struct rule *r, const struct profile *p)
{
	const size_t cols = r->table->cols;
	size_t left = 0;

	for (size_t k = r->count; k-- > 0;) {
		double *x = &r->copy[r->broken[k]], y[2];

		if (!isnan(*x))
			continue;
		r->predict(r, r->broken[k] / cols, r->broken[k] % cols, y);
		*x = isnan(y[0]) ? y[1] : y[0];
		if (isnan(*x))
			left++;
		else
			*x = settle(r, p, *x);
	}
	return left;
}

/* Replace the values that break the rule; false if some can't be. */
static bool replace(struct rule *r, struct finding *f, struct table *view)
{
	struct profile *p = &f->reading.profile;
	size_t left = r->count + 1, before;

	for (size_t k = 0; k < r->count; k++)
		r->copy[r->broken[k]] = 0;
	*view = *r->table;
	table_dense(view, r->copy);
	profile_table(p, view);
	for (size_t k = 0; k < r->count; k++)
		r->copy[r->broken[k]] = (double)NAN;
	do {
		before = left;
		left = replace_some(r, p);
	} while (left && left < before);
	return !left;
}

/* Copy the values, to be replaced where they break the rule. */
static bool copy_values(struct rule *r, struct search *s)
{
	const size_t all = r->n * r->table->cols;

	if (!r->room)
		r->room = search_alloc(s, all, sizeof *r->room);
	if (r->room)
		table_rows(r->table, F64, 0, r->n, NULL, r->room);
	r->copy = r->room;
	return r->copy;
}

/* Run all families on the table as the rule repairs it. */
static bool try_rule(struct finding *f, struct rule *r)
{
	struct search *s = &f->search;
	const struct search *before = search_copy(s);
	const size_t all = r->n * r->table->cols;

	if (!before || !find_broken(r) || !copy_values(r, s))
		return false;
	s->original = r->table;
	s->most_wrong = all / SHARE < MOST_WRONG ? all / SHARE : MOST_WRONG;
	if (replace(r, f, &f->reading.view) &&
	    run_families(s, &f->reading.profile, &f->reading.view)) {
		s->original = NULL;
		s->most_wrong = 0;
		s->near_wrong = false;
		return true;
	}
	search_restore(s, before);
	r->copy = NULL;
	return false;
}

/* The median of x [n] without NaN, or y if there is nothing else. */
static double median(double *x, size_t n, double y)
{
	size_t m = 0;

	for (size_t k = 0; k < n; k++)
		if (!isnan(x[k]))
			x[m++] = x[k];
	sort_doubles(x, m);
	return m ? x[m / 2] : y;
}

/* Measure the recurrence of column j on a sample of rows. */
static void measure_turn(struct rule *r, size_t j)
{
	const size_t many = SAMPLE_VALUES / r->table->cols + LEAST_SAMPLE;
	const size_t most = many < SAMPLE ? many : SAMPLE;
	const size_t n = r->n < most ? r->n : most;
	double x[SAMPLE], beside[SAMPLE], room[SAMPLE], typical;

	for (size_t k = 0; k < n; k++) {
		const size_t i = k * r->n / n;

		x[k] = at(r, i, j, 0);
		beside[k] = at(r, i, j, -1) + at(r, i, j, 1);
		room[k] = fabs(x[k]);
	}
	typical = median(room, n, 0);
	for (size_t k = 0; k < n; k++)
		room[k] = fabs(x[k]) >= typical && fabs(x[k]) > 0
				  ? beside[k] / x[k] : (double)NAN;
	r->slope[j] = median(room, n, 2);
	for (size_t k = 0; k < n; k++)
		room[k] = fabs(beside[k] - r->slope[j] * x[k]);
	r->within[j] = NEAR * typical + USUAL * median(room, n, 0);
}

static bool try_turns(struct finding *f, struct rule *r)
{
	const struct profile *p = &f->profile;
	const size_t cols = r->table->cols;
	const double size = fmax(fabs(p->min), fabs(p->max));
	bool loose = p->finite;

	r->slope = search_alloc(&f->search, cols, 2 * sizeof *r->slope);
	if (!r->slope)
		return false;
	r->within = r->slope + cols;
	r->predict = predict_turn;
	for (size_t j = 0; search_goes_on_for(&f->search, j < cols, 0); j++) {
		measure_turn(r, j);
		/* So irregular that no value, however far it is from what
		   others predict, can break the recurrence */
		loose = loose && r->within[j] >
					 1.001 * size * (2 + fabs(r->slope[j]));
	}
	return !loose && try_rule(f, r);
}

static bool try_cells(struct finding *f, struct rule *r)
{
	const size_t cols = r->table->cols, n = r->n < FIRST ? r->n : FIRST;
	size_t *equal = search_alloc(&f->search, cols, sizeof *equal);
	bool found = false;

	r->blocks = search_alloc(&f->search, cols, sizeof *r->blocks);
	if (!r->blocks || !equal)
		return false;
	for (size_t i = 1; i < n; i++)
		for (size_t j = 0; j < cols; j++)
			equal[j] += at(r, i, j, 0) == at(r, i, j, -1);
	for (size_t j = 0; j < cols; j++)
		r->blocks[j] = 2 * equal[j] >= n;
	r->predict = predict_cell;
	r->within = NULL;
	for (r->width = 2;
	     search_goes_on(&f->search, !found) && r->width <= r->n / 2;
	     r->width++)
		found = r->n % r->width == 0 && try_rule(f, r);
	return found;
}

bool find_repaired_as(struct finding *f, const struct table *t,
		      const double *made)
{
	const struct profile *p = &f->profile;
	struct search *s = &f->search;
	struct rule r = {
		.search = s, .table = t, .n = p->n, .made = made,
		.predict = predict_made,
	};

	r.within = search_alloc(s, p->cols, sizeof *r.within);
	if (!r.within)
		return false;
	for (size_t j = 0; j < p->cols; j++)
		r.within[j] = WITHIN + 2 * (p->noise + p->abs_noise);
	s->near_wrong = true;
	if (try_rule(f, &r) && s->matches[0].wrongs)
		return true;
	s->near_wrong = false;
	return false;
}

bool find_repaired(struct finding *f, const struct table *t)
{
	struct rule r = {
		.search = &f->search, .table = t, .n = t->planes * t->rows,
	};
	const size_t all = r.n * t->cols;

	if (all < SHARE || t->rows < LEAST_ROWS ||
	    search_over_for(&f->search, all))
		return false;
	r.predict = predict_diagonal;
	return try_rule(f, &r) || try_turns(f, &r) || try_cells(f, &r);
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
	struct search *s = &f->search;
	const bool *skip = s->skip;
	size_t first = 0, end;

	while (!skip[first])
		first++;
	for (end = first; end < rows && skip[end];)
		end++;
	count -= end - first;
	return search_text(
		s, "row%s %zu%s%s", end - first > 1 || count ? "s" : "", first,
		end - first > 1 ? search_text(s, " to %zu", end - 1) : "",
		count ? search_text(s, " and %zu more", count) : "");
}

/* Rows of zeros or NaN in an otherwise intact table are no part of it. */
bool view_left_out(struct finding *f, const struct table *t)
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
	f->reading.text = search_text(&f->search, "%s left out", words);
	f->reading.made = search_text(
		&f->search, "this table, except %s, which %s %s", words,
		count > 1 ? "are" : "is", f->profile.finite ? "zero" : "NaN");
	/* Families know positions by zeros and peaks. */
	for (size_t k = 0; k < t->rows * t->cols; k++)
		x[k] = fabs(x[k]) < 1e-6 * p->max ? 0 : dtype_round(p->stored,
				fmax(p->min, fmin(p->max, x[k])));
	return true;
}
