/* reading_flat.c: tables that were flattened to one row or one column. */
#include <math.h>

#include "identify/budget.h"
#include "identify/reading.h"

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
