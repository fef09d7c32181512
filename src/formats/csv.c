/* csv.c: a line a row, numbers parted by commas. */
#include "formats/format.h"
#include "formats/number.h"

static void write_number(struct out *o, double x, enum dtype d,
			 size_t precision)
{
	char *text = (char *)out_room(o, NUMBER_ROOM);

	out_take(o, number_text(text, x, d, precision));
}

static void write_label(struct out *o, const struct axis *a, size_t i)
{
	write_number(o, axis_label(a, i), F64, 0);
}

/* The name of the rows, then the labels of the columns. */
static void write_header(struct out *o, const struct table *t)
{
	out_text(o, t->down.name);
	for (size_t j = 0; j < t->cols; j++) {
		out_bytes(o, ",", 1);
		write_label(o, &t->across, j);
	}
	out_bytes(o, "\n", 1);
}

static void csv_write(const struct style *style, const struct table *t,
		      double *scratch, struct out *o)
{
	for (size_t i = t->begin; i < t->end && !o->err.text[0]; i++) {
		const double *x = t->row(t, i, scratch);

		if (i && i % t->rows == 0)
			out_bytes(o, "\n", 1);
		if (style->header) {
			if (i == t->begin || i % t->rows == 0)
				write_header(o, t);
			write_label(o, &t->down, i % t->rows);
		}
		for (size_t j = 0; j < t->cols; j++) {
			if (j || style->header)
				out_bytes(o, ",", 1);
			write_number(o, dtype_round(t->dtype, x[j]), t->dtype,
				     style->precision);
		}
		out_bytes(o, "\n", 1);
	}
}

const struct format csv_format = {
	.name = "csv",
	.summary = "a line a row, numbers parted by commas",
	.write = csv_write,
};
