/* listing.h: posenc list: the tensors of a model, those of positions first. */
#ifndef LISTING_H
#define LISTING_H

#include "recipe/recipe.h"

extern const struct recipe list_recipe;

#endif
