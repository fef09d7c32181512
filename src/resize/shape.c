/* shape.c: the grids and sequences that posenc resize makes of each other. */
#include <math.h>
#include <stdio.h>

#include "resize/resize.h"
#include "views/similarity.h"

enum { CLASS_ROWS = 3 };  /* of relative positions: from, to and with it */

/* The side of a square of n cells, or 0. */
static size_t side_of(size_t n)
{
	const size_t side = (size_t)(sqrt((double)n) + 0.5);

	return side * side == n ? side : 0;
}

static bool is_grid(const struct resize *s, size_t rows)
{
	return s->grid.n ? rows == s->rows.in * s->columns.in : side_of(rows);
}

/* Fail where the prefix and suffix leave no rows, else set how many. */
static bool count_rows(struct resize *s, size_t *left, struct error *err)
{
	const size_t all = s->table->planes * s->table->rows;

	if (s->relative && !s->suffix && all > s->prefix &&
	    !is_grid(s, all - s->prefix))
		s->suffix = CLASS_ROWS;
	if (s->prefix + s->suffix >= all)
		return fail(err, "--prefix %zu and --suffix %zu leave none of "
			    "the %zu rows of TABLE", s->prefix, s->suffix,
			    all);
	*left = all - s->prefix - s->suffix;
	return true;
}

/* Fail unless --grid has as many cells as rows are left. */
static bool check_grid(const struct resize *s, size_t left, struct error *err)
{
	const size_t cells = s->rows.in * s->columns.in;
	const size_t others = s->prefix + s->suffix;
	char fits[40] = "";

	if (is_grid(s, left))
		return true;
	if (s->prefix + left >= cells)
		snprintf(fits, sizeof fits, " (--prefix %zu fits)",
			 s->prefix + left - cells);
	return fail(err, "--grid %.60s, --prefix %zu and --suffix %zu need "
		    "%zu rows, but TABLE has %zu%s", s->grid.text, s->prefix,
		    s->suffix, others + cells, others + left, fits);
}

/* Fail, with the rows of tokens before the cells of a square, if so. */
static bool no_square(const struct resize *s, size_t left, struct error *err)
{
	enum { TOKENS_MOST = 5 };  /* a class token and four registers */
	char hint[80] = "";

	for (size_t n = 1; !hint[0] && n <= TOKENS_MOST && n < left; n++)
		if (side_of(left - n) > 1)
			snprintf(hint, sizeof hint, "; --prefix %zu leaves a "
				 "grid of %zux%zu", s->prefix + n,
				 side_of(left - n), side_of(left - n));
	return fail(err, "--grid HxW is missing: the %zu rows that --prefix "
		    "%zu and --suffix %zu leave are not those of a square%s",
		    left, s->prefix, s->suffix, hint);
}

/* A grid that --grid does not say: the table's own planes, or a square. */
static bool find_grid(struct resize *s, size_t left, struct table *t,
		      struct error *err)
{
	const struct table *x = s->table;
	const bool planes = x->planes > 1 && left == x->planes * x->rows;

	s->rows.in = planes ? x->planes : side_of(left);
	s->columns.in = planes ? x->rows : s->rows.in;
	if (!s->rows.in)
		return no_square(s, left, err);
	return table_note(t, err, "TABLE is taken as a grid of %zux%zu%s (or "
			  "give --grid HxW)", s->rows.in, s->columns.in,
			  planes ? ", its planes and rows" : "");
}

static bool grid_shape(struct resize *s, struct table *t, struct error *err)
{
	size_t left;

	if (!count_rows(s, &left, err) ||
	    !(s->grid.n ? check_grid(s, left, err)
		      : find_grid(s, left, t, err)))
		return false;
	return lattice_merges(&s->made, "--to", s->to.text, err);
}

/* --to counts all rows of a sequence. */
static bool sequence_shape(struct resize *s, struct error *err)
{
	const size_t others = s->prefix + s->suffix;
	size_t left;

	if (s->grid.n || s->made.merge > 1 || s->made.frames > 1 || s->square)
		return fail(err, "--grid, --merge, --frames and --square apply "
			    "to --to HxW, got --to %.60s", s->to.text);
	if (!similarity_one_plane(s->table, err) ||
	    !count_rows(s, &left, err))
		return false;
	if (s->made.height <= others)
		return fail(err, "--to counts all rows, also the %zu of "
			    "--prefix and --suffix, and must be greater, got "
			    "%.60s", others, s->to.text);
	s->made.height -= others;
	s->rows.in = left;
	s->columns.in = 1;
	return true;
}

bool resize_shape(struct resize *s, struct table *t, struct error *err)
{
	s->made.height = s->to.at[0];
	s->made.width = s->to.n == 2 ? s->to.at[1] : 1;
	s->rows.in = s->grid.at[0];
	s->columns.in = s->grid.at[1];
	s->sequence = s->to.n == 1;
	return s->sequence ? sequence_shape(s, err) : grid_shape(s, t, err);
}
