/* change.c: one thing that may have been done to a table, and its words. */
#include <stdio.h>
#include <stdlib.h>

#include "views/change.h"

static const char *const columns_words[COLUMNS] = {
	[SPLIT] = "its columns split (interleaved to [sin ... | cos ...])",
	[INTERLEAVED] = "its columns interleaved (from [sin ... | cos ...])",
	[NEIGHBOURS] = "neighbouring columns swapped (sin and cos)",
	[HALVES] = "the halves of its columns swapped (sin and cos)",
	[SPLIT_TURNED] = "its columns split and swapped (interleaved to "
			 "[cos ... | sin ...])",
	[INTERLEAVED_TURNED] = "its columns interleaved and swapped (from "
			       "[cos ... | sin ...])",
	[REVERSED] = "its columns in reverse",
};

size_t change_column(enum columns order, size_t j, size_t cols)
{
	const size_t first = (cols + 1) / 2, h = cols / 2;

	switch (order) {
	case SPLIT:
		return j < first ? 2 * j : 2 * (j - first) + 1;
	case INTERLEAVED:
		return j % 2 ? first + j / 2 : j / 2;
	case NEIGHBOURS:
		return j ^ 1;
	case HALVES:
		return j < h ? j + h : j - h;
	case SPLIT_TURNED:
		return j < h ? 2 * j + 1 : 2 * (j - h);
	case INTERLEAVED_TURNED:
		return j % 2 ? j / 2 : h + j / 2;
	case REVERSED:
		return cols - 1 - j;
	case AS_THEY_ARE:
	case COLUMNS:
	default:
		return j;
	}
}

/* Whether the larger one, t [rows], is zeros but for the other's part. */
static bool zeros_around(const struct table *t, size_t rows,
			 const struct couple *c, const struct change *x)
{
	const long first = labs(x->rows), left = labs(x->cols);
	const size_t n = c->a_rows < c->b_rows ? c->a_rows : c->b_rows;
	const size_t m = c->a->cols < c->b->cols ? c->a->cols : c->b->cols;

	for (long i = 0; i < (long)rows; i++) {
		const double *y = t->row(t, (size_t)i, NULL);

		for (long j = 0; j < (long)t->cols; j++)
			if ((i < first || i >= first + (long)n || j < left ||
			     j >= left + (long)m) && (y[j] < 0 || y[j] > 0))
				return false;
	}
	return true;
}

/* "B is rows 2 to 513 of A, which has zeros around them". */
static size_t tell_part(const struct couple *c, const struct change *x,
			char *text, size_t size)
{
	const bool a_larger = c->a_rows > c->b_rows ||
			      c->a->cols > c->b->cols;
	const struct table *part = a_larger ? c->b : c->a;
	const size_t rows = a_larger ? c->b_rows : c->a_rows;
	const bool zeros = zeros_around(a_larger ? c->a : c->b, a_larger
					? c->a_rows : c->b_rows, c, x);
	const long first = labs(x->rows), left = labs(x->cols);
	size_t n;

	n = (size_t)snprintf(text, size, "%s is", a_larger ? "B" : "A");
	if (c->a_rows != c->b_rows)
		n += (size_t)snprintf(text + n, size - n, " rows %ld to %zu",
				      first, (size_t)first + rows - 1);
	if (c->a->cols != c->b->cols)
		n += (size_t)snprintf(text + n, size - n,
				      "%s columns %ld to %zu",
				      c->a_rows != c->b_rows ? "," : "", left,
				      (size_t)left + part->cols - 1);
	return n + (size_t)snprintf(text + n, size - n, " of %s%s",
				    a_larger ? "A" : "B", zeros
				    ? ", which has zeros elsewhere" : "");
}

size_t change_tell(const struct change *x, const struct couple *c,
		   char *text, size_t size)
{
	if (c->a_rows != c->b_rows || c->a->cols != c->b->cols)
		return tell_part(c, x, text, size);
	if (x->order != AS_THEY_ARE)
		return (size_t)snprintf(text, size, "B is A with %s",
					columns_words[x->order]);
	if (x->reversed)
		return (size_t)snprintf(text, size,
					"B is A with its rows in reverse");
	if (x->rows)
		return (size_t)snprintf(text, size, "row i of B is row i %c "
					"%ld of A", x->rows < 0 ? '-' : '+',
					labs(x->rows));
	if (x->rounded != F64)
		return (size_t)snprintf(text, size, "%s rounded to %s",
					x->back ? "A is B" : "B is A",
					dtype_name(x->rounded));
	if (x->factor <= -1 && x->factor >= -1)
		return (size_t)snprintf(text, size,
					"B is A with every sign changed");
	return (size_t)snprintf(text, size, "B is A times %.9g", x->factor);
}
