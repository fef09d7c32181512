/* table.c: shapes, sources of rows, and axes. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "table/blocks.h"
#include "table/table.h"

struct axis axis_from(enum axis_kind kind, double first, double step)
{
	static const char *const names[AXIS_KINDS] = {
		[AXIS_PLANE] = "plane", [AXIS_ROW] = "row",
		[AXIS_COLUMN] = "column", [AXIS_POSITION] = "position",
		[AXIS_CELL] = "cell", [AXIS_ID] = "id",
		[AXIS_SEQUENCE] = "sequence", [AXIS_QUERY] = "query",
		[AXIS_KEY] = "key", [AXIS_HEAD] = "head",
		[AXIS_DISTANCE] = "distance", [AXIS_BUCKET] = "bucket",
		[AXIS_DIMENSION] = "dimension", [AXIS_PAIR] = "pair",
		[AXIS_FREQUENCY] = "frequency",
	};

	return (struct axis){ .kind = kind, .name = names[kind],
			      .first = first, .step = step };
}

struct axis axis_of(enum axis_kind kind)
{
	return axis_from(kind, 0, 1);
}

bool axis_alike(const struct axis *a, const struct axis *b)
{
	return (a->kind && a->kind == b->kind) || strcmp(a->name, b->name) == 0;
}

struct axis axis_behind(const struct axis *a, size_t n)
{
	struct axis axis = *a;

	axis.first = axis_label(a, n);
	if (n && a->at)
		axis.at += n;
	if (n && a->names)
		axis.names += n;
	return axis;
}

double axis_label(const struct axis *a, size_t i)
{
	return a->at ? a->at[i] : fma((double)i, a->step, a->first);
}

const char *axis_wave(const struct axis *a, size_t j)
{
	const bool split = a->pairs == PAIRS_SPLIT;

	if (!a->waves || j >= 2 * a->waves_n)
		return NULL;
	return a->waves[split ? j / a->apart : j % 2];
}

bool axis_token(const struct axis *a, size_t i, char text[TOKEN_TEXT])
{
	const double x = axis_label(a, i);
	const bool before = a->before && x < 0;
	const bool after = a->after && x >= (double)a->cells;

	if (before || after)
		snprintf(text, TOKEN_TEXT, "%.8s %.0f",
			 before ? a->before : a->after,
			 x + (double)a->before_n * before -
			 (double)a->cells * after);
	return before || after;
}

void table_fold(struct table *t, const size_t *shape, size_t rank)
{
	t->planes = 1;
	t->outer_rank = 0;
	for (size_t i = 0; i + 2 < rank; i++) {
		t->planes *= shape[i];
		if (shape[i] > 1 || t->outer_rank)
			t->outer[t->outer_rank++] = shape[i];
	}
	t->rows = rank >= 2 ? shape[rank - 2] : 1;
	t->cols = shape[rank - 1];
	if (rank > 2)
		t->plane_axis = axis_of(AXIS_PLANE);
}

static const double *dense_row(const struct table *t, size_t i, double *scratch)
{
	(void)scratch;
	return (const double *)t->state + i * t->cols;
}

void table_cells(struct table *t, const struct lattice *grid,
		 const char *before, const char *after)
{
	struct axis *a = &t->row_axis;

	*a = axis_from(AXIS_CELL, 0.0 - (double)grid->before, 1);
	a->before = grid->before ? before : NULL;
	a->before_n = grid->before;
	a->after = after;
	a->cells = lattice_cells(grid);
	t->grid = *grid;
}

/* Make row(), from state, the only source of rows. */
static void set_row(struct table *t,
		    const double *(*row)(const struct table *t, size_t i,
					 double *scratch), const void *state)
{
	t->row = row;
	t->doubles = NULL;
	t->floats = NULL;
	t->part = NULL;
	t->at_distance = NULL;
	t->diagonals = NULL;
	t->state = state;
}

void table_dense(struct table *t, const double *data)
{
	set_row(t, dense_row, data);
}

static const double *float_row(const struct table *t, size_t i, double *scratch)
{
	dtype_load(F32, (const float *)t->state + i * t->cols, t->cols,
		   scratch);
	return scratch;
}

bool table_is_dense(const struct table *t)
{
	return t->row == dense_row;
}

void table_dense_floats(struct table *t, const float *data)
{
	t->row = float_row;
	t->state = data;
}

const float *table_floats(const struct table *t)
{
	return t->row == float_row ? t->state : NULL;
}

double *table_values(struct table *t)
{
	return (double *)(uintptr_t)t->state;
}

void table_diagonals(const struct table *t, size_t plane, size_t first,
		     size_t n, double *v)
{
	const long d = (long)first - (long)(t->rows - 1) - t->past;

	for (size_t k = 0; k < n; k++)
		v[k] = t->at_distance(t->state, plane, d + (long)k);
}

static const double *distances_row(const struct table *t, size_t i,
				   double *scratch)
{
	const size_t plane = i / t->rows, first = t->rows - 1 - i % t->rows;

	if (t->diagonals)
		return t->diagonals + plane * (t->rows - 1 + t->cols) + first;
	table_diagonals(t, plane, first, t->cols, scratch);
	return scratch;
}

bool table_by_distance(struct table *t,
		       double (*f)(const void *state, size_t plane,
				   long distance), const void *state,
		       struct error *err)
{
	enum { KEPT_MOST = 1 << 18 };  /* 2 MiB */
	const size_t n = t->rows - 1 + t->cols;
	double *v;

	set_row(t, distances_row, state);
	t->at_distance = f;
	if (n > KEPT_MOST / t->planes)
		return true;
	v = table_alloc(t, t->planes * n, sizeof *v, err);
	for (size_t p = 0; v && p < t->planes; p++)
		table_diagonals(t, p, 0, n, v + p * n);
	t->diagonals = v;
	return v;
}

