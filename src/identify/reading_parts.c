/*
 * reading_parts.c: tables that were joined: blocks of rows or of columns, each
 * of which may follow a law of its own; or flattened to one row or column.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "identify/spectrum.h"
#include "identify/reading.h"
#include "table/sort.h"

enum { LEAST = 8, MAX_CUTS = 10, MAX_BLOCKS = 16 };
enum { MAX_FAILED = 6 };

/* Rows or columns first to end - 1, and the command that makes them. */
struct block_of {
	size_t first, end;
	const struct match *match;
};

/* Blocks that were found, in a table of n rows or columns. */
struct joint {
	struct finding *f;
	const struct table *table;
	const char *what;      /* "row" or "column" */
	size_t n;
	struct block_of tried[MAX_BLOCKS];
	size_t tries;
	struct block_of found[MAX_BLOCKS + 1];
	struct match matches[MAX_BLOCKS];
	size_t parts;
	double *room;          /* for all values; NULL: no block was viewed */
	const char **lines;    /* [2 * MAX_BLOCKS + 1] */
};

/* View a block as a table. Blocks that are found do not overlap in the room.
   False: there is none. */
static bool view_block(struct joint *j, const struct block_of *b,
		       struct table *view)
{
	const struct table *t = j->table;
	const bool rows = j->what[0] == 'r';
	double *x;

	if (!j->room)
		j->room = search_alloc(&j->f->search, t->rows,
				       t->cols * sizeof *j->room);
	if (!j->room)
		return false;
	x = j->room + b->first * (rows ? t->cols : t->rows);
	*view = *t;
	*(rows ? &view->rows : &view->cols) = b->end - b->first;
	for (size_t i = 0; i < view->rows; i++)
		memcpy(x + i * view->cols, rows
		       ? t->row(t, b->first + i, NULL)
		       : t->row(t, i, NULL) + b->first,
		       view->cols * sizeof *x);
	table_dense(view, x);
	return true;
}

/* "columns 0 to 31", or "row 0". */
static const char *block_words(const struct joint *j, const struct block_of *b)
{
	return b->end - b->first < 2
		       ? search_text(&j->f->search, "%s %zu", j->what, b->first)
		       : search_text(&j->f->search, "%ss %zu to %zu", j->what,
					b->first, b->end - 1);
}

/* Run all families on a block; the first that is found is the finding's. */
static void try_block(struct joint *j, const struct block_of *b)
{
	struct reading *r = &j->f->reading;
	struct search *s = &j->f->search, *other = s;
	struct profile profile;
	struct table view;
	bool found;

	for (size_t k = 0; k < j->parts; k++)
		if (b->first < j->found[k].end && j->found[k].first < b->end)
			return;
	if (j->parts) {
		other = table_alloc(s->owner, 1, sizeof *other, s->err);
		if (!other)
			return;
		other->owner = s->owner;
		other->err = s->err;
		other->begin = s->begin;
		other->seconds = s->seconds;
	}
	if (!view_block(j, b, j->parts ? &view : &r->view))
		return;
	found = j->parts ? run_families(other, &profile, &view)
			 : run_families(s, &r->profile, &r->view);
	s->stopped |= other->stopped;
	if (!found)
		return;
	j->matches[j->parts] = other->matches[0];
	j->found[j->parts] = *b;
	j->found[j->parts].match = &j->matches[j->parts];
	j->parts++;
}

static int longer(const void *a, const void *b)
{
	const struct block_of *x = a, *y = b;
	const size_t m = x->end - x->first, n = y->end - y->first;

	return m != n ? integers_order(n, m)
		      : integers_order(x->first, y->first);
}

static int earlier(const void *a, const void *b)
{
	const struct block_of *x = a, *y = b;

	return integers_order(x->first, y->first);
}

