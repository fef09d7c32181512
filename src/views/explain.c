/* explain.c: what may have been done to a table to make another of it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "views/explain.h"

/* An explanation leaves less than this of the difference. */
#define REMAINDER 1e-3

/* Which column of A becomes column j of B; half of them are h. */
enum columns {
	AS_THEY_ARE, SPLIT, INTERLEAVED, NEIGHBOURS, HALVES, SPLIT_TURNED,
	INTERLEAVED_TURNED, REVERSED, COLUMNS
};

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

static size_t source(enum columns order, size_t j, size_t cols)
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
	default:
		return j;
	}
}

/* B[i, j] is factor times A[first + i or last - i, source(j) + skipped]. */
struct change {
	enum columns order;
	bool reversed;
	long rows, cols;    /* of A before those of B, or less than 0 */
	double factor;
	enum dtype rounded; /* to this, then; of B instead where back */
	bool back;
};

/*
 * The largest difference that the change leaves where both have numbers, or
 * infinity once it is past limit.
 */
static double remainder_of(const struct couple *c, const struct change *x,
			   double limit)
{
	const long a_rows = (long)c->a_rows, a_cols = (long)c->a->cols;
	double most = 0;

	for (long i = 0; i < (long)c->b_rows; i++) {
		const long from = x->reversed ? a_rows - 1 - i : i + x->rows;
		const double *a, *b = c->b->row(c->b, (size_t)i, NULL);

		if (from < 0 || from >= a_rows)
			continue;
		a = c->a->row(c->a, (size_t)from, NULL);
		for (long j = 0; j < (long)c->b->cols; j++) {
			const long k = (long)source(x->order, (size_t)j,
						    c->b->cols) + x->cols;

			if (k < 0 || k >= a_cols)
				continue;
			most = fmax(most, x->back
				    ? couple_apart(a[k], dtype_round(
						   x->rounded, b[j]))
				    : couple_apart(dtype_round(x->rounded,
						   x->factor * a[k]), b[j]));
		}
		if (most > limit)
			return (double)INFINITY;
	}
	return most;
}

/* The best change so far, and what it leaves. */
struct best {
	struct change change;
	double left;
};

static void try_change(const struct couple *c, const struct change *x,
		       struct best *best)
{
	const double left = remainder_of(c, x, best->left);

	if (left < best->left) {
		best->left = left;
		best->change = *x;
	}
}

/* B . A / A . A, the scale that fits best. */
static double scale(const struct couple *c)
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

static void try_columns(const struct couple *c, struct best *best)
{
	const size_t cols = c->a->cols;

	for (enum columns k = SPLIT; cols > 1 && k < COLUMNS; k++)
		if (cols % 2 == 0 || k <= INTERLEAVED || k == REVERSED)
			try_change(c, &(struct change){ .factor = 1,
							.order = k }, best);
}

static void try_rows(const struct couple *c, struct best *best)
{
	try_change(c, &(struct change){ .factor = 1, .reversed = true }, best);
	for (long k = 1; k <= (long)c->a_rows / 2; k++)
		for (long sign = -1; sign <= 1; sign += 2)
			try_change(c, &(struct change){ .factor = 1,
						.rows = sign * k }, best);
}

/* The factor that fits best; or of six digits, as a person types it. */
static void try_scale(const struct couple *c, struct best *best)
{
	const double factor = scale(c);
	const double unit = pow(10, floor(log10(fabs(factor))) - 5);
	struct change x = { .factor = factor };
	struct best typed = *best;

	if (!(fabs(factor) > 0))
		return;
	try_change(c, &x, best);
	x.factor = rint(factor / unit) * unit;
	try_change(c, &x, &typed);
	if (typed.left <= 4 * best->left)
		*best = typed;
}

static void try_numbers(const struct couple *c, struct best *best)
{
	for (enum dtype d = F16; d <= BF16; d++)
		for (int back = 0; back < 2; back++)
			try_change(c, &(struct change){ .factor = 1,
					.rounded = d, .back = back }, best);
	try_change(c, &(struct change){ .factor = -1 }, best);
	try_scale(c, best);
}

/* One a part of the other, which begins k rows and l columns in. */
static void try_parts(const struct couple *c, struct best *best)
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

static size_t tell_change(const struct couple *c, const struct change *x,
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

/* What a change must better to explain anything. */
static double worth_telling(const struct couple *c)
{
	double most = 0;

	for (size_t i = 0; i < c->b_rows; i++) {
		const double *b = c->b->row(c->b, i, NULL);

		for (size_t j = 0; j < c->b->cols; j++)
			if (isfinite(b[j]))
				most = fmax(most, fabs(b[j]));
	}
	return REMAINDER * fmin(most, c->largest);
}

bool explain(const struct couple *c, char *text, size_t size)
{
	struct best best = { .left = worth_telling(c) };
	const double enough = best.left;
	size_t n;

	if (c->a_rows == c->b_rows && c->a->cols == c->b->cols) {
		try_columns(c, &best);
		try_numbers(c, &best);
		try_rows(c, &best);
	} else {
		try_parts(c, &best);
	}
	if (!(best.left < enough))
		return false;
	n = tell_change(c, &best.change, text, size);
	if (best.left > 0)
		snprintf(text + n, size - n, ", to within %.2g", best.left);
	return true;
}
