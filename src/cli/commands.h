/*
 * commands.h: the commands of the program: all recipes, and those of files of
 * models and of pages.
 */
#ifndef COMMANDS_H
#define COMMANDS_H

#include "recipe/recipe.h"

/* The i-th command, or NULL past the last. */
const struct recipe *command_at(size_t i);

/* The command of that name. Fails, with a suggestion, where there is none. */
const struct recipe *command_find(const char *name, struct error *err);

#endif