/* Tell what else the table has: other blocks with a law, and the rest. */
static void tell_rest(struct joint *j)
{
	struct reading *r = &j->f->reading;
	size_t at = 0;

	qsort(j->found, j->parts, sizeof *j->found, earlier);
	j->found[j->parts] = (struct block_of){ j->n, j->n, j->matches };
	for (size_t k = 0; k <= j->parts; k++) {
		const struct block_of *b = &j->found[k];
		const struct block_of rest = { at, b->first, NULL };

		if (rest.first < rest.end)
			j->lines[r->rests++] = search_text(
				&j->f->search, "%s: no formula fits",
				block_words(j, &rest));
		if (b->match != j->matches)
			j->lines[r->rests++] = search_text(
				&j->f->search, "%s: '%s'%s", block_words(j, b),
				b->match->command,
				b->match->exact ? "" : ", not exactly");
		at = b->end;
	}
	r->rest = j->lines;
}

/* Try the blocks, the longest first; whether one was found. */
static bool try_blocks(struct joint *j)
{
	struct reading *r = &j->f->reading;
	size_t covered = 0;

	qsort(j->tried, j->tries, sizeof *j->tried, longer);
	for (size_t k = 0; k < j->tries && (j->parts || k < MAX_FAILED); k++)
		try_block(j, &j->tried[k]);
	for (size_t k = 0; k < j->parts; k++)
		covered += j->found[k].end - j->found[k].first;
	/* A few rows of a grid of other rows are no answer about it. */
	if (!j->parts || (j->what[0] == 'r' && 3 * covered < j->n)) {
		j->f->search.n = 0;
		return false;
	}
	r->text = search_text(&j->f->search, "%s of this table",
				 block_words(j, &j->found[0]));
	r->made = r->text;
	tell_rest(j);
	return true;
}

static void add_block(struct joint *j, size_t first, size_t end)
{
	for (size_t k = 0; k < j->tries; k++)
		if (j->tried[k].first == first && j->tried[k].end == end)
			return;
	if (end - first >= LEAST && end - first < j->n && j->tries < MAX_BLOCKS)
		j->tried[j->tries++] = (struct block_of){ first, end, NULL };
}

/* Sums of x[t] (x[t+1] + x[t-1]) and of x[t]^2 for each column. */
struct law {
	double *xy, *xx;       /* [cols] */
};

/*
 * What the recurrence x[t+1] + x[t-1] = c x[t] leaves in row t, relative to the
 * squares of the row.
 */
static double row_off(const struct law *l, const struct table *t, size_t i)
{
	const double *a = t->row(t, i - 1, NULL), *x = t->row(t, i, NULL);
	const double *b = t->row(t, i + 1, NULL);
	double off = 0, squares = 0;

	for (size_t k = 0; k < t->cols; k++) {
		const double c = l->xx[k] > 0 ? l->xy[k] / l->xx[k] : 2;
		const double d = a[k] + b[k] - c * x[k];

		off += d * d;
		squares += a[k] * a[k] + x[k] * x[k] + b[k] * b[k];
	}
	return squares > 0 ? off / squares : HUGE_VAL;
}

static void add_row(struct law *l, const struct table *t, size_t i)
{
	const double *a = t->row(t, i - 1, NULL), *x = t->row(t, i, NULL);
	const double *b = t->row(t, i + 1, NULL);

	for (size_t k = 0; k < t->cols; k++) {
		l->xy[k] += x[k] * (a[k] + b[k]);
		l->xx[k] += x[k] * x[k];
	}
}

/* The end of the rows from first on that follow one recurrence; or first. */
static size_t follow_rows(struct law *l, const struct table *t, size_t first)
{
	size_t i;

	for (size_t k = 0; k < t->cols; k++)
		l->xy[k] = l->xx[k] = 0;
	for (i = first + 1; i < first + LEAST - 1; i++)
		add_row(l, t, i);
	for (i = first + 1; i < first + LEAST - 1; i++)
		if (row_off(l, t, i) > 1e-3)
			return first;
	for (; i + 1 < t->rows && row_off(l, t, i) <= 1e-2; i++)
		add_row(l, t, i);
	return i + 1;
}

/* Add blocks of rows whose columns follow a recurrence. */
static void add_recurrent_rows(struct joint *j)
{
	enum { MAX_FAILURES = 64 };
	const struct table *t = j->table;
	struct law l = {
		search_alloc(&j->f->search, t->cols, sizeof *l.xy),
		search_alloc(&j->f->search, t->cols, sizeof *l.xx),
	};
	size_t first = 0, end, failures = l.xy && l.xx ? 0 : MAX_FAILURES;

	while (first + LEAST <= t->rows && failures < MAX_FAILURES) {
		end = follow_rows(&l, t, first);
		failures += end == first;
		if (end > first)
			add_block(j, first, end);
		first = end > first ? end : first + 1;
	}
}

