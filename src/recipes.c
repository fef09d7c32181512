/*
 * recipes.c: the list of all recipes; for pages (scripts/web), of encodings
 * and of attend, as other views need threads and files.
 */
#include <string.h>

#include "recipes.h"
#include "text/words.h"

#define ENCODING(name) extern const struct recipe name##_recipe;
#define VIEW(name) ENCODING(name)
#include "encodings/list.h"
#ifndef WITHOUT_VIEWS
#include "views/list.h"
#else
VIEW(attend)
#endif
#undef ENCODING
#undef VIEW

#define ENCODING(name) &name##_recipe,
#define VIEW(name) ENCODING(name)
static const struct recipe *const recipes[] = {
#include "encodings/list.h"
#ifndef WITHOUT_VIEWS
#include "views/list.h"
#else
VIEW(attend)
#endif
};

const struct recipe *recipe_at(size_t i)
{
	return i < sizeof recipes / sizeof *recipes ? recipes[i] : NULL;
}

const struct recipe *recipe_find(const char *name, struct error *err)
{
	struct lookup l = lookup_begin(name);
	const struct recipe *r;

	for (size_t i = 0; (r = recipe_at(i)); i++)
		if (lookup_is(&l, r->name))
			return r;
	lookup_fail(&l, "unknown command", "; 'posenc help' lists them", err);
	return NULL;
}

bool recipe_open(struct table *t, const char *name, const char *options,
		 const struct table *given, struct error *err)
{
	const struct recipe *r = recipe_find(name, err);
	struct fields fields = { .given = given };
	char *text;

	if (!r || !recipe_begin(r, t, &fields, err))
		return false;
	if (r->inputs)
		return fail(err, "%s works on tables; the program reads them",
			    r->name);
	text = table_copy(t, options, err);
	return text && recipe_set_all(r, &fields, text, err) &&
	       recipe_finish(r, &fields, NULL, t, err);
}
