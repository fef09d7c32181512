/* reading.c: other arrangements of a table in which a family may find it. */

#include "identify/identify.h"

/* The rows of a plane are contiguous in a dense table. */
static const double *flat_row(const struct table *t, size_t i, double *scratch)
{
	const struct table *from = t->state;

	return from->row(from, i * from->rows, scratch);
}

/* View each plane of t as a row; false if that changes nothing. */
static bool flatten_planes(struct table *to, const struct table *t)
{
	*to = *t;
	to->planes = 1;
	to->rows = t->planes;
	to->cols = t->rows * t->cols;
	to->row = flat_row;
	to->state = t;
	return t->planes > 1 && t->rows > 1;
}

/* Transpose t, one plane, to memory of owner; false if that changes nothing. */
static bool transpose(struct table *to, const struct table *t,
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
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < t->cols; j++)
			x[j * n + i] = t->row(t, i, NULL)[j];
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

static bool read_planes_as_rows(struct finding *f, const struct table *t)
{
	return flatten_planes(&f->reading.flat, t) &&
	       run_view(f, &f->reading.flat, "each plane as one row",
			"this table, each plane as one row");
}

static bool read_transposed(struct finding *f, const struct table *t)
{
	struct table *view = &f->reading.view;

	flatten_planes(&f->reading.flat, t);
	if (!transpose(view, t->planes > 1 ? &f->reading.flat : t,
		       f->search.owner, f->search.err))
		return false;
	return t->planes > 1
		       ? run_view(f, view, "planes as rows, transposed",
				  "this table, planes as rows, transposed")
		       : run_view(f, view, "transposed",
				  "this table, transposed");
}

/* In the order of trial. */
static bool (*const readings[])(struct finding *f, const struct table *t) = {
	read_planes_as_rows,
	read_transposed,
};

bool find_reading(struct finding *f, const struct table *t)
{
	const char *verdict = f->search.verdict;

	for (size_t k = 0; k < sizeof readings / sizeof *readings; k++)
		if (readings[k](f, t))
			return true;
	f->search.verdict = verdict;
	f->search.profile = &f->profile;
	return false;
}