/* The sum of the squares of row i. */
static double row_squares(const struct table *t, size_t i)
{
	const double *x = t->row(t, i, NULL);
	double sum = 0;

	for (size_t k = 0; k < t->cols; k++)
		sum += x[k] * x[k];
	return sum;
}

/* Add the longest block of rows of equal length. */
static void add_rows_of_equal_length(struct joint *j)
{
	const struct table *t = j->table;
	struct block_of best = { 0, 0, NULL };
	size_t first = 0;
	double length = row_squares(t, 0);

	for (size_t i = 1; i <= t->rows; i++) {
		const double next = i < t->rows ? row_squares(t, i) : HUGE_VAL;

		if (fabs(next - length) <= 0.02 * length)
			continue;
		if (i - first > best.end - best.first)
			best = (struct block_of){ first, i, NULL };
		first = i;
		length = next;
	}
	if (2 * (best.end - best.first) >= t->rows)
		add_block(j, best.first, best.end);
}

/* Allocate lines; false if the table has no blocks. */
static bool begin(struct joint *j, struct finding *f, const struct table *t)
{
	j->f = f;
	j->table = t;
	if (!f->profile.finite || f->profile.integers || t->planes > 1 ||
	    j->n <= LEAST)
		return false;
	j->lines = search_alloc(&f->search, 2 * MAX_BLOCKS + 1,
				sizeof *j->lines);
	return j->lines;
}

bool read_rows(struct finding *f, const struct table *t)
{
	struct joint j = { .what = "row", .n = t->rows };

	if (t->cols < 2 || !begin(&j, f, t))
		return false;
	add_rows_of_equal_length(&j);
	add_recurrent_rows(&j);
	return try_blocks(&j);
}

/* Whether the block has a column that turns and none that follows no law. */
static bool may_be_waves(const struct tone *tones, size_t first, size_t end)
{
	bool fast = false;

	for (size_t k = first; k < end; k++) {
		if (!(tones[k].off < 0.01))
			return false;
		fast = fast || tones[k].fast;
	}
	return fast;
}

bool read_blocks(struct finding *f, const struct table *t)
{
	struct joint j = { .what = "column", .n = t->cols };
	const struct tone *tones;
	size_t cuts[MAX_CUTS] = { 0 }, n = 1;

	if (t->rows < LEAST || !begin(&j, f, t) ||
	    !measure_columns(f, HUGE_VAL))
		return false;
	tones = f->tones;
	/* Where columns begin or end to follow a recurrence, or get faster. */
	for (size_t k = 1; k < t->cols && n < MAX_CUTS - 1; k++) {
		const struct tone *a = &tones[k - 1], *b = &tones[k];
		const bool lawful = b->off < 0.01;

		if ((a->off < 0.01) != lawful || (lawful && a->c - b->c > 0.2))
			cuts[n++] = k;
	}
	cuts[n++] = t->cols;
	for (size_t size = n - 1; size > 0; size--)
		for (size_t k = 0; k + size < n; k++)
			if (may_be_waves(tones, cuts[k], cuts[k + size]))
				add_block(&j, cuts[k], cuts[k + size]);
	return try_blocks(&j);
}

/* ---- tables that were flattened to one row or one column */

enum { MAX_COLUMNS = 256, MAX_ROWS = 32 };
enum { MIN_ROWS = 4, TRIES = 3, WINDOWS = 16 };

/* Values as rows of cols; by_columns: that were columns. */
struct flat {
	const double *x;
	size_t cols, rows;
	bool by_columns;
};

/* Squares of y = x[t+1] + x[t-1], and what y = c x[t] leaves of them. */
struct squares {
	double off, all;
};