enum {
	COLS_MOST = 1 << 27,   /* 1 GiB of doubles */
	BLOCK_MOST = 1 << 25,  /* bytes of a block of several rows */
};

bool table_check(struct table *t, struct error *err)
{
	size_t n;

	if (__builtin_mul_overflow(t->planes, t->rows, &t->end) ||
	    __builtin_mul_overflow(t->end, t->cols, &n) ||
	    __builtin_mul_overflow(n, dtype_size(t->dtype), &n) ||
	    n > PTRDIFF_MAX)
		return fail(err, "a table of %zu x %zu x %zu values is larger "
			    "than a %s can be", t->planes, t->rows, t->cols,
			    sizeof n < 8 ? "page" : "file");
	if (t->cols > COLS_MOST)
		return fail(err, "a row must have at most %d values, got %zu",
			    COLS_MOST, t->cols);
	t->begin = 0;
	return true;
}

size_t table_block(const struct table *t, size_t bytes, size_t row_bytes)
{
	const size_t most = BLOCK_MOST / row_bytes;
	size_t n = bytes / row_bytes;

	if (t->block_rows)
		n = n < t->block_rows ? t->block_rows : n - n % t->block_rows;
	n = n < most ? n : most;
	return n ? n : 1;
}

enum dtype table_fastest(const struct table *t)
{
	return t->floats ? F32 : F64;
}

size_t table_scratch(const struct table *t, enum dtype d, size_t n)
{
	return d == F64 || (d == F32 && t->floats) ? 0 :
	       (t->doubles ? n : 1) * t->cols * sizeof(double);
}

/* Unrounded, to out [n, cols]. */
static void double_rows(const struct table *t, size_t first, size_t n,
			double *out)
{
	if (t->doubles) {
		t->doubles(t, first, n, out);
		return;
	}
	for (size_t i = 0; i < n; i++, out += t->cols) {
		const double *x = t->row(t, first + i, out);

		if (x != out)
			memcpy(out, x, t->cols * sizeof *x);
	}
}

void table_rows(const struct table *t, enum dtype d, size_t first, size_t n,
		void *scratch, void *out)
{
	unsigned char *at = out;
	const size_t bytes = t->cols * dtype_size(d);

	if (d == F64) {
		double_rows(t, first, n, out);
	} else if (d == F32 && t->floats) {
		t->floats(t, first, n, out);
	} else if (d == F32 && table_floats(t)) {
		memcpy(out, table_floats(t) + first * t->cols, n * bytes);
	} else if (t->doubles) {
		t->doubles(t, first, n, scratch);
		dtype_store(d, scratch, n * t->cols, out);
	} else {
		for (size_t i = 0; i < n; i++, at += bytes)
			dtype_store(d, t->row(t, first + i, scratch), t->cols,
				    at);
	}
}

void table_part(const struct table *t, size_t i, size_t first, size_t n,
		double *out)
{
	if (t->part)
		t->part(t, i, first, n, out);
	else
		memcpy(out, t->row(t, i, NULL) + first, n * sizeof *out);
}

bool table_in_memory(struct table *to, const struct table *t,
		     struct table *owner, struct error *err)
{
	const size_t rows = t->planes * t->rows;
	double *data;

	*to = *t;
	if (table_is_dense(t))
		return true;
	data = table_alloc(owner, rows * t->cols, sizeof *data, err);
	if (!data)
		return false;
	table_rows(t, F64, 0, rows, NULL, data);
	table_dense(to, data);
	return true;
}

enum { EACH_BYTES = 1 << 18 };  /* of a block; fits in a CPU's own cache */

/* A loop over rows, and the row that comes next. */
struct each {
	const struct table *t;
	row_visitor *visit;
	void *self;
	size_t next;
};

static size_t each_make(const void *self, size_t first, size_t n,
			void *scratch, unsigned char *to)
{
	const struct table *t = ((const struct each *)self)->t;

	table_rows(t, F64, first, n, scratch, to);
	return n * t->cols * sizeof(double);
}

static bool each_take(void *taker, const unsigned char *bytes, size_t n)
{
	struct each *e = taker;
	const double *x = (const double *)(const void *)bytes;
	const size_t cols = e->t->cols, rows = n / sizeof *x / cols;

	for (size_t i = 0; i < rows; i++)
		if (!e->visit(e->self, e->next++, x + i * cols))
			return false;
	return true;
}

bool table_each(const struct table *t, row_visitor *visit, void *self,
		struct error *err)
{
	struct each e = { t, visit, self, t->begin };
	const size_t bytes = t->cols * sizeof(double);
	const size_t rows = table_block(t, EACH_BYTES, bytes);
	const struct blocks b = {
		.begin = t->begin, .end = t->end, .rows = rows,
		.bytes = rows * bytes,
		.make = each_make, .self = &e, .take = each_take, .taker = &e,
	};

	return blocks_run(&b, 0, err);
}

/* Whether the dtype holds each value; err names the first that it does not. */
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

void table_like(struct table *t, const struct table *other)
{
	t->planes = other->planes;
	t->rows = other->rows;
	t->cols = other->cols;
	t->plane_axis = other->plane_axis;
	t->row_axis = other->row_axis;
	t->col_axis = other->col_axis;
	t->dtype = other->dtype;
}

size_t table_shape(const struct table *t, size_t shape[3])
{
	const size_t n = t->end - t->begin;
	const bool whole = t->begin % t->rows == 0 && n % t->rows == 0;
	const size_t rank = t->plane_axis.name && whole && !t->one_plane ? 3
			    : 2;

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
