/* csv_read.c: lines of numbers, however they are parted, into a table. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "formats/csv.h"
#include "formats/decimal.h"
#include "formats/gather.h"

/* Where the reader stands in the text, and what it knows of the table. */
struct csv {
	struct in *in;
	const char *at, *stop; /* lines that are whole in the window */
	size_t line;           /* the number of the line at, */
	const char *begin;     /* and where it begins */
	char separator;        /* ',' ';' '\t', or ' ' for any run of blanks */
	bool labelled;         /* each row begins with its label */
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

	if (c->at)
		in_drop(in, (size_t)((const unsigned char *)c->at - in->bytes));
	while (!end && !in->ended) {
		if (!in_more(in, err))
			return false;
		/* The last line that has an end: from there on back. */
		for (size_t i = in->n; i > seen && !end; i--)
			if (in->bytes[i - 1] == '\n')
				end = in->bytes + i;
		seen = in->n;
	}
	c->at = c->begin = (const char *)in->bytes;
	c->stop = (const char *)(end && !in->ended ? end : in->bytes + in->n);
	return true;
}

static bool at_end(const struct csv *c, const char *s)
{
	return *s == '\n' || *s == '\r' || *s == '#' || s == c->stop;
}

static const char *skip_blanks(const struct csv *c, const char *s)
{
	while (*s == ' ' || (*s == '\t' && c->separator != '\t'))
		s++;
	return s;
}

/* Past the line's end, with a comment before it. */
static void skip_line(struct csv *c)
{
	while (c->at < c->stop && *c->at != '\n' && *c->at != '\r')
		c->at++;
	if (c->at < c->stop && *c->at++ == '\r' && c->at < c->stop &&
	    *c->at == '\n')
		c->at++;
	c->line++;
	c->begin = c->at;
}

/* The end of the field at s, which may be quoted. */
static const char *field_end(const struct csv *c, const char *s)
{
	bool quoted = false;

	for (; s < c->stop && *s != '\n' && *s != '\r'; s++) {
		quoted ^= *s == '"';
		if (!quoted && (*s == c->separator || *s == '#' ||
				(c->separator == ' ' && *s == '\t')))
			break;
	}
	return s;
}

static bool not_a_number(const struct csv *c, const char *s, struct error *err)
{
	const char *end = field_end(c, s);
	const char *zero = memchr(s, 0, (size_t)(end - s));
	char text[PLACE];

	if (zero)
		return fail_file(err, place(c, zero, text), "a byte of 0, "
				 "which no text has");
	while (end > s && (end[-1] == ' ' || end[-1] == '\t'))
		end--;
	return fail_file(err, place(c, s, text), "'%.*s' is not a number",
			 end - s < 60 ? (int)(end - s) : 60, s);
}

/* "nan", "-inf" and the like at s, in any case. */
static struct decimal read_word(const char *s)
{
	static const struct {
		const char *word;
		double x;
	} words[] = {
		{ "nan", (double)NAN }, { "infinity", HUGE_VAL },
		{ "inf", HUGE_VAL },
	};
	const char *word = s + (*s == '-' || *s == '+');

	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		const size_t n = strlen(words[i].word);

		if (strncasecmp(word, words[i].word, n) == 0)
			return (struct decimal){
				.x = *s == '-' ? -words[i].x : words[i].x,
				.end = word + n, .single = true,
			};
	}
	return (struct decimal){ .end = s };
}

/* The number at s, which may be quoted; it ends at s where there is none. */
static struct decimal read_number(const char *s)
{
	const bool quoted = *s == '"';
	struct decimal d = decimal_read(s + quoted);

	if (d.end == s + quoted)
		d = read_word(s + quoted);
	else if (isinf(d.x))
		d.end = s;
	if (quoted)
		d.end = *d.end == '"' && d.end > s + 1 ? d.end + 1 : s;
	return d;
}

/* What parts the fields of the line at. */
static char find_separator(const struct csv *c)
{
	bool quoted = false, blank = false;

	for (const char *s = skip_blanks(c, c->at); !at_end(c, s); s++) {
		quoted ^= *s == '"';
		if (!quoted && strchr(",;\t", *s) && *s)
			return *s;
		blank |= !quoted && *s == ' ';
	}
	return blank ? ' ' : ',';
}

/* Past the separator after a field that ends at s, *more; or at the end. */
static const char *next_field(const struct csv *c, const char *s, bool *more)
{
	const char *after = skip_blanks(c, s);

	if (c->separator == ' ') {
		*more = !at_end(c, after) && after > s;
		return after;
	}
	*more = after < c->stop && *after == c->separator;
	return *more ? after + 1 : after;
}

