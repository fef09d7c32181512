/* help.h: --help and the list of commands, from declarations. */
#ifndef HELP_H
#define HELP_H

#include "core/recipe.h"
#include "formats/out.h"

/* Ten lines for someone who typed nothing. */
void help_brief(struct out *o);

/* All commands, and the outputs of any. */
void help_all(struct out *o);

/* One command: what it makes, and its options. */
void help_recipe(const struct recipe *r, struct out *o);

#endif
