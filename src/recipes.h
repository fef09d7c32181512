/* recipes.h: the list of all recipes, encodings first. */
#ifndef RECIPES_H
#define RECIPES_H

#include "recipe/recipe.h"

/* The i-th recipe, or NULL past the last. */
const struct recipe *recipe_at(size_t i);

/* The recipe of that name. Fails, with a suggestion, where there is none. */
const struct recipe *recipe_find(const char *name, struct error *err);

/*
 * Make t, the table of an encoding, from its name and options, "len=4 dim=4".
 * Values with blanks are quoted as in a shell. given, which must outlive t, is
 * the table that options name in place of a file; if it is NULL, such options
 * fail. t must be closed in any case.
 */
bool recipe_open(struct table *t, const char *name, const char *options,
		 const struct table *given, struct error *err);

#endif
