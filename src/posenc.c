/* posenc.c: the public face: open an encoding by name, ask its rows. */
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "core/blocks.h"
#include "core/never.h"
#include "posenc.h"
#include "recipes.h"

#define PUBLIC __attribute__((visibility("default")))

enum { FILL_BYTES = 1 << 18 };  /* of a block: a processor's own cache */

struct pe_table {
	struct table table;
};

_Static_assert(sizeof ((struct error *)0)->text == PE_WHY,
	       "the room that posenc.h asks for is what a sentence may take");

/* As recipe_open(), in C's locale, whose numbers have points. */
static bool open_plainly(struct pe_table *t, const char *recipe,
			 const char *options, struct error *err)
{
	const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	locale_t callers;
	bool good;

	if (NEVER(!plain))  /* glibc's C takes no memory */
		return fail_memory(err);
	callers = uselocale(plain);
	good = recipe_open(&t->table, recipe, options, NULL, err);
	uselocale(callers);
	freelocale(plain);
	return good;
}

PUBLIC struct pe_table *pe_open(const char *recipe, const char *options,
				char *why)
{
	struct pe_table *t = calloc(1, sizeof *t);
	struct error err = { 0 };

	if (!t)
		fail_memory(&err);
	else if (!open_plainly(t, recipe, options, &err)) {
		pe_close(t);
		t = NULL;
	}
	if (!t && why)
		memcpy(why, err.text, PE_WHY);
	return t;
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

PUBLIC const double *pe_row(const struct pe_table *t, size_t i,
			    double *scratch)
{
	return t->table.row(&t->table, i, scratch);
}

/* A caller's buffer that is being filled, rows first on. */
struct fill {
	const struct table *t;
	size_t first;
	float *out;
};

/* Straight into the buffer: there is nothing left to take. */
static size_t fill_rows(const void *self, size_t first, size_t n,
			void *scratch, unsigned char *to)
{
	const struct fill *f = self;
	const struct table *t = f->t;
	float *out = f->out + (first - f->first) * t->cols;

	(void)to;
	if (t->floats)
		t->floats(t, first, n, out);
	else
		for (size_t i = 0; i < n; i++)
			dtype_store(F32, t->row(t, first + i, scratch),
				    t->cols, out + i * t->cols);
	return 0;
}

static bool take_nothing(void *taker, const unsigned char *bytes, size_t n)
{
	(void)taker;
	(void)bytes;
	(void)n;
	return true;
}

PUBLIC int pe_fill(const struct pe_table *pe, size_t first, size_t n,
		   float *out)
{
	const struct table *t = &pe->table;
	const struct fill f = { t, first, out };
	struct blocks b = {
		.begin = first, .end = first + n,
		.rows = table_block(t, FILL_BYTES, t->cols * sizeof *out),
		.scratch = t->cols * sizeof(double),
		.make = fill_rows, .self = &f, .take = take_nothing,
	};
	struct error err = { 0 };

	b.bytes = b.rows * t->cols * sizeof *out;
	return blocks_run(&b, 0, &err) ? 0 : -1;
}

PUBLIC const char *pe_name(size_t i)
{
	const struct recipe *r = recipe_at(i);

	return r ? r->name : NULL;
}
