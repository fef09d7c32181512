/* values.c: the values of two tensors, read and compared in bands of rows. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "conversions/conversions.h"

enum {
	BAND = 1 << 22,    /* values of a tensor at a time */
	BLOCK = 32,        /* values of Q8_0 with a scale of their own */
};

/*
 * What Q8_0 may change of the largest value of a block: half a step of 127, and
 * the rounding of the scale to float16.
 */
#define BLOCK_STEP (0.5 / 127 + 0x1p-11)

static bool is_q8(const struct tensor *t)
{
	return strcmp(t->dtype, "Q8_0") == 0;
}

/* Whether the bytes of rows follow one another in the file. */
static bool has_bands(const struct tensor *t)
{
	return t->rank > 1 && !t->where && (t->element.kind || is_q8(t));
}

bool values_read(struct side *s, const struct tensor *one, size_t first,
		 size_t n, struct table *t, struct error *err)
{
	struct tensor band = *one;
	size_t bytes;

	t->compact = true;
	if (n == SIZE_MAX)
		return checkpoint_read(&s->model, one, t, err);
	bytes = (one->end - one->begin) / one->shape[0];
	band.shape[0] = n;
	band.begin += first * bytes;
	band.end = band.begin + n * bytes;
	return checkpoint_read(&s->model, &band, t, err);
}

/* The shape without dimensions of 1 in front; its rank. */
static size_t shape_of_tensor(const struct tensor *t, const size_t **shape)
{
	size_t skip = 0;

	while (skip + 1 < t->rank && t->shape[skip] == 1)
		skip++;
	*shape = t->shape + skip;
	return t->rank - skip;
}

/* Whether shapes may be the same; some are only known when they are read. */
static bool may_be_shaped(const struct pair *p)
{
	const size_t *a, *b;
	const size_t n = shape_of_tensor(p->of[0], &a);

	return !p->of[0]->dtype[0] || !p->of[1]->dtype[0] ||
	       (n == shape_of_tensor(p->of[1], &b) &&
		memcmp(a, b, n * sizeof *a) == 0);
}

bool values_shaped(const struct table *a, const struct table *b)
{
	return a->planes == b->planes && a->rows == b->rows &&
	       a->cols == b->cols;
}

/* Whether one of the values is the other, rounded to its dtype. */
static bool is_rounded(enum dtype a, enum dtype b, double x, double y)
{
	return (dtype_holds(b, x) && !(fabs(dtype_round(b, x) - y) > 0)) ||
	       (dtype_holds(a, y) && !(fabs(dtype_round(a, y) - x) > 0));
}

/* What Q8_0 may have changed of n values of a block. */
static double block_step(const double *x, const double *y, size_t n)
{
	double most = 0;

	for (size_t i = 0; i < n; i++)
		most = fmax(most, fmax(fabs(x[i]), fabs(y[i])));
	return most * BLOCK_STEP;
}

void values_row(const struct pair *p, const struct table *a,
		const struct table *b, const double *x, const double *y,
		size_t n, struct agreement *g)
{
	const bool q8 = is_q8(p->of[0]) || is_q8(p->of[1]);
	double step = 0;

	if (memcmp(x, y, n * sizeof *x) == 0)
		return;
	for (size_t i = 0; i < n; i++) {
		const double d = fabs(x[i] - y[i]);

		if (q8 && i % BLOCK == 0)
			step = block_step(x + i, y + i,
					  n - i < BLOCK ? n - i : BLOCK);
		if (d <= 0 || (isnan(x[i]) && isnan(y[i])))
			continue;
		if (d <= step || is_rounded(a->dtype, b->dtype, x[i], y[i])) {
			g->rounded = true;
			continue;
		}
		g->differing++;
	}
}

/* Whether both tables have the same float32 values, bit for bit. */
static bool same_floats(const struct table *a, const struct table *b)
{
	const float *x = table_floats(a), *y = table_floats(b);

	return x && y && memcmp(x, y, a->planes * a->rows * a->cols *
				      sizeof *x) == 0;
}

/* Compare rows of both tables. */
static bool compare_tables(const struct pair *p, const struct table *a,
			   const struct table *b, struct agreement *g,
			   struct error *err)
{
	struct table owner = { 0 };
	double *x;

	g->shaped = values_shaped(a, b);
	if (!g->shaped || same_floats(a, b))
		return true;
	x = table_alloc(&owner, 2 * a->cols, sizeof *x, err);
	for (size_t i = 0; x && i < a->planes * a->rows; i++)
		values_row(p, a, b, a->row(a, i, x),
			   b->row(b, i, x + a->cols), a->cols, g);
	table_close(&owner);
	return x;
}

static bool compare_band(struct conversion *c, const struct pair *p,
			 size_t first, size_t n, struct agreement *g,
			 struct error *err)
{
	struct table a = { 0 }, b = { 0 };
	const bool good =
		values_read(&c->sides[0], p->of[0], first, n, &a, err) &&
		values_read(&c->sides[1], p->of[1], first, n, &b, err) &&
		compare_tables(p, &a, &b, g, err);

	table_close(&a);
	table_close(&b);
	return good;
}

/* How many rows of a tensor to read at a time, or all. */
static size_t rows_at_a_time(const struct pair *p)
{
	const struct tensor *a = p->of[0], *b = p->of[1];
	size_t row = 1;

	if (!has_bands(a) || !has_bands(b) || a->shape[0] != b->shape[0])
		return SIZE_MAX;
	for (size_t i = 1; i < a->rank; i++)
		row *= a->shape[i];
	return row < BAND ? BAND / row : 1;
}

bool values_compare(struct conversion *c, const struct pair *p,
		    struct agreement *g, struct error *err)
{
	const size_t step = rows_at_a_time(p);
	const size_t rows = p->of[0]->shape[0];

	*g = (struct agreement){ 0 };
	if (!may_be_shaped(p))
		return true;
	if (step == SIZE_MAX)
		return compare_band(c, p, 0, SIZE_MAX, g, err);
	for (size_t i = 0; i < rows; i += step)
		if (!compare_band(c, p, i, rows - i < step ? rows - i : step, g,
				  err))
			return false;
	return true;
}
