/* csv.c: a line a row, numbers parted by commas. */
#include <stdlib.h>
#include <string.h>

#include "formats/csv.h"
#include "formats/csv_fields.h"
#include "formats/number.h"
#include "formats/rows.h"

enum { WORD_MOST = 255, LABEL_ROOM = 2 * WORD_MOST + 3 };

/* Of --words. */
struct word {
	const char *text;
	size_t n;
};

/* Past the word, which begins at text; of no length at the end. */
static const char *next_word(struct word *w, const char *text)
{
	w->text = look_first(text, &w->n);
	return w->text + w->n;
}

/*
 * A word; between quotes where it has what parts fields or begins comments, or
 * where a number might be missing. The length.
 */
static size_t quoted(char *to, struct word w)
{
	const char *end = w.text + w.n;
	const bool quotes = memchr(w.text, ',', w.n) ||
			    memchr(w.text, '"', w.n) ||
			    memchr(w.text, '#', w.n) ||
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

/*
 * The name of the rows, then the labels of the columns. Where words label
 * anything the name is left out: that tells readers of a column of labels.
 */
static void write_header(struct out *o, const struct table *t,
			 const struct look *look)
{
	const char *words = look_words_across(look, t) ? look->words : NULL;
	char text[LABEL_ROOM];
	struct word w;

	if (!look->words)
		out_text(o, t->down.name);
	for (size_t j = 0; j < t->cols; j++) {
		const double label = axis_label(&t->across, j);

		if (words)
			words = next_word(&w, words);
		out_bytes(o, ",", 1);
		out_bytes(o, text, words ? quoted(text, w)
					 : number_text(text, label, F64, 0));
	}
	out_bytes(o, "\n", 1);
}

/* The label of row i, from words where there are some, and a comma. */
static size_t row_label(const struct rows *r, size_t i, char *to)
{
	const struct word *words = r->self;
	const struct table *t = r->t;
	const size_t row = i % t->rows;
	const bool planes = table_shape(t, NULL) == 3;
	char *at = to;

	if (i && row == 0)
		*at++ = '\n';
	if (words)
		at += quoted(at, words[planes ? row : i - t->begin]);
	else if (r->style->header)
		at += number_text(at, axis_label(&t->down, row), F64, 0);
	if (r->style->header)
		*at++ = ',';
	return (size_t)(at - to);
}

/* All words, to be freed; NULL where memory lacks. */
static struct word *split(const char *text)
{
	const size_t most = strlen(text) / 2 + 2;
	struct word *words = malloc(most * sizeof *words), *w = words;

	if (words)
		do
			text = next_word(w, text);
		while (w++->n);
	return words;
}

static size_t row_numbers(const struct rows *r, struct numbers x, size_t n,
			  char *to)
{
	return numbers_text(to, x, n, r->t->dtype, r->style->precision);
}

static void csv_write(const struct style *style, const struct table *t,
		      struct out *o)
{
	const char *text = style->header ? style->look.words : NULL;
	struct word *words = text ? split(text) : NULL;
	const struct rows r = {
		.t = t, .style = style, .after = "\n", .comma = true,
		.before = row_label, .before_room = LABEL_ROOM + 2,
		.self = words,
		.numbers = row_numbers, .number_room = NUMBER_ROOM,
	};

	if (style->header)
		write_header(o, t, &style->look);
	if (text && !words)
		out_fail(o, "out of memory");
	else
		rows_send(&r, o);
	free(words);
}

/* Labels stand in full, so that none that differ become one. */
static bool check_lengths(const char *text, struct error *err)
{
	struct word w;

	do {
		text = next_word(&w, text);
		if (w.n > WORD_MOST)
			return fail(err, "--words: '%.60s' goes on past %d "
				    "bytes, the most that CSV labels have",
				    w.text, WORD_MOST);
	} while (w.n);
	return true;
}

static bool csv_check(const struct style *style, const struct table *t,
		      struct error *err)
{
	const struct look *look = &style->look;

	return !style->header || !look->words ||
	       (check_lengths(look->words, err) &&
		look_check_words(look, t, err));
}

const struct format csv_format = {
	.name = "csv",
	.summary = "a line a row, numbers parted by commas",
	.size = rows_text_size,
	.check = csv_check,
	.write = csv_write,
	.read = csv_read,
};
