/*
 * reading.c: other arrangements of a table in which a family may find it. Each
 * is a row of views[]: what it is called, what its command makes, and a
 * function that makes it, or seeks it. Code stacks tables for its arithmetic:
 * each column of cosines and sines twice, in any place; rotation matrices; axes
 * in turn; cells column by column; batches; biases with a causal mask.
 */

#include <math.h>
#include <string.h>

#include "identify/reading.h"

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

bool reading_exchange(struct finding *f, const struct table *t, size_t outer,
		      const char order[3], size_t cols)
{
	enum { TILE = 32 };  /* columns whose places stay in the cache */
	const size_t n = t->planes * t->rows, inner = n / outer;
	const size_t size[] = { outer, inner, t->cols };
	double *x = reading_view(f, t, 1, n * t->cols / cols, cols);
	size_t step[3], by = 1;

	for (size_t k = 3; k-- > 0; by *= size[order[k] - '0'])
		step[order[k] - '0'] = by;
	for (size_t j = 0; x && j < t->cols; j += TILE)
		for (size_t i = 0; i < n; i++) {
			const double *from = t->row(t, i, NULL);
			double *to = x + i / inner * step[0] +
				     i % inner * step[1];

			for (size_t k = j; k < j + TILE && k < t->cols; k++)
				to[k * step[2]] = from[k];
		}
	return x && n > 1;
}

bool reading_undo(struct finding *f, const struct search *before)
{
	search_restore(&f->search, before);
	f->reading = (struct reading){ .text = NULL };
	return false;
}

/* The view of columns from [n] of t, of one plane. */
static bool take_columns(struct finding *f, const struct table *t,
			 const size_t *from, size_t n)
{
	double *x = n ? reading_view(f, t, 1, t->rows, n) : NULL;

	for (size_t k = 0; x && k < t->rows * n; k++)
		x[k] = t->row(t, k / n, NULL)[from[k % n]];
	return x;
}

/* Drop columns of zeros of the view. */
static bool drop_zeros(struct finding *f)
{
	const struct table t = f->reading.view;
	size_t *keep = search_alloc(&f->search, t.cols, sizeof *keep);
	size_t kept = 0;

	for (size_t j = 0; keep && j < t.cols; j++) {
		size_t i = 0;

		while (i < t.rows && !(fabs(t.row(&t, i, NULL)[j]) > 0))
			i++;
		keep[kept] = j;
		kept += i < t.rows;
	}
	return take_columns(f, &t, keep, kept);
}

/* Planes as blocks of columns, as heads divide the columns of a layer. */
static bool side_by_side(struct finding *f, const struct table *t)
{
	return t->planes > 1 && t->rows > 1 &&
	       reading_exchange(f, t, t->planes, "102", t->planes * t->cols);
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
	return t->planes == 1 && reading_exchange(f, t, 1, "201", t->rows);
}

