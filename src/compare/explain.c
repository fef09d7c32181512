/* explain.c: the simple change that turns one table into another. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "compare/compare.h"

/* How B's columns come from A's. */
enum column_order {
	SAME_ORDER, SPLIT, INTERLEAVED, SWAPPED_PAIRS, SWAPPED_HALVES,
	SPLIT_SWAPPED, INTERLEAVED_SWAPPED, REVERSED, COLUMN_ORDERS
};

/* B[i, j] = factor * A[i + rows, change_column(j) + cols], rounded. */
struct change {
	enum column_order order;
	bool reversed;      /* rows of B are those of A in reverse order */
	long rows, cols;
	double factor;
	enum dtype rounded; /* F64: not rounded */
	bool back;          /* A is the rounded one */
};

static const char *const order_text[COLUMN_ORDERS] = {
	[SPLIT] = "its columns split (interleaved to [sin ... | cos ...])",
	[INTERLEAVED] = "its columns interleaved (from [sin ... | cos ...])",
	[SWAPPED_PAIRS] = "neighbouring columns swapped (sin and cos)",
	[SWAPPED_HALVES] = "the halves of its columns swapped (sin and cos)",
	[SPLIT_SWAPPED] = "its columns split and swapped (interleaved to "
			 "[cos ... | sin ...])",
	[INTERLEAVED_SWAPPED] = "its columns interleaved and swapped (from "
			       "[cos ... | sin ...])",
	[REVERSED] = "its columns in reverse order",
};

/* The column of A that becomes column j of B, of cols columns. */
static size_t change_column(enum column_order order, size_t j, size_t cols)
{
	const size_t first = (cols + 1) / 2, h = cols / 2;

	switch (order) {
	case SPLIT:
		return j < first ? 2 * j : 2 * (j - first) + 1;
	case INTERLEAVED:
		return j % 2 ? first + j / 2 : j / 2;
	case SWAPPED_PAIRS:
		return j ^ 1;
	case SWAPPED_HALVES:
		return j < h ? j + h : j - h;
	case SPLIT_SWAPPED:
		return j < h ? 2 * j + 1 : 2 * (j - h);
	case INTERLEAVED_SWAPPED:
		return j % 2 ? j / 2 : h + j / 2;
	case REVERSED:
		return cols - 1 - j;
	case SAME_ORDER:
	case COLUMN_ORDERS:
	default:
		return j;
	}
}

/* Whether the larger table, t [rows], is zero outside the common part. */
static bool zeros_around(const struct table *t, size_t rows,
			 const struct comparison *c, const struct change *x)
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

