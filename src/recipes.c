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
	fail_unknown(err, "command", name, near ? near->name : NULL,
		     "; 'posenc help' lists them");
	return NULL;
}

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

bool recipe_open(struct table *t, const char *name, const char *options,
		 table_reader *read, struct error *err)
{
	const struct recipe *r = recipe_find(name, err);
	struct fields fields = { .read = read };
	char *text;

	if (!r || !recipe_begin(r, t, &fields, err))
		return false;
	if (r->inputs)
		return fail(err, "%s works on tables; the program reads them",
			    r->name);
	text = table_copy(t, options, err);
	return text && set_all(r, &fields, text, err) &&
	       recipe_finish(r, &fields, NULL, t, err);
}
