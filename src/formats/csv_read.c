/* csv_read.c: a table from comma-separated values. */
#include <stdio.h>
#include <string.h>

#include "table/limit.h"
#include "text/decimal.h"
#include "text/utf8.h"
#include "formats/csv.h"
#include "formats/values.h"

enum { PLACE = 340, FIELD_SHOWN = 60 };

/* "table.csv:3:7" of at in the current line. */
static const char *place(const struct csv *c, const char *at, char text[PLACE])
{
	snprintf(text, PLACE, "%.300s:%zu:%zu", c->in->path, c->line,
		 (size_t)(at - c->begin) + 1);
	return text;
}

enum {  /* bytes */
	LINE_LONG = LIMIT(1 << 20, 1 << 6),
	LINE_MOST = LIMIT(1 << 28, 1 << 9),
};

/* What a file without suffix may need, whose bytes are no text. */
static const char *raw_hint(const struct csv *c)
{
	const char *base = strrchr(c->in->path, '/');

	return strchr(base ? base : c->in->path, '.')
	       ? "" : "; raw values need --dim N and --dtype TYPE";
}

static bool not_text(const struct csv *c, const char *zero, struct error *err)
{
	char text[PLACE];

	return fail_file(err, place(c, zero, text), "expected text, got a NUL "
			 "byte%s", raw_hint(c));
}

/* Whether the bytes [n], as far as they are shown, are text. */
static bool is_utf8(const char *s, size_t n)
{
	char copy[FIELD_SHOWN + 1];
	const char *at = copy;

	snprintf(copy, sizeof copy, "%.*s", (int)n, s);
	while (*at && utf8_length(at))
		at += utf8_length(at);
	return !*at;
}

/*
 * Check a long line that is not complete yet, of which seen bytes have been
 * checked, so that an endless one is refused before memory is full. Shorter
 * lines are read from their begin, where another fault may come first.
 */
static bool check_line(struct csv *c, size_t seen, struct error *err)
{
	const struct input_file *in = c->in;
	const char *bytes = (const char *)in->bytes;
	const size_t from = seen > LINE_LONG ? seen : 0;
	const char *zero;
	char text[PLACE];

	if (in->n <= LINE_LONG)
		return true;
	c->begin = bytes;
	zero = memchr(bytes + from, 0, in->n - from);
	if (zero)
		return not_text(c, zero, err);
	if (in->n > LINE_MOST)
		return fail_file(err, place(c, bytes, text), "a line must have "
				 "at most %d MB, got a longer one",
				 LINE_MOST >> 20);
	return true;
}

/* Read complete lines into the window; at == stop at the end of the file. */
static bool next_lines(struct csv *c, struct error *err)
{
	struct input_file *in = c->in;
	const unsigned char *end = NULL;
	size_t seen = 0;

	if (c->x.at)
		in_drop(in, (size_t)(c->x.at - (const char *)in->bytes));
	while (!end && !in->ended) {
		if (!in_more(in, err))
			return false;
		/* Find the end of the last complete line. */
		for (size_t i = in->n; i > seen && !end; i--)
			if (in->bytes[i - 1] == '\n')
				end = in->bytes + i;
		if (!end && !check_line(c, seen, err))
			return false;
		seen = in->n;
	}
	c->x.at = c->begin = (const char *)in->bytes;
	c->x.stop = (const char *)(end ? end : in->bytes + in->n);
	return true;
}

/* Skip the rest of the line, also a comment. */
static void skip_line(struct csv *c)
{
	while (c->x.at < c->x.stop && *c->x.at != '\n' && *c->x.at != '\r')
		c->x.at++;
	if (c->x.at < c->x.stop && *c->x.at++ == '\r' && c->x.at < c->x.stop &&
	    *c->x.at == '\n')
		c->x.at++;
	c->line++;
	c->begin = c->x.at;
	c->x.label = NULL;
}

