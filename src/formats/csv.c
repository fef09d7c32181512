/*
 * csv.c: comma-separated and tab-separated values, one table row per line:
 * writing.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/decimal.h"
#include "formats/csv.h"
#include "formats/rows.h"

enum { WORD_MOST = CSV_NAME_MOST, LABEL_ROOM = 2 * WORD_MOST + 3 };

/*
 * Write a word, in quotes if a reader could take it for several fields, a
 * comment or a missing value; the length.
 */
static size_t quoted(char *to, struct word w)
{
	const char *end = w.text + w.n;
	const bool quotes = memchr(w.text, ',', w.n) ||
			    memchr(w.text, '"', w.n) ||
			    memchr(w.text, '#', w.n) ||
			    memchr(w.text, ' ', w.n) ||
			    memchr(w.text, '\t', w.n) ||
			    csv_missing(w.text, w.n);
	char *at = to;

	if (quotes)
		*at++ = '"';
	for (const char *c = w.text; c < end; c++) {
		if (*c == '"')
			*at++ = '"';
		*at++ = *c;
	}
	if (quotes)
		*at++ = '"';
	return (size_t)(at - to);
}

/* The label of index i of an axis: a name or a number. */
static size_t label_text(const struct axis *a, size_t i, char *to)
{
	char token[TOKEN_TEXT];
	const char *name = a->names ? a->names[i]
			   : axis_token(a, i, token) ? token : NULL;

	return name ? quoted(to, (struct word){ name, strlen(name) })
		    : number_text(to, axis_label(a, i), F64, 0);
}

/*
 * The name of the rows, then the labels of the columns. Where labels are words
 * the name is empty, which tells readers that there is a column of labels.
 */
static void write_header(struct output_file *o, const struct table *t,
			 const struct look *look, char separator)
{
	const char *words = look_words_across(look, t);
	char text[LABEL_ROOM];
	struct word w;

	if (!look->words && !look->key_words && !t->col_axis.names &&
	    !t->row_axis.before && !t->row_axis.after)
		out_text(o, t->row_axis.name);
	for (size_t j = 0; j < t->cols; j++) {
		if (words)
			words = look_next(&w, words);
		out_bytes(o, &separator, 1);
		out_bytes(o, text, words ? quoted(text, w)
				   : label_text(&t->col_axis, j, text));
	}
	out_bytes(o, "\n", 1);
}

/* The label of row i, a word if there are any, and a comma. */
static size_t row_label(const struct row_writer *r, size_t i, char *to)
{
	const struct word *words = r->self;
	const struct table *t = r->t;
	const size_t row = i % t->rows;
	const bool planes = table_shape(t, NULL) == 3;
	char *at = to;

	if (i && row == 0 && !t->one_plane)
		*at++ = '\n';
	if (words)
		at += quoted(at, words[planes ? row : i - t->begin]);
	else if (r->style->header)
		at += label_text(&t->row_axis, row, at);
	if (r->style->header)
		*at++ = r->separator;
	return (size_t)(at - to);
}

/* All words, to be freed; NULL: out of memory. */
static struct word *split(const char *text)
{
	const size_t most = strlen(text) / 2 + 2;
	struct word *words = malloc(most * sizeof *words), *w = words;

	if (words)
		do
			text = look_next(w, text);
		while (w++->n);
	return words;
}

static size_t row_numbers(const struct row_writer *r, struct numbers x,
			  size_t n, char *to)
{
	const size_t length = numbers_text(to, x, n, r->t->dtype,
					   r->style->precision);
	char *const end = to + length;

	if (r->separator != ',')
		while ((to = memchr(to, ',', (size_t)(end - to))))
			*to++ = r->separator;
	return length;
}

static void write_separated(const struct style *style, const struct table *t,
			    struct output_file *o, char separator)
{
	const char *text = style->header ? style->look.words : NULL;
	struct word *words = text ? split(text) : NULL;
	const struct row_writer r = {
		.t = t, .style = style, .after = "\n", .separator = separator,
		.before = row_label, .before_room = LABEL_ROOM + 2,
		.self = words,
		.numbers = row_numbers, .number_room = NUMBER_ROOM,
	};

	if (style->header)
		write_header(o, t, &style->look, separator);
	else if (t->col_axis.kind == AXIS_COLUMN && t->col_axis.names)
		snprintf(o->note, sizeof o->note, "the names of columns are "
			 "left out (--header writes them)");
	if (text && !words)
		out_fail(o, "out of memory");
	else
		rows_send(&r, o);
	free(words);
}

static void csv_write(const struct style *style, const struct table *t,
		      struct output_file *o)
{
	write_separated(style, t, o, ',');
}

static void tsv_write(const struct style *style, const struct table *t,
		      struct output_file *o)
{
	write_separated(style, t, o, '\t');
}

/* Long labels are refused, not cut, so that they remain distinct. */
static bool check_lengths(const char *text, const char *flag,
			  struct error *err)
{
	struct word w;

	if (!text)
		return true;
	do {
		text = look_next(&w, text);
		if (w.n > WORD_MOST)
			return fail(err, "%s: '%.60s' is longer than %d bytes, "
				    "the limit for labels in CSV", flag,
				    w.text, WORD_MOST);
	} while (w.n);
	return true;
}

static bool csv_check(const struct style *style, const struct table *t,
		      struct error *err)
{
	const struct look *look = &style->look;

	return !style->header ||
	       (check_lengths(look->words, "--words", err) &&
		check_lengths(look->key_words, "--key-words", err) &&
		look_check_words(look, t, err));
}

const struct format csv_format = {
	.name = "csv",
	.summary = "comma-separated values, one table row per line",
	.size = rows_text_size,
	.check = csv_check,
	.write = csv_write,
	.read = csv_read,
};

const struct format tsv_format = {
	.name = "tsv",
	.summary = "the same, separated by tabs",
	.size = rows_text_size,
	.check = csv_check,
	.write = tsv_write,
	.read = csv_read,
};