static bool planes_transposed(struct finding *f, const struct table *t)
{
	return t->planes > 1 &&
	       reading_exchange(f, t, t->planes, "120", t->planes);
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

/* The column of which j is a copy, in the first group's order. */
static size_t source(const struct stacking *k, size_t inner, size_t j)
{
	const size_t p = strlen(k->pattern), at = j / inner % p;
	const char letter = (char)(k->pattern[at] | 0x20);
	const size_t from = (size_t)(strchr(k->pattern, letter) - k->pattern);

	return j - at * inner + from * inner;
}

/* Whether the columns repeat so. */
static bool repeats(const struct table *t, const struct stacking *k,
		    size_t inner)
{
	const size_t p = strlen(k->pattern);

	for (size_t i = 0; i < t->rows; i++) {
		const double *x = t->row(t, i, NULL);

		for (size_t j = 0; j < t->cols; j++) {
			const bool minus = k->pattern[j / inner % p] < 'a';
			const double y = x[source(k, inner, j)];

			if (fabs(x[j] - (minus ? -y : y)) > 0)
				return false;
		}
	}
	return true;
}

/* Whether columns of one letter, but not all, are those of the row before. */
static bool takes_turns(const struct table *t, size_t inner)
{
	const double *x = t->row(t, 0, NULL);
	bool same[2] = { true, true };

	for (size_t j = 0; t->rows > 2 && j < t->cols; j++)
		if (fabs(x[j] - t->row(t, 1, NULL)[j]) > 0)
			same[j / inner % 2] = false;
	return same[0] != same[1];
}

/* Make the view of one column for each letter, group and i. */
static bool take_letters(struct finding *f, const struct table *t,
			 const struct stacking *k, size_t inner)
{
	const bool turns = is_turns(k);
	const size_t part = turns ? t->cols / k->parts : t->cols;
	size_t *from = search_alloc(&f->search, t->cols, sizeof *from), n = 0;

	for (size_t block = 0; from && block < 2 * t->cols / part; block++)
		for (size_t j = 0; j < part; j++)
			if (turns ? j / inner % 2 == block % 2
				  : !block && source(k, inner, j) == j)
				from[n++] = block / 2 * part + j;
	return from && take_columns(f, t, from, n);
}

/* Whether the table has the stacking. */
static bool has_stacking(const struct table *t, const struct stacking *k,
			 size_t inner)
{
	const size_t all = strlen(k->pattern) * inner;
	const size_t part = k->inner && k->parts ? t->cols / k->parts : t->cols;

	if (!inner || part % all)
		return false;
	return is_turns(k) ? part > all && takes_turns(t, inner)
			   : repeats(t, k, inner);
}

/*
 * Run all families on the columns of each stacking that the table has, and of
 * one within one.
 */
static bool try_stackings(struct finding *f, const struct table *t,
			  const char *how)
{
	const struct stacking *end = stackings + COUNT(stackings);
	struct reading *r = &f->reading;
	struct search *s = &f->search;

	for (const struct stacking *k = stackings; k < end; k++) {
		const size_t inner = k->inner ? k->inner : t->cols / k->parts;
		struct table less;
		const char *words;

		if (!has_stacking(t, k, inner) || !take_letters(f, t, k, inner))
			continue;
		less = r->view;
		words = search_text(s, "%s%s", how, k->words);
		r->text = words;
		r->made = search_text(s, "this table, %s", words);
		if (run_families(s, &r->profile, &r->view) ||
		    (!is_turns(k) &&
		     try_stackings(f, &less, search_text(s, "%s, ", words))))
			return true;
	}
	return false;
}

static bool read_stacked(struct finding *f, const struct table *t)
{
	static const struct {
		bool (*lay_out)(struct finding *f, const struct table *t);
		const char *words;
	} ways[] = {
		{ outer_rows, "" },
		{ side_by_side, "planes side by side, " },
		{ one_below_another, "" },
	};

	if (!f->profile.finite || f->profile.integers)
		return false;
	if (t->planes == 1)
		return try_stackings(f, t, "");
	for (size_t k = 0; k < COUNT(ways); k++)
		if (ways[k].lay_out(f, t)) {
			const struct table laid_out = f->reading.view;

			if (try_stackings(f, &laid_out, ways[k].words))
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

		if (fabs(profile_row(p, below ? h : h - 1)[j] - x) > 0)
			return false;
		same += !below;
	}
	return same > 0 && same < p->cols;
}

static bool view_cells(struct finding *f, const struct table *t)
{
	const struct profile *p = &f->profile;
	size_t h = 2;

	if (!p->finite || p->integers || t->planes > 1)
		return false;
	while (2 * h <= p->n && (p->n % h || !may_be_cells(p, h)))
		h++;
	return 2 * h <= p->n &&
	       reading_exchange(f, t, p->n / h, "102", p->cols);
}

/* Whether rows i and j of the table have the same bytes. */
static bool same_rows(const struct table *t, size_t i, size_t j)
{
	return memcmp(t->row(t, i, NULL), t->row(t, j, NULL),
		      t->cols * sizeof(double)) == 0;
}

/* Whether all rows equal those so many before them. */
static bool repeats_every(const struct table *t, size_t rows)
{
	size_t i = rows;

	while (i < t->planes * t->rows && same_rows(t, i, i - rows))
		i++;
	return i >= t->planes * t->rows;
}

static bool view_plane(struct finding *f, const struct table *t)
{
	f->reading.view = *t;
	f->reading.view.planes = 1;
	return t->planes > 1 && t->rows > 1 && repeats_every(t, t->rows);
}

/* A batch whose tables are equal: [B, H, rows, cols], or rows [H, B, cols]. */
static bool view_batch(struct finding *f, const struct table *t)
{
	const size_t all = t->planes * t->rows;
	size_t k = 0, planes = t->planes, rows = t->rows;
	double *x;

	while (k < t->outer_rank && t->outer[k] < 2)
		k++;
	if (k + 1 < t->outer_rank && repeats_every(t, all / t->outer[k]))
		planes /= t->outer[k];
	else if (planes < 2 || rows < 2)
		return false;
	else
		rows = 1;
	for (size_t i = 1; rows == 1 && i < all; i++)
		if (i % t->rows && !same_rows(t, i, i - 1))
			return false;
	x = reading_view(f, t, planes, rows, t->cols);
	for (size_t i = 0; x && i < planes * rows; i++)
		memcpy(x + i * t->cols, t->row(t, i * t->rows / rows, NULL),
		       t->cols * sizeof *x);
	return x;
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
	       (!(m->high > m->low) || m->high < fmin(m->least, -1e3));
}

/* Biases with 0 after the query or, where only that differs, the last query. */
static bool view_causal(struct finding *f, const struct table *t)
{
	struct masked m;
	size_t rows;
	double *x;

	if (!measure_mask(t, &m))
		return false;
	rows = m.same_rows ? 1 : t->rows;
	x = reading_view(f, t, t->planes, rows, t->cols);
	for (size_t i = 0; x && i < t->planes * rows; i++) {
		const size_t at = m.same_rows ? (i + 1) * t->rows - 1 : i;
		const size_t keys = t->cols - t->rows + at % t->rows + 1;

		memcpy(x + i * t->cols, t->row(t, at, NULL),
		       keys * sizeof *x);
	}
	f->reading.made = search_text(
		&f->search, "%sthis table without its causal mask of %.9g%s",
		m.same_rows ? "every query of " : "", m.low,
		m.high > m.low ? " or more" : "");
	return x;
}

static bool view_batch_causal(struct finding *f, const struct table *t)
{
	const bool batch = view_batch(f, t);
	const struct table one = f->reading.view;

	if (!batch || !view_causal(f, &one))
		return false;
	f->reading.made = search_text(&f->search, "%s, in each of the batch",
					 f->reading.made);
	return true;
}

/* Coordinate c of point i, in columns or, in two planes, apart. */
static double coordinate(const struct table *t, bool apart, size_t i, size_t c)
{
	return apart ? t->row(t, c * t->rows + i / t->cols, NULL)[i % t->cols]
		     : t->row(t, i, NULL)[c];
}

/*
 * Copy the points [n, 2] of a grid with w to a row to x, coordinate first of
 * the table as that of the rows; false if they are none of such a grid.
 */
static bool copy_points(const struct table *t, bool apart, size_t first,
			const size_t size[2], double *x)
{
	const size_t w = size[1];

	for (size_t i = 0; i < size[0] * w; i++) {
		x[2 * i] = coordinate(t, apart, i, first);
		x[2 * i + 1] = coordinate(t, apart, i, !first);
		if (fabs(x[2 * i] - x[2 * (i / w * w)]) > 0 ||
		    fabs(x[2 * i + 1] - x[2 * (i % w) + 1]) > 0)
			return false;
	}
	return true;
}

/* Two coordinates of the points of a grid of odd sizes, as of windows. */
static bool view_window(struct finding *f, const struct table *t)
{
	const bool apart = t->planes == 2 && t->cols > 2;
	const size_t n = t->planes * t->rows * t->cols / 2;

	if ((!apart && t->cols != 2) || !f->profile.finite)
		return false;
	for (size_t k = 0; k / 2 * 2 + 3 <= n / 3; k++) {
		const size_t w = k / 2 * 2 + 3, first = k % 2;
		const size_t size[2] = { n / w, w };
		double *x;

		if (n % w || size[0] % 2 == 0 ||
		    (!apart && t->planes == size[0] && !first))
			continue;
		x = reading_view(f, t, size[0], w, 2);
		f->reading.text = first ? "coordinates in the other order"
					: "as the points of a grid";
		f->reading.made = first ? "this table, its coordinates in the "
					  "other order"
					: "this table in the shape of a grid";
		if (x && copy_points(t, apart, first, size, x))
			return true;
	}
	return false;
}

/* Where there is no text, make() sets it; what seeks one finds a match. */
static const struct view {
	bool (*make)(struct finding *f, const struct table *t);
	const char *text;      /* how the table is read: "transposed" */
	const char *made;      /* NULL: "this table, " and the text */
	bool (*seek)(struct finding *f, const struct table *t);
	bool shape;            /* another shape of the whole table, where
				  nothing is known of its own */
	bool small;            /* takes long for a large table */
} views[VIEWS] = {
	[VIEW_COUNTING] = { .make = counting, .text = "transposed" },
	[VIEW_BATCH] = { .make = view_batch,
			 .text = "one of a batch, all equal",
			 .made = "each of the batch of this table" },
	[VIEW_BATCH_CAUSAL] = { .make = view_batch_causal,
				.text = "without its causal mask" },
	[VIEW_LEFT_OUT] = { .make = view_left_out },
	[VIEW_HALVED] = { .make = halved,
			  .text = "rows before they were interpolated",
			  .made = "the rows that this table interpolates "
				  "linearly to twice as many" },
	[VIEW_FLAT] = { .seek = read_flat },
	[VIEW_PLANE] = { .make = view_plane,
			 .text = "one of its planes, all equal",
			 .made = "each plane of this table" },
	[VIEW_CAUSAL] = { .make = view_causal,
			  .text = "without its causal mask" },
	[VIEW_STACKED] = { .seek = read_stacked },
	[VIEW_CELLS] = { .make = view_cells, .text = "cells column by column",
			 .made = "this table, its cells column by column" },
	[VIEW_WINDOW] = { .make = view_window },
	[VIEW_BESIDE] = { .make = side_by_side,
			  .text = "planes side by side" },
	[VIEW_COLUMNS] = { .seek = read_columns },
	[VIEW_BLOCK_OF_ROWS] = { .seek = read_rows },
	[VIEW_BLOCK_OF_COLUMNS] = { .seek = read_blocks },
	[VIEW_ROWS] = { .make = planes_as_rows, .shape = true,
			.text = "each plane as one row" },
	[VIEW_ROWS_TRANSPOSED] = { .make = planes_transposed, .shape = true,
				   .text = "planes as rows, transposed",
				   .small = true },
	[VIEW_TRANSPOSED] = { .make = transposed, .text = "transposed",
			      .shape = true, .small = true },
};

bool read_view(struct finding *f, const struct table *t, enum view_kind k)
{
	struct reading *r = &f->reading;

	if (views[k].seek)
		return views[k].seek(f, t);
	r->text = views[k].text;
	r->made = views[k].made;
	if (views[k].make(f, t) &&
	    run_families(&f->search, &r->profile, &r->view)) {
		if (!r->made)
			r->made = search_text(&f->search, "this table, %s",
					      r->text);
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
	const struct search *before = search_copy(&f->search);
	double *x = reading_view(f, t, 1, cols, t->rows);
	bool good;

	if (!before || !x || t->planes > 1)
		return false;
	for (size_t i = 0; i < t->rows; i++) {
		double row[FEW_COLUMNS];

		table_part(t, i, 0, cols, row);
		for (size_t j = 0; j < cols; j++)
			x[j * t->rows + i] = row[j];
	}
	good = run_families(&f->search, &f->reading.profile, &f->reading.view);
	search_restore(&f->search, before);
	return good;
}

bool find_large_reading(struct finding *f, const struct table *t)
{
	const struct search *before = search_copy(&f->search);

	if (!before || read_columns(f, t))
		return before;
	if (!f->search.verdict && may_be_transposed(f, t) &&
	    read_view(f, t, VIEW_TRANSPOSED))
		return true;
	return reading_undo(f, before);
}

bool find_reading(struct finding *f, const struct table *t)
{
	const char *verdict = f->search.verdict;
	const size_t values = t->planes * t->rows * t->cols;

	for (int k = VIEW_FLAT; k < VIEWS; k++)
		if (!((views[k].shape || f->profile.integers) && verdict) &&
		    !(views[k].small && values > LARGE) &&
		    !search_over_for(&f->search, values) &&
		    read_view(f, t, (enum view_kind)k))
			return true;
	f->reading = (struct reading){ .text = NULL };
	f->search.verdict = verdict;
	f->search.profile = &f->profile;
	return false;
}
