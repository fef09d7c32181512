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

/* Set the options of text, "len=4 dim=4"; fields keep pointers into text. */
static bool set_all(const struct recipe *r, struct fields *fields, char *text,
		    struct error *err)
{
	char *rest = NULL;

	for (char *word = strtok_r(text, " ", &rest); word;
	     word = strtok_r(NULL, " ", &rest)) {
		char *value = strchr(word, '=');

		if (value)
			*value++ = '\0';
		if (!recipe_set(r, fields, word, value ? value : "", err))
			return false;
	}
	return true;
}

static bool open_table(struct table *t, const char *name, const char *options,
		       struct error *err)
{
	const struct recipe *r = recipe_find(name, err);
	struct fields fields = { .read = NULL };
	char *text;

	if (!r || !recipe_begin(r, t, &fields, err))
		return false;
	if (r->inputs)
		return fail(err, "%s works on tables; the program reads them",
			    r->name);
	text = table_alloc(t, strlen(options) + 1, 1, err);
	if (!text)
		return false;
	memcpy(text, options, strlen(options) + 1);
	return set_all(r, &fields, text, err) &&
	       recipe_finish(r, &fields, NULL, t, err);
}

PUBLIC struct pe_table *pe_open(const char *recipe, const char *options,
				char *why)
{
	struct pe_table *t = calloc(1, sizeof *t);
	struct error err = { 0 };

	if (!t)
		fail(&err, "out of memory");
	else if (!open_table(&t->table, recipe, options, &err)) {
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
