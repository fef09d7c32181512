/* recipes.h: the list of all recipes, encodings first. */
#ifndef RECIPES_H
#define RECIPES_H

#include "core/recipe.h"

/* The i-th recipe, or NULL past the last. */
const struct recipe *recipe_at(size_t i);

/* The recipe of that name. Fails, with a suggestion, where there is none. */
const struct recipe *recipe_find(const char *name, struct error *err);

#endif
