/* recipes.c: the list of all recipes. */
#include <string.h>

#include "core/parse.h"
#include "recipes.h"

#define ENCODING(name) extern const struct recipe name##_recipe;
#define VIEW(name) ENCODING(name)
#include "encodings/list.h"
#include "views/list.h"
#undef ENCODING
#undef VIEW

#define ENCODING(name) &name##_recipe,
#define VIEW(name) ENCODING(name)
static const struct recipe *const recipes[] = {
#include "encodings/list.h"
#include "views/list.h"
	NULL
};

const struct recipe *recipe_at(size_t i)
{
	return i < sizeof recipes / sizeof *recipes ? recipes[i] : NULL;
}

const struct recipe *recipe_find(const char *name, struct error *err)
{
	const struct recipe *near = NULL;
	size_t best = (size_t)-1;

	for (size_t i = 0; recipes[i]; i++) {
		if (strcmp(recipes[i]->name, name) == 0)
			return recipes[i];
		if (nearer_word(name, recipes[i]->name, &best))
			near = recipes[i];
	}
	if (near)
		fail(err, "no command '%.60s' (did you mean '%s'?)", name,
		     near->name);
	else
		fail(err, "no command '%.60s'; 'posenc help' lists them", name);
	return NULL;
}
