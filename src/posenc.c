/* posenc.c: the library's interface, posenc.h, over recipes and tables. */
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "table/blocks.h"
#include "table/never.h"
#include "posenc.h"
#include "recipes.h"

#define PUBLIC __attribute__((visibility("default")))

enum { FILL_BYTES = 1 << 18 };  /* of a block; fits in a CPU's own cache */

struct pe_table {
	struct table table;
};

_Static_assert(sizeof ((struct error *)0)->text == PE_WHY,
	       "PE_WHY is the size of an error's text");

/* recipe_open() in the C locale, which has decimal points. */
static bool open_in_c_locale(struct pe_table *t, const char *recipe,
			     const char *options, struct error *err)
{
	const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	locale_t callers;
	bool good;

	if (NEVER(!plain))  /* glibc's C locale needs no memory */
		return fail_memory(err);
	callers = uselocale(plain);
	good = recipe_open(&t->table, recipe, options, NULL, err);
	uselocale(callers);
	freelocale(plain);
	return good;
}

static bool open_table(struct pe_table *t, const char *recipe,
		       const char *options, unsigned flags, struct error *err)
{
	if (flags & ~(unsigned)PE_READ_FILES)
		return fail(err, "flags: expected 0 or PE_READ_FILES, got %#x",
			    flags);
	t->table.from.reads_files = flags & PE_READ_FILES;
	return open_in_c_locale(t, recipe, options, err);
}

PUBLIC struct pe_table *pe_open_with(const char *recipe, const char *options,
				     unsigned flags, char *why, size_t size)
{
	struct pe_table *t = calloc(1, sizeof *t);
	struct error err = { 0 };

	if (!t)
		fail_memory(&err);
	else if (!open_table(t, recipe, options, flags, &err)) {
		pe_close(t);
		t = NULL;
	}
	if (!t)
		snprintf(why, size, "%s", err.text);
	return t;
}

PUBLIC struct pe_table *pe_open(const char *recipe, const char *options,
				char *why, size_t size)
{
	return pe_open_with(recipe, options, 0, why, size);
}

PUBLIC void pe_close(struct pe_table *t)
{
	if (t)
		table_close(&t->table);
	free(t);
}

PUBLIC size_t pe_planes(const struct pe_table *t)
{
	return t->table.planes;
}

PUBLIC size_t pe_rows(const struct pe_table *t)
{
	return t->table.rows;
}

PUBLIC size_t pe_cols(const struct pe_table *t)
{
	return t->table.cols;
}

PUBLIC const char *pe_dtype(const struct pe_table *t)
{
	return dtype_name(t->table.dtype);
}

/* An axis and its length. */
static const struct axis *axis_at(const struct table *t, enum pe_axis axis,
				  size_t *n)
{
	*n = axis == PE_PLANES ? t->planes :
	     axis == PE_ROWS ? t->rows : t->cols;
	return axis == PE_PLANES ? &t->plane_axis :
	       axis == PE_ROWS ? &t->row_axis : &t->col_axis;
}

PUBLIC const char *pe_axis_name(const struct pe_table *t, enum pe_axis axis)
{
	size_t n;

	return axis_at(&t->table, axis, &n)->name;
}

PUBLIC double pe_axis_label(const struct pe_table *t, enum pe_axis axis,
			    size_t i)
{
	size_t n;
	const struct axis *a = axis_at(&t->table, axis, &n);

	return a->name && i < n ? axis_label(a, i) : (double)NAN;
}

PUBLIC const double *pe_row(const struct pe_table *t, size_t i,
			    double *scratch)
{
	return i < t->table.end ? t->table.row(&t->table, i, scratch) : NULL;
}

/* A caller's buffer; its first row is row first of the table. */
struct fill {
	const struct table *t;
	size_t first;
	float *out;
};

/* Rows go straight to the buffer. */
static size_t fill_rows(const void *self, size_t first, size_t n,
			void *scratch, unsigned char *to)
{
	const struct fill *f = self;

	(void)to;
	table_rows(f->t, F32, first, n, scratch,
		   f->out + (first - f->first) * f->t->cols);
	return 0;
}

PUBLIC int pe_fill(const struct pe_table *pe, size_t first, size_t n,
		   float *out)
{
	const struct table *t = &pe->table;
	const struct fill f = { t, first, out };
	struct blocks b = {
		.begin = first, .end = first + n,
		.rows = table_block(t, FILL_BYTES, t->cols * sizeof *out),
		.make = fill_rows, .self = &f,
	};
	struct error err = { 0 };

	if (first > t->end || n > t->end - first)
		return -1;
	b.bytes = b.rows * t->cols * sizeof *out;
	b.scratch = table_scratch(t, F32, b.rows);
	return blocks_run(&b, 0, &err) ? 0 : -1;
}

PUBLIC const char *pe_name(size_t i)
{
	const struct recipe *r;

	for (size_t k = 0; (r = recipe_at(k)); k++)
		if (r->make && !r->inputs && i-- == 0)
			return r->name;
	return NULL;
}