/* Add values x [n], each stride from the one before, with their best c. */
static void add_line(struct squares *s, const double *x, size_t n,
		     size_t stride)
{
	double xx = 0, xy = 0, yy = 0;

	for (size_t t = 1; t + 1 < n; t++) {
		const double a = x[t * stride];
		const double y = x[(t - 1) * stride] + x[(t + 1) * stride];

		xx += a * a;
		xy += a * y;
		yy += y * y;
	}
	s->off += xx > 0 ? yy - xy / xx * xy : yy;
	s->all += yy;
}

/*
 * Whether the columns, or the rows, follow recurrences; zeros do not. A sample,
 * in windows all over the table: slow lines are nearly constant in a few.
 */
static bool recurs(const struct flat *f)
{
	const size_t lines = f->by_columns ? f->rows : f->cols;
	const size_t all = f->by_columns ? f->cols : f->rows;
	const size_t across = f->by_columns ? f->cols : 1;
	const size_t along = f->by_columns ? 1 : f->cols;
	const size_t n = all < MAX_ROWS ? all : MAX_ROWS;
	const size_t windows = all > MAX_ROWS ? WINDOWS : 1;
	const size_t every = 1 + (lines - 1) / MAX_COLUMNS;
	struct squares s = { 0, 0 };

	for (size_t i = 0; i < windows; i++) {
		const size_t first = sample_index(i, all - n + 1);

		for (size_t k = 0; k < lines; k += every)
			add_line(&s, f->x + first * along + k * across, n,
				 along);
	}
	return s.off < 1e-3 * s.all;
}

/* Whether most values equal the one before them in the row before. */
static bool mostly_toeplitz(const struct flat *f)
{
	const size_t down = 1 + f->rows / MAX_ROWS;
	const size_t right = 1 + (f->cols - 1) / MAX_COLUMNS;
	double equal = 0, all = 0;

	for (size_t t = 1; t < f->rows; t += down)
		for (size_t j = 1; j < f->cols; j += right) {
			const double *x = f->x + t * f->cols + j;

			equal += !(fabs(x[0] - *(x - f->cols - 1)) > 0);
			all++;
		}
	return equal >= 0.9 * all;
}

/*
 * Run all families on rows of cols, transposed if by_columns. The first verdict
 * stays, and tells of which rows or columns it is.
 */
static bool try_flat(struct finding *f, const struct table *t, size_t cols,
		     bool by_columns)
{
	struct search *s = &f->search;
	struct reading *r = &f->reading;
	const char *before = s->verdict, *how;

	s->n = 0;
	if (search_over_for(s, t->rows * t->cols))
		return false;
	reading_reshape(f, t, t->rows * t->cols / cols, cols);
	if (by_columns) {
		const struct table flat = r->view;

		if (!reading_exchange(f, &flat, 1, "201", flat.rows))
			return false;
	}
	how = search_text(s, "%s of %zu", by_columns ? "columns" : "rows",
			     cols);
	if (!run_families(s, &r->profile, &r->view)) {
		if (before)
			s->verdict = before;
		else if (s->verdict)
			s->verdict = search_text(
				s, "%s (this table, read as %s)", s->verdict,
				how);
		return false;
	}
	r->text = how;
	r->made = search_text(s, "this table, read as %s", how);
	return true;
}

/* Try the first few numbers of columns, or rows, with which a rule holds. */
static bool try_rule(struct finding *f, const struct table *t,
		     bool (*holds)(const struct flat *f), size_t least,
		     bool by_columns)
{
	const size_t n = t->rows * t->cols;
	int tries = TRIES;

	for (size_t k = 2; tries && k * least <= n; k++) {
		const struct flat flat = {
			.x = t->row(t, 0, NULL), .by_columns = by_columns,
			.cols = by_columns ? n / k : k,
			.rows = by_columns ? k : n / k,
		};

		if (n % k || !holds(&flat))
			continue;
		if (try_flat(f, t, flat.cols, by_columns))
			return true;
		tries--;
	}
	return false;
}

bool read_flat(struct finding *f, const struct table *t)
{
	if (t->planes > 1 || (t->rows > 1 && t->cols > 1))
		return false;
	return (f->profile.finite && !f->profile.integers &&
		(try_rule(f, t, recurs, MIN_ROWS, false) ||
		 try_rule(f, t, recurs, MIN_ROWS, true))) ||
	       try_rule(f, t, mostly_toeplitz, 2, false);
}
