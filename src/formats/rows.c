/* rows.c: rows of a table as numbers of its dtype. */
#include "formats/rows.h"

static void row_binary(const struct table *t, const double *x, struct out *o)
{
	const size_t size = dtype_size(t->dtype), most = OUT_ROOM / size;
	size_t n;

	for (size_t j = 0; j < t->cols; j += n) {
		n = t->cols - j < most ? t->cols - j : most;
		dtype_store(t->dtype, x + j, n, out_room(o, n * size));
		out_take(o, n * size);
	}
}

void rows_binary(const struct table *t, double *scratch, struct out *o)
{
	for (size_t i = t->begin; i < t->end && !o->err.text[0]; i++)
		row_binary(t, t->row(t, i, scratch), o);
}
