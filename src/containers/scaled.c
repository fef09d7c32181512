/*
 * scaled.c: values of FP8 whose scale is a tensor beside them, by which they
 * are multiplied: W_scale_inv of DeepSeek-V3 (README_WEIGHTS.md: for each block
 * of 128 x 128), W_scale of compressed-tensors and FBGEMM (for the whole
 * tensor, for each row, or for groups of 16 to 128 columns of each).
 */
#include <string.h>

#include "containers/scaled.h"

enum { BLOCK_SIDE = 128 };

/* Scales, each of a part of the rows and columns. */
struct scales {
	struct table table;
	size_t rows, cols;     /* of one scale */
};

/* The scale beside a tensor, or NULL. */
static const struct tensor *find_scale(const struct tensors *all,
				       const struct tensor *one)
{
	static const char *const ends[] = { "_scale_inv", "_scale" };

	for (size_t k = 0; k < sizeof ends / sizeof *ends; k++)
		for (size_t i = 0; i < all->n; i++) {
			const struct tensor *t = &all->at[i];
			const size_t n = one->length;

			if (t->length == n + strlen(ends[k]) &&
			    memcmp(t->name, one->name, n) == 0 &&
			    memcmp(t->name + n, ends[k], t->length - n) == 0)
				return t;
		}
	return NULL;
}

/* Whether n columns are so many groups of a usual size. */
static bool is_group(size_t n, size_t groups)
{
	return groups && (n == 16 * groups || n == 32 * groups ||
			  n == 64 * groups || n == 128 * groups);
}

/* Whether it is a number to multiply by, not an exponent as an integer. */
static bool is_number(struct element e)
{
	return e.kind == 'f' || e.kind == 'B' || element_mantissa(e) >= 0;
}

/* Whether the shape of a scale says which values of a matrix it is for. */
static bool fits(const struct tensor *scale, const struct tensor *one,
		 struct scales *s)
{
	const size_t rows = one->shape[0], cols = one->shape[1];
	const size_t down = scale->rank ? scale->shape[0] : 1;
	const size_t across = scale->rank == 2 ? scale->shape[1] : 1;

	if (one->rank != 2 || !rows || !cols || scale->rank > 2)
		return false;
	*s = (struct scales){ .rows = rows, .cols = cols };
	if (down == 1 && across == 1)
		return true;
	if (down == rows && (across == 1 || is_group(cols, across))) {
		s->rows = 1;
		s->cols = cols / across;
		return true;
	}
	s->rows = s->cols = BLOCK_SIDE;
	return scale->rank == 2 && down == (rows - 1) / BLOCK_SIDE + 1 &&
	       across == (cols - 1) / BLOCK_SIDE + 1;
}

/* The scale as a table; one of no dimension is read as one of one. */
static bool read_scale(struct input_file *in, const struct tensor *scale,
		       struct scales *s, struct error *err)
{
	struct tensor one = *scale;

	if (!one.rank)
		one.shape[one.rank++] = 1;
	return tensor_read(in, &one, &s->table, err);
}

/* Multiply row i, as float32. */
static void multiply(const struct scales *s, size_t i, size_t cols, double *x)
{
	const double *scale = s->table.row(&s->table, 0, NULL);
	const size_t across = (cols - 1) / s->cols + 1;

	scale += i / s->rows * across;
	for (size_t j = 0; j < cols; j++)
		x[j] = (double)(float)(x[j] * scale[j / s->cols]);
}

/* Read the rows of t, which come next in the file. */
static bool read_rows(struct input_file *in, struct element e,
		      struct scales *s, struct table *t, struct error *err)
{
	const size_t n = t->rows * t->cols;
	struct values g = { .in = in, .t = t, .compact = t->compact };
	double *x = table_alloc(&s->table, t->cols, sizeof *x, err);

	if (!x || !values_reserve(&g, n, err))
		return false;
	for (size_t i = 0; i < t->rows; i++, g.n += t->cols) {
		double *row = g.compact ? x : g.at + g.n;

		if (!in_read(in, t->cols, err))
			return false;
		if (in->n < t->cols)
			return fail_file(err, in->path, "ends at byte %zu, "
					 "within its values", in->at + in->n);
		element_load(e, in->bytes, t->cols, row);
		in_drop(in, t->cols);
		multiply(s, i, t->cols, row);
		if (g.compact)
			dtype_store(F32, x, t->cols, g.floats + g.n);
	}
	if (g.compact)
		table_dense_floats(t, g.floats);
	else
		table_dense(t, g.at);
	return true;
}

bool scaled_read(struct input_file *in, const struct tensors *all,
		 const struct tensor *one, struct table *t, struct error *err)
{
	const struct element single = { 'f', 4, false };
	const struct tensor *scale = element_mantissa(one->element) > 0
				     ? find_scale(all, one) : NULL;
	struct scales s;
	bool good;

	if (!scale)
		return tensor_read(in, one, t, err);
	/* Of a pipe, what has been read is gone */
	if (!is_number(scale->element) || !fits(scale, one, &s) ||
	    (!in->seeks && !in->whole))
		return tensor_read(in, one, t, err) &&
		       table_note(t, err, "values of %.*s are unscaled %s: "
				  "%.*s %s is not applied", tensor_width(one),
				  one->name, one->dtype, tensor_width(scale),
				  scale->name, scale->dtype);
	good = read_scale(in, scale, &s, err) &&
	       binary_shape(in, single, one->shape, one->rank, t, err) &&
	       in_skip(in, one->begin, err) &&
	       read_rows(in, one->element, &s, t, err) &&
	       in_unchanged(in, err) &&
	       table_note(t, err, "values of %.*s are its %s times %.*s",
			  tensor_width(one), one->name, one->dtype,
			  tensor_width(scale), scale->name);
	table_close(&s.table);
	return good;
}
