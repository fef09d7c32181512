/* commands.c: the commands of the program. */
#include <string.h>

#include "checkpoint/checkpoint.h"
#include "cli/commands.h"
#include "cli/explore.h"
#include "cli/guesses.h"
#include "cli/help.h"
#include "model/describe.h"
#include "recipes.h"
#include "text/words.h"

const struct recipe *command_at(size_t i)
{
	static const struct recipe *const others[] = {
		&list_recipe, &config_recipe, &explore_recipe,
	};
	enum { OTHERS = sizeof others / sizeof *others };
	size_t n = 0;

	while (recipe_at(n))
		n++;
	return i < n ? recipe_at(i) : i < n + OTHERS ? others[i - n] : NULL;
}

const struct recipe *command_find(const char *name, struct error *err)
{
	struct lookup l = lookup_begin(name);
	const char *advice;
	const struct recipe *r;

	for (size_t i = 0; (r = command_at(i)); i++)
		if (lookup_is(&l, r->name))
			return r;
	/* The others are run before; a misspelt one is suggested */
	for (const struct builtin *b = builtins; b->name; b++)
		lookup_is(&l, b->name);
	advice = guess_command(name);
	if (advice)
		l.nearest[0] = '\0';
	lookup_fail(&l, "unknown command",
		    advice ? advice : "; 'posenc help' lists them", err);
	return NULL;
}
