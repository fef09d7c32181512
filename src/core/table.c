/* table.c: a shape and a function that gives any row of it. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/each.h"

void table_fold(struct table *t, const size_t *shape, size_t rank)
{
	t->planes = 1;
	for (size_t i = 0; i + 2 < rank; i++)
		t->planes *= shape[i];
	t->rows = rank >= 2 ? shape[rank - 2] : 1;
	t->cols = shape[rank - 1];
	if (rank > 2)
		t->over = (struct axis){ .name = "plane", .step = 1 };
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

double *table_numbers(struct table *t)
{
	return (double *)(uintptr_t)t->state;
}

/* v[k] = f(k - (rows - 1) - past): row i is v from rows - 1 - i on. */
struct toeplitz {
	double (*f)(long distance, const void *self);
	const void *self;
	long past;
};

static void toeplitz_diagonals(const struct table *t, size_t plane,
			       size_t first, size_t n, double *v)
{
	const struct toeplitz *s = t->state;
	const long d = (long)first - (long)(t->rows - 1) - s->past;

	(void)plane;
	for (size_t k = 0; k < n; k++)
		v[k] = s->f(d + (long)k, s->self);
}

static const double *toeplitz_row(const struct table *t, size_t i,
				  double *scratch)
{
	toeplitz_diagonals(t, 0, t->rows - 1 - i, t->cols, scratch);
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
	t->diagonals = toeplitz_diagonals;
	return true;
}

enum {
	COLS_MOST = 1 << 27,   /* a gigabyte of doubles */
	BLOCK_MOST = 1 << 25,  /* bytes of rows that need not be one */
};

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
	if (t->cols > COLS_MOST)
		return fail(err, "a row of %zu numbers is more than the %d "
			    "that are made at once", t->cols, COLS_MOST);
	t->begin = 0;
	return true;
}

size_t table_block(const struct table *t, size_t bytes, size_t row_bytes)
{
	const size_t most = BLOCK_MOST / row_bytes;
	size_t n = bytes / row_bytes;

	if (t->together)
		n = n < t->together ? t->together : n - n % t->together;
	n = n < most ? n : most;
	return n ? n : 1;
}

/* Whether the dtype holds row i; else a sentence says what it does not. */
struct fit {
	const struct table *t;
	struct error *err;
	bool fits;
};

static bool row_fits(void *self, size_t i, const double *x)
{
	struct fit *f = self;
	const struct table *t = f->t;

	for (size_t j = 0; f->fits && j < t->cols; j++)
		if (!dtype_holds(t->dtype, x[j]))
			f->fits = fail(f->err, "%s cannot hold %.17g (row "
				       "%zu, column %zu): choose another "
				       "--dtype", dtype_name(t->dtype), x[j],
				       i, j);
	return f->fits;
}

/* Whether the bounds alone say that the dtype holds every element. */
static bool surely_fits(const struct table *t, enum dtype made)
{
	const enum dtype d = t->dtype;

	if (t->bounds == BOUNDS_NONE)
		return d == made;
	return (dtype_integer(made) || !dtype_integer(d)) &&
	       dtype_holds(d, t->lo) && dtype_holds(d, t->hi);
}

bool table_fits(const struct table *t, enum dtype made, struct error *err)
{
	struct fit fit = { t, err, true };

	return surely_fits(t, made) ||
	       (table_each(t, row_fits, &fit, err) && fit.fits);
}

size_t table_shape(const struct table *t, size_t shape[3])
{
	const size_t n = t->end - t->begin;
	const bool whole = t->begin % t->rows == 0 && n % t->rows == 0;
	const size_t rank = t->over.name && whole ? 3 : 2;

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

const char *shape_text(const size_t *shape, size_t rank,
		       char text[SHAPE_TEXT])
{
	size_t n = 0;

	for (size_t i = 0; i < rank; i++)
		n += (size_t)snprintf(text + n, SHAPE_TEXT - n, "%s%zu",
				      i ? ", " : "[", shape[i]);
	snprintf(text + n, SHAPE_TEXT - n, "]");
	return text;
}

const char *shape_of(const struct table *t, char text[SHAPE_TEXT])
{
	const size_t shape[] = { t->planes, t->rows, t->cols };
	const bool flat = t->planes == 1;

	return shape_text(shape + flat, flat ? 2 : 3, text);
}

struct range_seen {
	size_t cols;
	double lo, hi;
};

static bool see_range(void *self, size_t i, const double *x)
{
	struct range_seen *r = self;

	(void)i;
	for (size_t j = 0; j < r->cols; j++)
		if (isfinite(x[j])) {
			r->lo = fmin(r->lo, x[j]);
			r->hi = fmax(r->hi, x[j]);
		}
	return true;
}

bool table_range(const struct table *t, double *lo, double *hi,
		 struct error *err)
{
	struct range_seen r = { t->cols, HUGE_VAL, -HUGE_VAL };

	*lo = t->lo;
	*hi = t->hi;
	if (t->bounds == BOUNDS_TIGHT)
		return true;
	if (!table_each(t, see_range, &r, err))
		return false;
	*lo = r.lo;
	*hi = r.hi;
	return true;
}

double axis_label(const struct axis *a, size_t i)
{
	return a->at ? a->at[i] : fma((double)i, a->step, a->first);
}