static bool not_a_number(const struct csv *c, const char *s, struct error *err)
{
	const char *end = csv_field_end(&c->x, s);
	const char *zero = memchr(s, 0, (size_t)(end - s));
	char text[PLACE];

	if (zero)
		return not_text(c, zero, err);
	while (end > s && (end[-1] == ' ' || end[-1] == '\t'))
		end--;
	return fail_file(err, place(c, s, text),
			 end > s && decimal_read(s).end == end
			 ? "'%.*s' is out of range for float64%s"
			 : "expected a number, got '%.*s'%s",
			 end - s < FIELD_SHOWN ? (int)(end - s) : FIELD_SHOWN,
			 s, is_utf8(s, (size_t)(end - s)) ? "" : raw_hint(c));
}

static bool row_ends(struct csv *c, const char *s, size_t n, struct error *err)
{
	char text[PLACE];

	if (!n)
		return fail_file(err, place(c, s, text), "expected a number "
				 "after the row label, got the end of the row");
	if (!c->cols)
		c->cols = n;
	if (n < c->cols)
		return fail_file(err, place(c, s, text), "expected %zu values "
				 "in the row, got %zu", c->cols, n);
	c->rows++;
	c->block++;
	c->x.at = s;
	skip_line(c);
	return true;
}

/* Whether the values read are 0, 1, ... */
static bool counts_up(const struct csv *c)
{
	for (size_t i = 0; i < c->g.n; i++)
		if (c->g.at[i] != (double)i)
			return false;
	return c->g.n > 1;
}

/*
 * A first line of a name and numbers is a header if the next row begins with a
 * number, or if its numbers are 0, 1, ...; otherwise it is a labelled row.
 */
static bool decide_first(struct csv *c, bool numbered, struct error *err)
{
	char text[PLACE];

	if (c->first == CSV_LABELLED && numbered)
		return fail_file(err, place(c, c->x.at, text), "expected a row "
				 "label as in the first row, got a number");
	if (c->first == CSV_EITHER && (numbered || counts_up(c))) {
		c->g.n = c->cols = c->rows = c->blocks = c->block = 0;
		c->g.fractions = c->g.more_digits = false;
	} else if (c->first == CSV_EITHER) {
		c->labels[0] = '\0';
	}
	c->first = CSV_ROW;
	return true;
}

/*
 * Read the plain numbers of a row from s on, which begin at a field, if n of
 * c->cols are known; *more: other fields follow.
 */
static const char *read_plain(struct csv *c, const char *s, size_t *n,
			      bool *more)
{
	const size_t before = c->g.n;
	const char *end = s;

	if (c->x.separator != ' ' && *n < c->cols)
		end = values_add_plain(&c->g, s, c->x.stop, c->x.separator,
				       '\n', c->cols - *n);
	*n += c->g.n - before;
	return end > s ? csv_next(&c->x, end, more) : s;
}

static bool read_row(struct csv *c, struct error *err)
{
	const char *s = c->x.at;
	char text[PLACE];
	bool more = true;
	size_t n = 0;

	if (c->labelled)
		s = csv_next(&c->x,
			     csv_field_end(&c->x, csv_blanks(&c->x, s)),
			     &more);
	for (; more; n++) {
		struct decimal d;

		s = read_plain(c, csv_blanks(&c->x, s), &n, &more);
		if (!more)
			break;
		s = csv_blanks(&c->x, s);
		if (n == c->cols && c->cols)
			return fail_file(err, place(c, s, text), "expected %zu "
					 "values in the row, got more",
					 c->cols);
		d = csv_number(s);
		if (d.end == s)
			return not_a_number(c, s, err);
		if (!values_add(&c->g, &d, s + (*s == '"'), err))
			return false;
		d.end = csv_next(&c->x, d.end, &more);
		if (!more && !csv_at_end(&c->x, d.end))
			return not_a_number(c, s, err);
		s = d.end;
	}
	return row_ends(c, s, n, err);
}

/* A blank line after rows ends a block. */
static void end_block(struct csv *c)
{
	if (!c->block)
		return;
	if (!c->blocks++)
		c->block_rows = c->block;
	c->uneven |= c->block != c->block_rows;
	c->block = 0;
}

