/* preset.c: options of a recipe under the name of a project that uses them. */
#include <string.h>

#include "core/parse.h"
#include "core/recipe.h"

bool preset_unknown(const char *name, const struct preset *near,
		    struct error *err)
{
	return fail_unknown(err, "preset", name, near ? near->name : NULL,
			    "; 'posenc presets' lists them");
}

const struct preset *preset_find(const struct recipe *r, const char *name,
				 struct error *err)
{
	const struct preset *near = NULL;
	size_t best = (size_t)-1;

	for (const struct preset *p = r->presets; p->name; p++) {
		if (strcmp(p->name, name) == 0)
			return p;
		if (nearer_word(name, p->name, &best))
			near = p;
	}
	preset_unknown(name, near, err);
	return NULL;
}

bool preset_set(const struct recipe *r, struct fields *fields,
		const struct preset *preset, struct error *err)
{
	char *text = table_copy(fields->owner, preset->options, err);
	char *rest = NULL;

	if (!text)
		return false;
	for (char *flag = strtok_r(text, " ", &rest); flag;
	     flag = strtok_r(NULL, " ", &rest)) {
		const struct option *o = option_find(r->options, flag + 2,
						     strlen(flag + 2));
		const char *value = "";

		if (o && o->kind != OPTION_FLAG)
			value = strtok_r(NULL, " ", &rest);
		if (!recipe_set(r, fields, flag + 2, value, err))
			return false;
	}
	return true;
}
