/* input.c: the tables that views work on: which part. */
#include <stdio.h>
#include <string.h>

#include "core/parse.h"
#include "core/recipe.h"
#include "formats/format.h"
#include "formats/input.h"

const struct option input_options[] = {
	{ OPTION(struct input_style, select), .arg = "ROWS[,COLS]",
	  .help = "only these rows and columns of each TABLE, each A:B, "
		  "counted from 0, B not included" },
	{ OPTION(struct input_style, drop_prefix), .initial = "0",
	  .max = 0x1p52, .arg = "N",
	  .help = "leave out the first N rows, of class tokens or padding; "
		  "--select counts from the next" },
	{ OPTION(struct input_style, head), .min = 0, .max = 0x1p52,
	  .arg = "H", .help = "only plane H of a TABLE of planes, from 0" },
	{ OPTION(struct input_style, dim), .min = 1, .max = 1048576,
	  .arg = "D", .help = "columns of a .raw TABLE, whose numbers are of "
			      "--dtype" },
	{0}
};

/* Two ranges as typed, "A:B" or "A:B,C:D"; the second may be missing. */
static bool read_select(const char *text, struct range r[2], struct error *err)
{
	const char *comma = strchr(text, ',');
	char rows[64] = "";
	const size_t n = comma ? (size_t)(comma - text) : strlen(text);

	if (n < sizeof rows)
		memcpy(rows, text, n);
	r[0].given = true;
	r[1].given = comma;
	if (!parse_range(rows, &r[0].first, &r[0].last) ||
	    (comma && !parse_range(comma + 1, &r[1].first, &r[1].last)))
		return fail(err, "--select must be ROWS[,COLS], each A:B in "
			    "whole numbers within 2^53, not '%.60s'", text);
	return true;
}

/* The part of n things, rows or columns, that --select's r asks for. */
static bool part(const char *what, struct range *r, size_t n, const char *path,
		 struct error *err)
{
	char typed[RANGE_TEXT];

	range_text(r, typed);
	if (!range_fill(r, n))
		return fail(err, "--select must have %s A:B with A less than "
			    "B, within 0:%zu of %.200s, not %s", what, n, path,
			    typed);
	return true;
}

/* Numbers of the rows and columns asked for, to the front of those of t. */
static void keep(struct table *t, size_t drop, const struct range *rows,
		 const struct range *columns)
{
	const size_t begin = drop + (size_t)rows->first;
	const size_t end = drop + (size_t)rows->last;
	const size_t left = (size_t)columns->first;
	const size_t n = (size_t)columns->last - left;
	double *to = table_numbers(t);
	const double *from = to;

	for (size_t p = 0; p < t->planes; p++)
		for (size_t i = begin; i < end; i++) {
			memmove(to, from + (p * t->rows + i) * t->cols + left,
				n * sizeof *to);
			to += n;
		}
	t->rows = end - begin;
	t->cols = n;
	t->down.first = (double)begin;
	t->across.first = (double)left;
}

static bool keep_selected(const struct input_style *style, struct table *t,
			  const char *path, struct error *err)
{
	const size_t drop = style->drop_prefix, n = t->rows - drop;
	struct range r[2] = { { .given = false } };

	if (style->select && !read_select(style->select, r, err))
		return false;
	if (drop >= t->rows)
		return fail(err, "--drop-prefix %zu leaves nothing of the %zu "
			    "rows of %.200s", drop, t->rows, path);
	if (!part("rows", &r[0], n, path, err) ||
	    !part("columns", &r[1], t->cols, path, err))
		return false;
	keep(t, drop, &r[0], &r[1]);
	return true;
}

static bool keep_head(long head, struct table *t, const char *path,
		      struct error *err)
{
	const size_t n = t->rows * t->cols;
	double *all = table_numbers(t);

	if (!t->over.name)
		return fail(err, "--head is for a TABLE of planes, and %.200s "
			    "is one of rows and columns", path);
	if ((size_t)head >= t->planes)
		return fail(err, "--head must be from 0 to %zu for %.200s, "
			    "not %ld", t->planes - 1, path, head);
	memmove(all, all + (size_t)head * n, n * sizeof *all);
	t->planes = 1;
	t->over = (struct axis){ 0 };
	return true;
}

bool input_read(const char *path, const struct input_style *style,
		const struct raw_kind *raw, struct table *t, struct error *err)
{
	if (!format_read(path, raw, t, err))
		return false;
	if (style->head == NOT_GIVEN && !style->drop_prefix && !style->select)
		return true;
	if (style->head != NOT_GIVEN &&
	    !keep_head(style->head, t, path, err))
		return false;
	if (!keep_selected(style, t, path, err))
		return false;
	t->end = t->planes * t->rows;
	return true;
}

bool input_note(const struct input_style *style, const struct raw_kind *raw,
		struct table *t, struct error *err)
{
	const size_t n = strlen(t->command);
	const size_t m = options_line(input_options, style, NULL);
	char *line = table_alloc(t, n + m + 80, 1, err);

	if (!line)
		return false;
	memcpy(line, t->command, n);
	options_line(input_options, style, line + n);
	if (style->dim)
		snprintf(line + n + m, 80, " --dtype %s",
			 dtype_name((enum dtype)(raw->dtype % DTYPES)));
	t->command = line;
	return true;
}

bool input_unused(const struct input_style *style, struct error *err)
{
	char flag[40];

	for (const struct option *o = input_options; o->name; o++)
		if (strcmp(o->name, "dim") != 0 && option_changed(o, style))
			return fail(err, "%s is for a TABLE, and there is none",
				    option_flag(o, flag));
	return true;
}
