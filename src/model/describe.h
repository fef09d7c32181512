/* describe.h: posenc config: what a configuration says about positions. */
#ifndef DESCRIBE_H
#define DESCRIBE_H

#include "recipe/recipe.h"

extern const struct recipe config_recipe;

#endif
