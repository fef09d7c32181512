/* csv_read.c: lines of numbers, however they are parted, into a table. */
#include <stdio.h>
#include <string.h>

#include "formats/csv.h"
#include "formats/csv_fields.h"
#include "formats/gather.h"

/* Where the reader stands in the text, and what it knows of the table. */
struct csv {
	struct in *in;
	struct csv_text x;     /* lines that are whole in the window */
	size_t line;           /* the number of the line at, */
	const char *begin;     /* and where it begins */
	bool labelled;         /* each row begins with its label */
	enum csv_kind first;   /* what the only line read may be, */
	size_t header;         /* a header of so many fields; 0: none */
	struct gather g;
	size_t cols, rows;     /* cols is 0 until the first row was read */
	size_t blocks, block;  /* blank lines part blocks of so many rows, */
	size_t block_rows;     /* the first of so many, */
	bool uneven;           /* others of other numbers */
};

enum { PLACE = 340 };

/* "table.csv:3:7", for at in the line. */
static const char *place(const struct csv *c, const char *at, char text[PLACE])
{
	snprintf(text, PLACE, "%.300s:%zu:%zu", c->in->path, c->line,
		 (size_t)(at - c->begin) + 1);
	return text;
}

/* Have whole lines in the window; at == stop at the end of the file. */
static bool next_lines(struct csv *c, struct error *err)
{
	struct in *in = c->in;
	const unsigned char *end = NULL;
	size_t seen = 0;

	if (c->x.at)
		in_drop(in, (size_t)(c->x.at - (const char *)in->bytes));
	while (!end && !in->ended) {
		if (!in_more(in, err))
			return false;
		/* The last line that has an end: from there on back. */
		for (size_t i = in->n; i > seen && !end; i--)
			if (in->bytes[i - 1] == '\n')
				end = in->bytes + i;
		seen = in->n;
	}
	c->x.at = c->begin = (const char *)in->bytes;
	c->x.stop = (const char *)(end && !in->ended ? end : in->bytes + in->n);
	return true;
}

/* Past the line's end, with a comment before it. */
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
		return fail_file(err, place(c, zero, text), "a byte of 0, "
				 "which no text has");
	while (end > s && (end[-1] == ' ' || end[-1] == '\t'))
		end--;
	return fail_file(err, place(c, s, text), "'%.*s' is %s",
			 end - s < 60 ? (int)(end - s) : 60, s,
			 end > s && decimal_read(s).end == end ?
			 "a number that no double holds" : "not a number");
}

static bool row_ends(struct csv *c, const char *s, size_t n, struct error *err)
{
	char text[PLACE];

	if (!n)
		return fail_file(err, place(c, s, text), "a label and no "
				 "number");
	if (!c->cols)
		c->cols = n;
	if (n < c->cols)
		return fail_file(err, place(c, s, text), "the row ends after "
				 "%zu of %zu numbers", n, c->cols);
	c->rows++;
	c->block++;
	c->x.at = s;
	skip_line(c);
	return true;
}

/* Whether the only row is 0, 1, ... */
static bool counts_up(const struct csv *c)
{
	for (size_t i = 0; i < c->g.n; i++)
		if (c->g.at[i] != (double)i)
			return false;
	return c->g.n > 1;
}

/*
 * A first line of a name and numbers that may be a header's is one where the
 * next row begins with a number, or where they count up from 0; else it is a
 * labelled row.
 */
static bool settle_first(struct csv *c, bool numbered, struct error *err)
{
	char text[PLACE];

	if (c->first == CSV_LABELLED && numbered)
		return fail_file(err, place(c, c->x.at, text), "the row begins "
				 "with a number, the first one with a label");
	if (c->first == CSV_EITHER && (numbered || counts_up(c))) {
		c->g.n = c->cols = c->rows = c->blocks = c->block = 0;
		c->g.broken = c->g.wide = false;
	}
	c->first = CSV_ROW;
	return true;
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

		s = csv_blanks(&c->x, s);
		if (n == c->cols && c->cols)
			return fail_file(err, place(c, s, text), "the row has "
					 "more than %zu numbers", c->cols);
		d = csv_number(s);
		if (d.end == s)
			return not_a_number(c, s, err);
		if (!gather_decimal(&c->g, &d, s + (*s == '"'), err))
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
	c->x.separator = csv_separator(&c->x);
	c->first = csv_first(&c->x, &c->labelled, &c->header);
	if (c->first != CSV_HEADER)
		return read_row(c, err);
	skip_line(c);
	return true;
}

/*
 * The first row below a header has as many fields. One more, as R writes, is
 * its label; and so is a name where it begins with one.
 */
static bool fit_header(struct csv *c, struct error *err)
{
	char text[PLACE];
	size_t n;

	if (c->cols)
		return true;
	n = csv_count(&c->x);
	if (n < c->header)
		return fail_file(err, place(c, c->x.at, text), "the row ends "
				 "after %zu of its header's %zu fields", n,
				 c->header);
	if (n > c->header + !c->labelled)
		return fail_file(err, place(c, c->x.at, text), "the row has "
				 "more than its header's %zu fields",
				 c->header);
	c->labelled |= n > c->header || csv_named(&c->x);
	return true;
}

static bool read_line(struct csv *c, struct error *err)
{
	const char *s = csv_blanks(&c->x, c->x.at);
	bool blank = csv_at_end(&c->x, s);

	if (*s == '#' && c->labelled && c->cols)
		blank = blank && !csv_labels(&c->x, s, c->cols);
	if (!blank && !c->x.separator)
		return read_first(c, err);
	if (!blank) {
		return settle_first(c, csv_decimal(&c->x, s), err) &&
		       fit_header(c, err) && read_row(c, err);
	}
	if (s == c->x.stop || *s != '#')
		end_block(c);
	skip_line(c);
	return true;
}

/* Shape and dtype, once all rows are there. */
static bool finish(struct csv *c, struct table *t, struct error *err)
{
	end_block(c);
	settle_first(c, false, err);
	if (!c->rows)
		return fail_file(err, c->in->path, "no number in it");
	/* Lines that are blank every other line part nothing. */
	if (c->blocks > 1 && c->block_rows > 1 && !c->uneven) {
		t->planes = c->blocks;
		t->over = (struct axis){ .name = "plane", .step = 1 };
	}
	t->rows = c->rows / t->planes;
	t->cols = c->cols;
	if (!gather_dtype(&c->g, &t->dtype, err))
		return false;
	for (size_t i = 0; t->dtype == F32 && i < c->g.n; i++)
		c->g.at[i] = (double)(float)c->g.at[i];
	table_dense(t, c->g.at);
	return true;
}

bool csv_read(struct in *in, const struct asked *asked, struct table *t,
	      struct error *err)
{
	struct csv c = {
		.in = in, .line = 1,
		.g = { .in = in, .t = t, .doubles = asked_doubles(asked) },
	};

	do {
		if (!next_lines(&c, err))
			return false;
		if (c.line == 1 && strncmp(c.x.at, "\xef\xbb\xbf", 3) == 0)
			c.begin = c.x.at += 3;
		while (c.x.at < c.x.stop)
			if (!read_line(&c, err))
				return false;
	} while (!in->ended);
	return finish(&c, t, err);
}
