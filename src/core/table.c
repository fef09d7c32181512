/* table.c: a shape and a function that gives any row of it. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "core/table.h"

struct block {
	struct block *next;
	max_align_t data[];
};

void *table_alloc(struct table *t, size_t n, size_t size, struct error *err)
{
	struct block *b = NULL;
	size_t bytes;

	if (!__builtin_mul_overflow(n, size, &bytes) &&
	    !__builtin_add_overflow(bytes, sizeof *b, &bytes))
		b = calloc(1, bytes);
	if (!b) {
		fail(err, "out of memory");
		return NULL;
	}
	b->next = t->blocks;
	t->blocks = b;
	return b->data;
}

void table_adopt(struct table *t, struct table *from)
{
	struct block **end = &t->blocks;

	while (*end)
		end = &(*end)->next;
	*end = from->blocks;
	from->blocks = NULL;
}

void table_close(struct table *t)
{
	while (t->blocks) {
		struct block *next = t->blocks->next;

		free(t->blocks);
		t->blocks = next;
	}
}

static const double *dense_row(const struct table *t, size_t i, double *scratch)
{
	(void)scratch;
	return (const double *)t->state + i * t->cols;
}

void table_dense(struct table *t, const double *data)
{
	t->row = dense_row;
	t->state = data;
}

/*
 * v[k] = f(k - (rows - 1) - past): row i is v from rows - 1 - i on. Where v is
 * too long to keep it is NULL, and rows are made element by element.
 */
struct toeplitz {
	double (*f)(long distance, const void *self);
	const void *self;
	long past;
	const double *v;  /* [rows - 1 + cols], or NULL */
};

enum { TOEPLITZ_MOST = 1 << 18 };

static const double *toeplitz_row(const struct table *t, size_t i,
				  double *scratch)
{
	const struct toeplitz *s = t->state;

	if (s->v)
		return s->v + (t->rows - 1 - i);
	for (size_t j = 0; j < t->cols; j++)
		scratch[j] = s->f((long)j - (long)i - s->past, s->self);
	return scratch;
}

bool table_toeplitz(struct table *t, double (*f)(long distance, const void *),
		    const void *self, long past, struct error *err)
{
	struct toeplitz *s = table_alloc(t, 1, sizeof *s, err);

	if (!s)
		return false;
	*s = (struct toeplitz){ .f = f, .self = self, .past = past };
	t->row = toeplitz_row;
	t->state = s;
	if (t->rows <= TOEPLITZ_MOST && t->cols <= TOEPLITZ_MOST) {
		const size_t n = t->rows - 1 + t->cols;
		double *v = table_alloc(t, n, sizeof *v, err);

		if (!v)
			return false;
		for (size_t k = 0; k < n; k++)
			v[k] = f((long)k - (long)(t->rows - 1) - past, self);
		s->v = v;
		t->diagonals = v;
	}
	return true;
}

bool table_check(struct table *t, struct error *err)
{
	size_t n;

	if (__builtin_mul_overflow(t->planes, t->rows, &t->end) ||
	    __builtin_mul_overflow(t->end, t->cols, &n) ||
	    __builtin_mul_overflow(n, dtype_size(t->dtype), &n) ||
	    n > INT64_MAX)
		return fail(err, "a table of %zu x %zu x %zu numbers is more "
			    "than any file can hold",
			    t->planes, t->rows, t->cols);
	if (t->lo < t->hi && !(dtype_holds(t->dtype, t->lo) &&
			       dtype_holds(t->dtype, t->hi)))
		return fail(err, "numbers from %.17g to %.17g do not fit in "
			    "%s: ask for another --dtype",
			    t->lo, t->hi, dtype_name(t->dtype));
	t->begin = 0;
	return true;
}

bool table_window(struct table *t, size_t begin, size_t end,
		  struct error *err)
{
	if (begin >= end || end > t->end)
		return fail(err, "--rows must be A:B with A less than B, "
			    "within 0:%zu, not %zu:%zu", t->end, begin, end);
	t->begin = begin;
	t->end = end;
	return true;
}

static double *scratch_alloc(const struct table *t, struct error *err)
{
	double *scratch = calloc(t->cols, sizeof *scratch);

	if (!scratch)
		fail(err, "out of memory");
	return scratch;
}

static bool row_fits(const struct table *t, size_t i, const double *x,
		     struct error *err)
{
	for (size_t j = 0; j < t->cols; j++)
		if (!dtype_holds(t->dtype, x[j]))
			return fail(err, "--dtype %s cannot hold %.9g (row "
				    "%zu, column %zu)", dtype_name(t->dtype),
				    x[j], i, j);
	return true;
}

bool table_convert(struct table *t, enum dtype d, struct error *err)
{
	const bool whole = dtype_integer(t->dtype);
	const bool bounded = t->lo < t->hi;
	double *scratch;
	bool fits = true;

	if (t->dtype == d)
		return true;
	t->dtype = d;
	if (bounded && dtype_holds(d, t->lo) && dtype_holds(d, t->hi) &&
	    (whole || !dtype_integer(d)))
		return true;
	scratch = scratch_alloc(t, err);
	if (!scratch)
		return false;
	for (size_t i = t->begin; fits && i < t->end; i++)
		fits = row_fits(t, i, t->row(t, i, scratch), err);
	free(scratch);
	return fits;
}

size_t table_shape(const struct table *t, size_t shape[3])
{
	const size_t n = t->end - t->begin;
	const bool whole = t->begin % t->rows == 0 && n % t->rows == 0;

	const size_t rank = t->planes == 1 || !whole ? 2 : 3;

	if (shape && rank == 2) {
		shape[0] = n;
		shape[1] = t->cols;
	} else if (shape) {
		shape[0] = n / t->rows;
		shape[1] = t->rows;
		shape[2] = t->cols;
	}
	return rank;
}

bool table_range(const struct table *t, double *lo, double *hi,
		 struct error *err)
{
	double *scratch;

	*lo = t->lo;
	*hi = t->hi;
	if (t->lo < t->hi)
		return true;
	scratch = scratch_alloc(t, err);
	if (!scratch)
		return false;
	*lo = HUGE_VAL;
	*hi = -HUGE_VAL;
	for (size_t i = t->begin; i < t->end; i++) {
		const double *x = t->row(t, i, scratch);

		for (size_t j = 0; j < t->cols; j++)
			if (isfinite(x[j])) {
				*lo = fmin(*lo, x[j]);
				*hi = fmax(*hi, x[j]);
			}
	}
	free(scratch);
	return true;
}

double axis_label(const struct axis *a, size_t i)
{
	return a->at ? a->at[i] : fma((double)i, a->step, a->first);
}
