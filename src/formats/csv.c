/* csv.c: a line a row, numbers parted by commas. */
#include "formats/csv.h"
#include "formats/number.h"
#include "formats/rows.h"

static size_t label_text(char *to, const struct axis *a, size_t i)
{
	return number_text(to, axis_label(a, i), F64, 0);
}

/* The name of the rows, then the labels of the columns. */
static void write_header(struct out *o, const struct table *t)
{
	char text[NUMBER_ROOM];

	out_text(o, t->down.name);
	for (size_t j = 0; j < t->cols; j++) {
		out_bytes(o, ",", 1);
		out_bytes(o, text, label_text(text, &t->across, j));
	}
	out_bytes(o, "\n", 1);
}

static size_t row_label(const struct rows *r, size_t i, char *to)
{
	const struct table *t = r->t;
	char *at = to;

	if (i && i % t->rows == 0)
		*at++ = '\n';
	if (r->style->header) {
		at += label_text(at, &t->down, i % t->rows);
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
		.before = row_label, .before_room = NUMBER_ROOM + 2,
		.numbers = row_numbers, .number_room = NUMBER_ROOM,
	};

	if (style->header)
		write_header(o, t);
	rows_send(&r, o);
}

const struct format csv_format = {
	.name = "csv",
	.summary = "a line a row, numbers parted by commas",
	.size = rows_text_size,
	.write = csv_write,
	.read = csv_read,
};