/* "B is rows 2 to 513 of A, which has zeros elsewhere" */
static size_t part_text(const struct comparison *c, const struct change *x,
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

/* The change as a sentence, to text; its length. */
static size_t change_text(const struct change *x, const struct comparison *c,
			  char *text, size_t size)
{
	if (c->a_rows != c->b_rows || c->a->cols != c->b->cols)
		return part_text(c, x, text, size);
	if (x->order != SAME_ORDER)
		return (size_t)snprintf(text, size, "B is A with %s",
					order_text[x->order]);
	if (x->reversed)
		return (size_t)snprintf(text, size,
					"B is A with its rows in reverse "
					"order");
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

/* The share of the largest difference that an explanation may leave. */
#define RESIDUAL_MAX 1e-3

/* The largest difference that the change leaves between rows a and b. */
static double row_residual(const struct comparison *c, const struct change *x,
			   const double *a, const double *b)
{
	const size_t cols = c->b->cols;
	double largest = 0;

	for (size_t j = 0; j < cols; j++) {
		const long k = (long)change_column(x->order, j, cols) +
			       x->cols;

		if (k < 0 || k >= (long)c->a->cols)
			continue;
		largest = fmax(largest, x->back
			? value_difference(a[k], dtype_round(x->rounded, b[j]))
			: value_difference(dtype_round(x->rounded,
						       x->factor * a[k]),
					   b[j]));
	}
	return largest;
}

/* The same over all rows that both have; infinite if it exceeds limit. */
static double residual_of(const struct comparison *c, const struct change *x,
			  double limit)
{
	const long n = (long)c->a_rows;
	double largest = 0;

	for (long i = 0; largest <= limit && i < (long)c->b_rows; i++) {
		const long from = x->reversed ? n - 1 - i : i + x->rows;

		if (from >= 0 && from < n)
			largest = fmax(largest, row_residual(c, x,
				c->a->row(c->a, (size_t)from, NULL),
				c->b->row(c->b, (size_t)i, NULL)));
	}
	return largest <= limit ? largest : (double)INFINITY;
}

/* The best change so far. */
struct best {
	struct change change;
	double residual;
};

static void try_change(const struct comparison *c, const struct change *x,
		       struct best *best)
{
	const double residual = residual_of(c, x, best->residual);

	if (residual < best->residual) {
		best->residual = residual;
		best->change = *x;
	}
}

/* B . A / A . A, the least-squares scale. */
static double best_scale(const struct comparison *c)
{
	double ab = 0, aa = 0;

	for (size_t i = 0; i < c->a_rows; i++) {
		const double *a = c->a->row(c->a, i, NULL);
		const double *b = c->b->row(c->b, i, NULL);

		for (size_t j = 0; j < c->a->cols; j++)
			if (isfinite(a[j]) && isfinite(b[j])) {
				ab += a[j] * b[j];
				aa += a[j] * a[j];
			}
	}
	return aa > 0 ? ab / aa : 0;
}

static void try_columns(const struct comparison *c, struct best *best)
{
	const size_t cols = c->a->cols;

	for (enum column_order k = SPLIT; cols > 1 && k < COLUMN_ORDERS; k++)
		if (cols % 2 == 0 || k <= INTERLEAVED || k == REVERSED)
			try_change(c, &(struct change){ .factor = 1,
							.order = k }, best);
}

static bool rows_differ(const struct comparison *c, size_t i)
{
	const double *a = c->a->row(c->a, i, NULL);
	const double *b = c->b->row(c->b, i, NULL);
	size_t j = 0;

	while (j < c->a->cols && !(value_difference(a[j], b[j]) > 0))
		j++;
	return j < c->a->cols;
}

/* A shift must keep at least one row that differs. */
static void try_rows(const struct comparison *c, struct best *best)
{
	const size_t n = c->a_rows;
	size_t first = 0, last = n - 1;

	while (first < last && !rows_differ(c, first))
		first++;
	while (last > first && !rows_differ(c, last))
		last--;
	try_change(c, &(struct change){ .factor = 1, .reversed = true }, best);
	for (size_t k = 1; k <= n / 2; k++) {
		if (first < n - k)
			try_change(c, &(struct change){ .factor = 1,
						.rows = (long)k }, best);
		if (last >= k)
			try_change(c, &(struct change){ .factor = 1,
						.rows = -(long)k }, best);
	}
}

/* The least-squares factor, or the same with six digits if it fits as well. */
static void try_scale(const struct comparison *c, struct best *best)
{
	const double factor = best_scale(c);
	const double unit = pow(10, floor(log10(fabs(factor))) - 5);
	struct change x = { .factor = factor };
	struct best rounded = *best;

	if (!(fabs(factor) > 0))
		return;
	try_change(c, &x, best);
	x.factor = rint(factor / unit) * unit;
	try_change(c, &x, &rounded);
	if (rounded.residual <= 4 * best->residual)
		*best = rounded;
}

static void try_values(const struct comparison *c, struct best *best)
{
	for (enum dtype d = F32; d <= BF16; d++)
		for (int back = 0; back < 2; back++)
			try_change(c, &(struct change){ .factor = 1,
					.rounded = d, .back = back }, best);
	try_change(c, &(struct change){ .factor = -1 }, best);
	try_scale(c, best);
}

/* One table is a part of the other, from row k and column l on. */
static void try_parts(const struct comparison *c, struct best *best)
{
	const long rows = (long)c->a_rows - (long)c->b_rows;
	const long cols = (long)c->a->cols - (long)c->b->cols;

	if ((rows < 0 && cols > 0) || (rows > 0 && cols < 0))
		return;
	for (long k = 0; k <= labs(rows); k++)
		for (long l = 0; l <= labs(cols); l++)
			try_change(c, &(struct change){
				.factor = 1, .rows = rows < 0 ? -k : k,
				.cols = cols < 0 ? -l : l }, best);
}

/* An explanation must have a smaller residual than this. */
static double residual_limit(const struct comparison *c)
{
	double largest = 0;

	for (size_t i = 0; i < c->b_rows; i++) {
		const double *b = c->b->row(c->b, i, NULL);

		for (size_t j = 0; j < c->b->cols; j++)
			if (isfinite(b[j]))
				largest = fmax(largest, fabs(b[j]));
	}
	return RESIDUAL_MAX * fmin(largest, c->largest);
}

/* Whether the rows of B are the columns of A. */
static bool transposed(const struct comparison *c)
{
	if (c->a_rows != c->b->cols || c->a->cols != c->b_rows)
		return false;
	for (size_t i = 0; i < c->a_rows; i++) {
		const double *a = c->a->row(c->a, i, NULL);

		for (size_t j = 0; j < c->b_rows; j++)
			if (!values_equal(c, a[j],
					  c->b->row(c->b, j, NULL)[i]))
				return false;
	}
	return true;
}

bool explain(const struct comparison *c, char *text, size_t size)
{
	struct best best = { .residual = residual_limit(c) };
	const double limit = best.residual;
	size_t n;

	if (transposed(c)) {
		snprintf(text, size,
			 "B is A transposed (rows and columns exchanged)");
		return true;
	}
	if (c->a_rows == c->b_rows && c->a->cols == c->b->cols) {
		try_columns(c, &best);
		try_values(c, &best);
		try_rows(c, &best);
	} else {
		try_parts(c, &best);
	}
	if (!(best.residual < limit))
		return false;
	n = change_text(&best.change, c, text, size);
	if (best.residual > 0)
		snprintf(text + n, size - n, ", to within %.2g", best.residual);
	return true;
}
