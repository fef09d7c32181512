/* reading.c: other arrangements of a table in which a family may find it. */

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "identify/budget.h"
#include "identify/reading.h"

/* The rows of a plane are contiguous in a dense table. */
static const double *flat_row(const struct table *t, size_t i, double *scratch)
{
	const struct table *from = t->state;

	return from->row(from, i * from->rows, scratch);
}

const char *reading_format(struct finding *f, const char *format, ...)
{
	va_list list;
	const char *text;

	va_start(list, format);
	text = table_format(f->search.owner, f->search.err, format, list);
	va_end(list);
	return text;
}

/* View each plane of t as a row; false if there is but one. */
static bool flatten_planes(struct table *to, const struct table *t)
{
	table_view(to, t, flat_row, t);
	to->planes = 1;
	to->rows = t->planes;
	to->cols = t->rows * t->cols;
	return t->planes > 1;
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

bool reading_transpose(struct table *to, const struct table *t,
		       struct table *owner, struct error *err)
{
	const size_t n = t->planes * t->rows;
	double *x = table_alloc(owner, n * t->cols, sizeof *x, err);

	*to = *t;
	to->planes = 1;
	to->rows = t->cols;
	to->cols = n;
	if (!x)
		return false;
	for (size_t i = 0; i < n; i += TILE)
		transpose_rows(x, n, t, i, i + TILE < n ? i + TILE : n);
	table_dense(to, x);
	return n > 1;
}

/* Run all families on the view; if there is a match, note how t was read. */
static bool run_view(struct finding *f, const struct table *view,
		     const char *text, const char *made)
{
	if (!run_families(&f->search, &f->reading.profile, view))
		return false;
	f->reading.text = text;
	f->reading.made = made;
	return true;
}

/* Whether all planes of t have the same bytes. */
static bool equal_planes(const struct table *t)
{
	const size_t bytes = t->cols * sizeof(double);

	for (size_t i = t->rows; i < t->planes * t->rows; i++)
		if (memcmp(t->row(t, i, NULL), t->row(t, i - t->rows, NULL),
			   bytes) != 0)
			return false;
	return t->planes > 1 && t->rows > 1;
}

/* A batch repeats one table. */
bool read_first_plane(struct finding *f, const struct table *t)
{
	f->reading.view = *t;
	f->reading.view.planes = 1;
	return equal_planes(t) &&
	       run_view(f, &f->reading.view, "one of its planes, all equal",
			"each plane of this table");
}

/* Planes as blocks of columns, as heads divide the columns of a layer. */
static bool read_planes_as_columns(struct finding *f, const struct table *t)
{
	struct table *view = &f->reading.view;
	double *x;

	if (t->planes < 2 || t->rows < 2)
		return false;
	x = search_alloc(&f->search, t->planes * t->rows, t->cols * sizeof *x);
	if (!x)
		return false;
	*view = *t;
	view->planes = 1;
	view->cols = t->planes * t->cols;
	for (size_t i = 0; i < t->planes * t->rows; i++)
		memcpy(x + i % t->rows * view->cols + i / t->rows * t->cols,
		       t->row(t, i, NULL), t->cols * sizeof *x);
	table_dense(view, x);
	return run_view(f, view, "planes side by side",
			"this table, planes side by side");
}

static bool read_planes_as_rows(struct finding *f, const struct table *t)
{
	return flatten_planes(&f->reading.flat, t) &&
	       run_view(f, &f->reading.flat, "each plane as one row",
			"this table, each plane as one row");
}

/* Whether the table is one column of two values, which tells no frequencies. */
static bool is_binary_column(const struct finding *f, const struct table *t)
{
	const struct profile *p = &f->profile;
	const double *x = profile_row(p, 0);
	size_t i = 0;

	if (t->cols > 1)
		return false;
	while (i < p->n && (x[i] <= p->min || x[i] >= p->max))
		i++;
	return i == p->n;
}

static bool read_transposed(struct finding *f, const struct table *t)
{
	struct table *view = &f->reading.view;

	if (is_binary_column(f, t))
		return false;
	flatten_planes(&f->reading.flat, t);
	if (!reading_transpose(view, t->planes > 1 ? &f->reading.flat : t,
			       f->search.owner, f->search.err))
		return false;
	return t->planes > 1
		       ? run_view(f, view, "planes as rows, transposed",
				  "this table, planes as rows, transposed")
		       : run_view(f, view, "transposed",
				  "this table, transposed");
}

/* Whether the table is one row of integers from 0 on, one more each. */
static bool counts(const struct table *t)
{
	const double *x = t->row(t, 0, NULL);
	size_t j = 1;

	while (j < t->cols && !(fabs(x[j] - x[j - 1] - 1) > 0))
		j++;
	return t->planes == 1 && t->rows == 1 && j == t->cols && j > 1 &&
	       x[0] >= 0 && rint(x[0]) == x[0];
}

bool read_counting(struct finding *f, const struct table *t)
{
	const struct search before = f->search;
	struct table *view = &f->reading.view;

	*view = *t;
	view->rows = t->cols;
	view->cols = 1;
	table_dense(view, t->row(t, 0, NULL));
	if (counts(t) &&
	    run_view(f, view, "transposed", "this table, transposed"))
		return true;
	search_restore(&f->search, &before);
	return false;
}

bool read_steps(struct finding *f, const struct table *t)
{
	struct search *s = &f->search;
	struct table *view = &f->reading.view;

	if (t->planes > 1 || (t->rows > 1 && t->cols > 1))
		return false;
	*view = *t;
	view->rows = t->rows * t->cols;
	view->cols = 1;
	table_dense(view, t->row(t, 0, NULL));
	profile_table(&f->reading.profile, view);
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

/* The first columns of a larger table. */
static const double *part_row(const struct table *t, size_t i, double *scratch)
{
	const struct table *from = t->state;

	return from->row(from, i, scratch);
}

/* Whether a family makes the first columns as rows. */
static bool may_be_transposed(struct finding *f, const struct table *t)
{
	enum { FEW_COLUMNS = 4 };
	const struct search before = f->search;
	struct table part, view;
	struct profile profile;
	bool good;

	if (t->planes > 1)
		return false;
	table_view(&part, t, part_row, t);
	part.cols = (size_t)fmin(FEW_COLUMNS, (double)t->cols);
	good = reading_transpose(&view, &part, f->search.owner,
				 f->search.err) &&
	       run_families(&f->search, &profile, &view);
	search_restore(&f->search, &before);
	return good;
}

bool find_large_reading(struct finding *f, const struct table *t)
{
	const struct search before = f->search;

	if (read_columns(f, t) ||
	    (!f->search.verdict && may_be_transposed(f, t) &&
	     read_transposed(f, t)))
		return true;
	search_restore(&f->search, &before);
	f->reading = (struct reading){ .text = NULL };
	return false;
}

/* Of large ones, find_large_reading() has told whether this is worth it. */
static bool read_small_transposed(struct finding *f, const struct table *t)
{
	return t->planes * t->rows * t->cols <= LARGE && read_transposed(f, t);
}

typedef bool reader(struct finding *f, const struct table *t);

/* Other columns or parts; other shapes, where nothing is known of its own. */
static reader *const other_columns[] = {
	read_flat, read_first_plane, read_causal, read_stacked,
	read_cells, read_window,
	read_planes_as_columns, read_columns, read_rows, read_blocks,
};
static reader *const other_shapes[] = {
	read_planes_as_rows, read_small_transposed,
};

bool find_reading(struct finding *f, const struct table *t)
{
	const char *verdict = f->search.verdict;
	const size_t values = t->planes * t->rows * t->cols;

	for (size_t k = 0; k < COUNT(other_columns); k++)
		if (!search_over_for(&f->search, values) &&
		    other_columns[k](f, t))
			return true;
	for (size_t k = 0; !verdict && k < COUNT(other_shapes); k++)
		if (!search_over_for(&f->search, values) &&
		    other_shapes[k](f, t))
			return true;
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