static bool read_first(struct csv *c, struct error *err)
{
	const char *line = c->x.at;
	struct csv_text x = c->x;

	c->x.separator = x.separator = csv_separator(&c->x);
	c->first = csv_first(&c->x, &c->labelled, &c->header);
	if (c->first == CSV_EITHER) {
		bool more;
		const struct csv_name name = csv_name(&x, &more);

		utf8_show(name.text, name.n, c->labels, sizeof c->labels);
	}
	if (c->first != CSV_HEADER)
		return read_row(c, err);
	skip_line(c);
	c->names = table_alloc(c->g.t, (size_t)(c->x.at - line) + 1, 1, err);
	if (c->names)
		memcpy(c->names, line, (size_t)(c->x.at - line));
	return c->names;
}

/*
 * The first row below a header has as many fields. If it has one more, as in
 * files of R, or begins with a name, its first field is a label.
 */
static bool fit_header(struct csv *c, struct error *err)
{
	char text[PLACE];
	size_t n;

	if (c->cols)
		return true;
	n = csv_count(&c->x);
	if (n < c->header)
		return fail_file(err, place(c, c->x.at, text), "expected %zu "
				 "fields as in the header, got %zu", c->header,
				 n);
	if (n > c->header + !c->labelled)
		return fail_file(err, place(c, c->x.at, text), "expected %zu "
				 "fields as in the header, got more",
				 c->header);
	c->labelled |= n > c->header || csv_named(&c->x);
	return true;
}

bool csv_read_line(struct csv *c, struct error *err)
{
	const char *s = csv_blanks(&c->x, c->x.at);
	bool blank = csv_at_end(&c->x, s);

	if (*s == '#' && c->labelled && c->cols)
		blank = blank && !csv_labels(&c->x, s, c->cols);
	if (!blank && !c->x.separator)
		return read_first(c, err);
	if (!blank) {
		return decide_first(c, csv_decimal(&c->x, s), err) &&
		       fit_header(c, err) && read_row(c, err);
	}
	if (s == c->x.stop || *s != '#')
		end_block(c);
	skip_line(c);
	return true;
}

/* Name what the header names: rows, and columns. */
static bool name_axes(struct csv *c, struct table *t, struct error *err)
{
	if (c->labels[0]) {
		t->row_axis.name = table_copy(t, c->labels, err);
		if (!t->row_axis.name)
			return false;
	}
	return !c->names || csv_name_columns(c->names, c->x.separator,
					     c->header, t, err);
}

/* Set shape and dtype after all rows are read. */
static bool finish(struct csv *c, struct table *t, struct error *err)
{
	end_block(c);
	decide_first(c, false, err);
	if (!c->rows)
		return fail_file(err, c->in->path, "expected a table, got no "
				 "numbers");
	/* Blocks of one row each are double-spaced lines, not planes. */
	if (c->blocks > 1 && c->block_rows > 1 && !c->uneven) {
		t->planes = c->blocks;
		t->plane_axis = axis_of(AXIS_PLANE);
	}
	t->rows = c->rows / t->planes;
	t->cols = c->cols;
	if (!values_dtype(&c->g, &t->dtype, err))
		return false;
	if (!csv_round(c, t->dtype, err))
		return false;
	table_dense(t, c->g.at);
	return name_axes(c, t, err);
}

bool csv_read(struct input_file *in, const struct read_options *options,
	      struct table *t, struct error *err)
{
	struct csv c = {
		.in = in, .line = 1, .threads = options->raw->threads,
		.g = { .in = in, .t = t, .doubles = reads_float64(options) },
	};

	for (;;) {
		if (!next_lines(&c, err))
			return false;
		if (c.line == 1 && strncmp(c.x.at, "\xef\xbb\xbf", 3) == 0)
			c.begin = c.x.at += 3;
		if (c.x.at == c.x.stop)
			return finish(&c, t, err);
		while (c.x.at < c.x.stop)
			if (!csv_read_line(&c, err))
				return false;
		if (!csv_read_parts(&c, err))
			return false;
	}
}
