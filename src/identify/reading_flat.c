/* reading_flat.c: tables that were flattened to one row or one column. */
#include <math.h>

#include "identify/budget.h"
#include "identify/reading.h"

enum { MAX_COLUMNS = 256, MAX_ROWS = 32, MAX_LENGTH = 4096 };
enum { MIN_ROWS = 4, TRIES = 3, WINDOWS = 16 };

/* Values [n] as rows of cols. */
struct flat {
	const double *x;
	size_t n, cols, rows;
};

/* Column k of a sample of at most MAX_COLUMNS. */
static size_t sampled(const struct flat *f, size_t k)
{
	return f->cols <= MAX_COLUMNS ? k : k * f->cols / MAX_COLUMNS;
}

static size_t samples(const struct flat *f)
{
	return f->cols < MAX_COLUMNS ? f->cols : MAX_COLUMNS;
}

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
 * Whether the columns follow recurrences; zeros do not. Rows are a sample, in
 * windows all over the table: slow columns are nearly constant in a few.
 */
static bool columns_recur(const struct flat *f)
{
	const size_t rows = f->rows < MAX_ROWS ? f->rows : MAX_ROWS;
	const size_t windows = f->rows > MAX_ROWS ? WINDOWS : 1;
	struct squares s = { 0, 0 };

	for (size_t i = 0; i < windows; i++) {
		const size_t first = sample_index(i, f->rows - rows + 1);

		for (size_t k = 0; k < samples(f); k++)
			add_line(&s, f->x + first * f->cols + sampled(f, k),
				 rows, f->cols);
	}
	return s.off < 1e-3 * s.all;
}

/* Whether most values equal the one before them in the row before. */
static bool mostly_toeplitz(const struct flat *f)
{
	const size_t every = 1 + f->rows / MAX_ROWS;
	double equal = 0, all = 0;

	for (size_t t = 1; t < f->rows; t += every)
		for (size_t k = 0; k < samples(f); k++) {
			const size_t j = sampled(f, k);
			const double *x = f->x + t * f->cols + j;

			if (!j)
				continue;
			equal += !(fabs(x[0] - *(x - f->cols - 1)) > 0);
			all++;
		}
	return equal >= 0.9 * all;
}

/* Whether the rows do: for tables that were flattened by columns. */
static bool rows_recur(const struct flat *f)
{
	const size_t cols = f->cols < MAX_LENGTH ? f->cols : MAX_LENGTH;
	const size_t every = 1 + f->rows / MAX_ROWS;
	struct squares s = { 0, 0 };

	for (size_t t = 0; t < f->rows; t += every)
		add_line(&s, f->x + t * f->cols, cols, 1);
	return s.off < 1e-3 * s.all;
}

/* The first verdict stays, and tells of which rows or columns it is. */
static void keep_verdict(struct finding *f, const char *before, const char *by,
			 size_t cols)
{
	struct search *s = &f->search;

	if (before)
		s->verdict = before;
	else if (s->verdict)
		s->verdict = reading_format(f, "%s (this table, read as %s of "
					    "%zu)", s->verdict, by, cols);
}

/* Run all families on rows of cols, transposed if by_columns. */
static bool try_flat(struct finding *f, const struct table *t, size_t cols,
		     bool by_columns)
{
	struct table *view = &f->reading.view, *flat = &f->reading.flat;
	const char *by = by_columns ? "columns" : "rows";
	const char *before = f->search.verdict;

	f->search.n = 0;
	if (search_over_for(&f->search, t->rows * t->cols))
		return false;
	*flat = *t;
	flat->rows = t->rows * t->cols / cols;
	flat->cols = cols;
	table_dense(flat, t->row(t, 0, NULL));
	if (by_columns && !reading_transpose(view, flat, f->search.owner,
					     f->search.err))
		return false;
	if (!run_families(&f->search, &f->reading.profile,
			  by_columns ? view : flat)) {
		keep_verdict(f, before, by, cols);
		return false;
	}
	f->reading.text = reading_format(f, "%s of %zu", by, cols);
	f->reading.made = reading_format(f, "this table, read as %s of %zu",
					 by, cols);
	return true;
}

/* A rule that a number of columns may show, and which numbers to try. */
struct flat_rule {
	bool (*holds)(const struct flat *f);
	size_t least;          /* rows, or columns if by_columns */
	bool by_columns;       /* lengths of columns are tried, from 2 on */
};

/* Try the first few numbers of columns with which the rule holds. */
static bool try_rule(struct finding *f, const struct table *t,
		     struct flat *flat, const struct flat_rule *r)
{
	int tries = TRIES;

	for (size_t k = 2; tries && k * r->least <= flat->n; k++) {
		flat->cols = r->by_columns ? flat->n / k : k;
		flat->rows = r->by_columns ? k : flat->n / k;
		if (flat->n % k || !r->holds(flat))
			continue;
		if (try_flat(f, t, flat->cols, r->by_columns))
			return true;
		tries--;
	}
	return false;
}

bool read_flat(struct finding *f, const struct table *t)
{
	static const struct flat_rule recur[] = {
		{ columns_recur, MIN_ROWS, false },
		{ rows_recur, MIN_ROWS, true },
	}, diagonals = { mostly_toeplitz, 2, false };
	struct flat flat = {
		.x = t->row(t, 0, NULL), .n = t->rows * t->cols,
	};

	if (t->planes > 1 || (t->rows > 1 && t->cols > 1))
		return false;
	for (size_t k = 0; k < COUNT(recur); k++)
		if (f->profile.finite && !f->profile.integers &&
		    try_rule(f, t, &flat, &recur[k]))
			return true;
	return try_rule(f, t, &flat, &diagonals);
}