/* Whether text [n] can be a name: not a number mistyped, nor binary. */
static bool is_name(const char *text, size_t n)
{
	size_t i = text[0] == '+' || text[0] == '-' || text[0] == '.';

	if (n > i && text[i] >= '0' && text[i] <= '9')
		return false;
	for (i = 0; i < n; i++)
		if ((unsigned char)text[i] < ' ' && text[i] != '\t')
			return false;
	return !n || text[0] != '"' || (n > 1 && text[n - 1] == '"');
}

/*
 * Whether the first line is a header: names are in it, and all that is no
 * number is one. Rows are labelled where the header's first field is empty or
 * the only name.
 */
static bool read_header(struct csv *c)
{
	size_t fields = 0, names = 0;
	bool more = true, first = false, empty = false;

	for (const char *s = c->at; more; fields++) {
		const char *field = skip_blanks(c, s), *end;

		s = field_end(c, field);
		for (end = s; end > field && end[-1] == ' '; end--)
			;
		if (read_number(field).end != end || end == field) {
			if (!is_name(field, (size_t)(end - field)) ||
			    (fields && end == field))
				return false;
			names++;
			first |= !fields;
			empty |= !fields && end == field;
		}
		s = next_field(c, s, &more);
	}
	c->labelled = fields > 1 && (empty || (first && names == 1));
	return names > 0;
}

static bool row_ends(struct csv *c, const char *s, size_t n, struct error *err)
{
	char text[PLACE];

	if (!c->cols)
		c->cols = n;
	if (n < c->cols)
		return fail_file(err, place(c, s, text), "the row ends after "
				 "%zu of %zu numbers", n, c->cols);
	c->rows++;
	c->block++;
	c->at = s;
	skip_line(c);
	return true;
}

static bool read_row(struct csv *c, struct error *err)
{
	const char *s = c->at;
	char text[PLACE];
	bool more = true;
	size_t n = 0;

	if (c->labelled)
		s = next_field(c, field_end(c, skip_blanks(c, s)), &more);
	for (; more; n++) {
		struct decimal d;

		s = skip_blanks(c, s);
		if (n == c->cols && c->cols)
			return fail_file(err, place(c, s, text), "the row has "
					 "more than %zu numbers", c->cols);
		d = read_number(s);
		if (d.end == s)
			return not_a_number(c, s, err);
		if (!gather_decimal(&c->g, &d, s + (*s == '"'), err))
			return false;
		d.end = next_field(c, d.end, &more);
		if (!more && !at_end(c, d.end))
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

static bool read_line(struct csv *c, struct error *err)
{
	const char *s = skip_blanks(c, c->at);
	const bool blank = at_end(c, s);

	if (!blank && !c->separator) {
		c->separator = find_separator(c);
		if (!read_header(c))
			return read_row(c, err);
		skip_line(c);
		return true;
	}
	if (!blank)
		return read_row(c, err);
	if (s == c->stop || *s != '#')
		end_block(c);
	skip_line(c);
	return true;
}

/* Shape and dtype, once all rows are there. */
static bool finish(struct csv *c, struct table *t, struct error *err)
{
	end_block(c);
	if (!c->rows)
		return fail_file(err, c->in->path, "no number in it");
	/* Lines that are blank every other line part nothing. */
	if (c->blocks > 1 && c->block_rows > 1 && !c->uneven) {
		t->planes = c->blocks;
		t->over = (struct axis){ .name = "plane", .step = 1 };
	}
	t->rows = c->rows / t->planes;
	t->cols = c->cols;
	t->dtype = gather_dtype(&c->g);
	for (size_t i = 0; t->dtype == F32 && i < c->g.n; i++)
		c->g.at[i] = (double)(float)c->g.at[i];
	table_dense(t, c->g.at);
	return true;
}

bool csv_read(struct in *in, const struct asked *asked, struct table *t,
	      struct error *err)
{
	struct csv c = {
		.in = in, .line = 1, .g = { .in = in, .t = t },
	};

	(void)asked;
	do {
		if (!next_lines(&c, err))
			return false;
		if (c.line == 1 && in->n >= 3 &&
		    memcmp(c.at, "\xef\xbb\xbf", 3) == 0)
			c.at += 3;
		while (c.at < c.stop)
			if (!read_line(&c, err))
				return false;
	} while (!in->ended || in->n > (size_t)(c.at - (char *)in->bytes));
	return finish(&c, t, err);
}
