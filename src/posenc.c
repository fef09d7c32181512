/* posenc.c: the public face: open an encoding by name, ask its rows. */
#include <stdlib.h>
#include <string.h>

#include "posenc.h"
#include "recipes.h"

#define PUBLIC __attribute__((visibility("default")))

struct pe_table {
	struct table table;
};

_Static_assert(sizeof ((struct error *)0)->text == PE_WHY,
	       "the room that posenc.h asks for is what a sentence may take");

PUBLIC struct pe_table *pe_open(const char *recipe, const char *options,
				char *why)
{
	struct pe_table *t = calloc(1, sizeof *t);
	struct error err = { 0 };

	if (!t)
		fail(&err, "out of memory");
	else if (!recipe_open(&t->table, recipe, options, NULL, &err)) {
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

PUBLIC int pe_fill(const struct pe_table *t, size_t first, size_t n,
		   float *out)
{
	const size_t cols = t->table.cols;
	double *scratch = calloc(cols, sizeof *scratch);

	if (!scratch)
		return -1;
	for (size_t i = 0; i < n; i++)
		dtype_store(F32, pe_row(t, first + i, scratch), cols,
			    out + i * cols);
	free(scratch);
	return 0;
}

PUBLIC const char *pe_name(size_t i)
{
	const struct recipe *r = recipe_at(i);

	return r ? r->name : NULL;
}
