/* show.h: a table as it is. */
#ifndef SHOW_H
#define SHOW_H

#include "recipe/recipe.h"

/* make() of a recipe: the rows are the input's own, which outlives t. */
bool show_make(void *self, const struct table *inputs, struct table *t,
	       struct error *err);

#endif
