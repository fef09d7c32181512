/* csv.c: a line a row, numbers parted by commas. */
#include <string.h>

#include "formats/csv.h"
#include "formats/csv_fields.h"
#include "formats/number.h"
#include "formats/rows.h"

enum { WORD = 64, LABEL_ROOM = 2 * WORD + 3 };

/*
 * A word; between quotes where it has what parts fields or begins comments, or
 * where a number might be missing. The length.
 */
static size_t quoted(char *to, const char *word)
{
	char *at = to;
	const bool quotes = strpbrk(word, ",\"#") ||
			    csv_missing(word, strlen(word));

	if (quotes)
		*at++ = '"';
	for (; *word; word++) {
		if (*word == '"')
			*at++ = '"';
		*at++ = *word;
	}
	if (quotes)
		*at++ = '"';
	return (size_t)(at - to);
}

/* Label i of an axis, or word number place of words; the length. */
static size_t label_text(char *to, const struct axis *a, size_t i,
			 const char *words, size_t place)
{
	char word[WORD];

	if (!words)
		return number_text(to, axis_label(a, i), F64, 0);
	look_word(words, place, word, sizeof word);
	return quoted(to, word);
}

/*
 * The name of the rows, then the labels of the columns. Where words label
 * anything the name is left out: that tells readers of a column of labels.
 */
static void write_header(struct out *o, const struct table *t,
			 const struct look *look)
{
	const bool words = look_words_across(look, t);
	char text[LABEL_ROOM];

	if (!look->words)
		out_text(o, t->down.name);
	for (size_t j = 0; j < t->cols; j++) {
		out_bytes(o, ",", 1);
		out_bytes(o, text, label_text(text, &t->across, j,
					      words ? look->words : NULL, j));
	}
	out_bytes(o, "\n", 1);
}

static size_t row_label(const struct rows *r, size_t i, char *to)
{
	const struct table *t = r->t;
	const size_t row = i % t->rows;
	char *at = to;

	if (i && row == 0)
		*at++ = '\n';
	if (r->style->header) {
		at += label_text(at, &t->down, row, r->style->look.words,
				 table_shape(t, NULL) == 3 ? row
				 : i - t->begin);
		*at++ = ',';
	}
	return (size_t)(at - to);
}

static size_t row_numbers(const struct rows *r, struct numbers x, size_t n,
			  char *to)
{
	return numbers_text(to, x, n, r->t->dtype, r->style->precision);
}

static void csv_write(const struct style *style, const struct table *t,
		      struct out *o)
{
	const struct rows r = {
		.t = t, .style = style, .after = "\n", .comma = true,
		.before = row_label, .before_room = LABEL_ROOM + 2,
		.numbers = row_numbers, .number_room = NUMBER_ROOM,
	};

	if (style->header)
		write_header(o, t, &style->look);
	rows_send(&r, o);
}

static bool csv_check(const struct style *style, const struct table *t,
		      struct error *err)
{
	return !style->header || look_check_words(&style->look, t, err);
}

const struct format csv_format = {
	.name = "csv",
	.summary = "a line a row, numbers parted by commas",
	.size = rows_text_size,
	.check = csv_check,
	.write = csv_write,
	.read = csv_read,
};
