/* explain.c: what may have been done to a table to make another of it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "views/change.h"
#include "views/explain.h"

/* An explanation leaves less than this of the difference. */
#define REMAINDER 1e-3

/* The largest difference that the change leaves of row b from row a. */
static double row_remainder(const struct couple *c, const struct change *x,
			    const double *a, const double *b)
{
	const size_t cols = c->b->cols;
	double most = 0;

	for (size_t j = 0; j < cols; j++) {
		const long k = (long)change_column(x->order, j, cols) +
			       x->cols;

		if (k < 0 || k >= (long)c->a->cols)
			continue;
		most = fmax(most, x->back
			    ? couple_apart(a[k], dtype_round(x->rounded, b[j]))
			    : couple_apart(dtype_round(x->rounded,
						x->factor * a[k]), b[j]));
	}
	return most;
}

/* Of all rows that both have; infinite once it is past limit. */
static double remainder_of(const struct couple *c, const struct change *x,
			   double limit)
{
	const long n = (long)c->a_rows;
	double most = 0;

	for (long i = 0; most <= limit && i < (long)c->b_rows; i++) {
		const long from = x->reversed ? n - 1 - i : i + x->rows;

		if (from >= 0 && from < n)
			most = fmax(most, row_remainder(c, x,
				c->a->row(c->a, (size_t)from, NULL),
				c->b->row(c->b, (size_t)i, NULL)));
	}
	return most <= limit ? most : (double)INFINITY;
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

static bool rows_differ(const struct couple *c, size_t i)
{
	const double *a = c->a->row(c->a, i, NULL);
	const double *b = c->b->row(c->b, i, NULL);
	size_t j = 0;

	while (j < c->a->cols && !(couple_apart(a[j], b[j]) > 0))
		j++;
	return j < c->a->cols;
}

/* Shifts explain nothing where what differs falls off the end. */
static void try_rows(const struct couple *c, struct best *best)
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
	for (enum dtype d = F32; d <= BF16; d++)
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

/* Whether the rows of B are the columns of A. */
static bool transposed(const struct couple *c)
{
	if (c->a_rows != c->b->cols || c->a->cols != c->b_rows)
		return false;
	for (size_t i = 0; i < c->a_rows; i++) {
		const double *a = c->a->row(c->a, i, NULL);

		for (size_t j = 0; j < c->b_rows; j++)
			if (!couple_agree(c, a[j],
					  c->b->row(c->b, j, NULL)[i]))
				return false;
	}
	return true;
}

bool explain(const struct couple *c, char *text, size_t size)
{
	struct best best = { .left = worth_telling(c) };
	const double enough = best.left;
	size_t n;

	if (transposed(c)) {
		snprintf(text, size, "B is A transposed, columns for rows");
		return true;
	}
	if (c->a_rows == c->b_rows && c->a->cols == c->b->cols) {
		try_columns(c, &best);
		try_numbers(c, &best);
		try_rows(c, &best);
	} else {
		try_parts(c, &best);
	}
	if (!(best.left < enough))
		return false;
	n = change_tell(&best.change, c, text, size);
	if (best.left > 0)
		snprintf(text + n, size - n, ", to within %.2g", best.left);
	return true;
}
