/* compare_models.h: posenc compare of two models. */
#ifndef COMPARE_MODELS_H
#define COMPARE_MODELS_H

#include "recipe/recipe.h"

/*
 * Whether paths [2] name models: folders, or files of named tensors, without
 * ":NAME", that are not both of one tensor; or configurations. Their files are
 * opened. Fails only if memory runs out.
 */
bool names_models(const char *const *paths, struct error *err);

/*
 * Takes models in place of tables: the inputs have only a title, the path, and
 * a command.
 */
extern const struct recipe compare_models_recipe;

#endif
