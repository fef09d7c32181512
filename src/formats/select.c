/* select.c: reads a table, or the part of it that options select. */
#include <stdio.h>
#include <string.h>

#include "text/decimal.h"
#include "recipe/recipe.h"
#include "formats/format.h"
#include "formats/select.h"

const struct option selection_options[] = {
	{ OPTION(struct selection, select), .arg = "ROWS[,COLS]",
	  .help = "use only these rows and columns of each TABLE; a range A:B "
		  "is A to B-1, counted from 0" },
	{ OPTION(struct selection, drop_prefix), .initial = "0",
	  .max = 0x1p52, .arg = "N",
	  .help = "skip the first N rows (class tokens, padding); --select "
		  "counts from the next row" },
	{ OPTION(struct selection, head), .min = 0, .max = 0x1p52,
	  .arg = "H",
	  .help = "use only plane H of a three-dimensional TABLE, counted "
		  "from 0; of a TABLE of two dimensions, write only plane H, "
		  "such as a head, of what the command makes of it" },
	{ OPTION(struct selection, dim), .role = ROLE_COLUMNS,
	  .min = 1, .max = 1048576,
	  .arg = "D",
	  .help = "number of columns of a .raw TABLE; its element type is "
		  "--dtype" },
	{0}
};

/* Read "A:B" or "A:B,C:D"; the second range may be missing. */
static bool read_select(const char *text, struct range r[2], struct error *err)
{
	const char *end = parse_range(text, &r[0].first, &r[0].last);

	r[0].given = true;
	r[1].given = end && *end == ',';
	if (r[1].given)
		end = parse_range(end + 1, &r[1].first, &r[1].last);
	if (end && !*end)
		return true;
	return fail(err, "--select must be ROWS[,COLS], each A:B in "
		    "integers up to 2^53, got '%.60s'", text);
}

/* Complete range r of n rows or columns and check it. */
static bool check_range(const char *what, struct range *r, size_t n,
			const char *path, struct error *err)
{
	char typed[RANGE_TEXT];

	range_text(r, typed);
	if (!range_fill(r, n))
		return fail(err, "--select must have %s A:B with A < B, within "
			    "0:%zu of %.200s, got %s", what, n, path, typed);
	return true;
}

/* Move the values of the selected rows and columns to the front of t. */
static void move_selected(struct table *t, size_t drop,
			  const struct range *rows,
			  const struct range *columns)
{
	const size_t begin = drop + (size_t)rows->first;
	const size_t end = drop + (size_t)rows->last;
	const size_t left = (size_t)columns->first;
	const size_t n = (size_t)columns->last - left;
	double *to = table_values(t);
	const double *from = to;

	for (size_t p = 0; p < t->planes; p++)
		for (size_t i = begin; i < end; i++) {
			memmove(to, from + (p * t->rows + i) * t->cols + left,
				n * sizeof *to);
			to += n;
		}
	t->rows = end - begin;
	t->cols = n;
	t->row_axis.first = (double)begin;
	t->col_axis.first = (double)left;
	if (t->col_axis.names)
		t->col_axis.names += left;
}

static bool select_range(const struct selection *s, struct table *t,
			 const char *path, struct error *err)
{
	const size_t drop = s->drop_prefix, n = t->rows - drop;
	struct range r[2] = { { .given = false } };

	if (s->select && !read_select(s->select, r, err))
		return false;
	if (drop >= t->rows)
		return fail(err, "--drop-prefix %zu leaves none of the %zu "
			    "rows of %.200s", drop, t->rows, path);
	if (!check_range("rows", &r[0], n, path, err) ||
	    !check_range("columns", &r[1], t->cols, path, err))
		return false;
	move_selected(t, drop, &r[0], &r[1]);
	return true;
}

/* Leave --head to whoever else takes it. */
static bool spare_head(struct selection *s)
{
	if (!s->head.given || !s->spare)
		return false;
	*s->spare = s->head;
	s->head.given = false;
	return true;
}

static bool select_plane(struct selection *s, struct table *t,
			 const char *path, struct error *err)
{
	const size_t n = t->rows * t->cols;
	const long head = s->head.value;
	double *all = table_values(t);

	if (!t->plane_axis.name && spare_head(s))
		return true;
	if (!t->plane_axis.name)
		return fail(err, "--head needs a three-dimensional TABLE, but "
			    "%.200s has two dimensions", path);
	if ((size_t)head >= t->planes)
		return fail(err, "--head must be between 0 and %zu for %.200s, "
			    "got %ld", t->planes - 1, path, head);
	memmove(all, all + (size_t)head * n, n * sizeof *all);
	t->planes = 1;
	t->plane_axis = (struct axis){ 0 };
	return true;
}

bool selection_read(table_reader *read, const char *path,
		    struct selection *s, const struct raw_kind *raw,
		    struct table *t, struct error *err)
{
	const bool all = !s->head.given && !s->drop_prefix && !s->select;

	t->compact &= all;
	t->on_demand = all ? t->on_demand : 0;
	if (!read(path, raw, t, err))
		return false;
	if (all)
		return true;
	t->finite = false;
	if (s->head.given && !select_plane(s, t, path, err))
		return false;
	if (!select_range(s, t, path, err))
		return false;
	t->end = t->planes * t->rows;
	return true;
}

bool selection_note(const struct selection *s, const struct raw_kind *raw,
		    struct table *t, struct error *err)
{
	const size_t n = strlen(t->from.command);
	const size_t m = options_line(selection_options, s, NULL);
	char *line = table_alloc(t, n + m + 80, 1, err);

	if (!line)
		return false;
	memcpy(line, t->from.command, n);
	options_line(selection_options, s, line + n);
	if (s->dim)
		snprintf(line + n + m, 80, " --dtype %s",
			 dtype_name((enum dtype)(raw->dtype % DTYPES)));
	t->from.command = line;
	return true;
}

bool selection_unused(struct selection *s, struct error *err)
{
	char flag[40];

	spare_head(s);
	for (const struct option *o = selection_options; o->name; o++)
		if (o->role != ROLE_COLUMNS && option_changed(o, s))
			return fail(err, "%s needs a TABLE argument",
				    option_flag(o, flag));
	return true;
}
