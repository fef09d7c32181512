/* help.h: --help and the list of commands, from declarations. */
#ifndef HELP_H
#define HELP_H

#include "core/recipe.h"
#include "formats/out.h"

/*
 * What is said is about the command or preset of that name, where one is asked
 * for; it exists.
 */

/* Ten lines for someone who typed nothing. */
void help_brief(const char *name, struct out *o);

/* A first word that is no command: what may follow it, and its help. */
struct errand {
	const char *word, *words, *help;
};

/* All, up to one of no word. */
extern const struct errand help_errands[];

/* NULL where there is no such errand. */
const struct errand *help_errand(const char *word);

/* The help of an errand that exists. */
void help_errand_show(const char *word, struct out *o);

/* All commands, and the outputs of any. */
void help_all(const char *name, struct out *o);

/* One command: what it makes, and its options. */
void help_recipe(const char *name, struct out *o);

/* Every preset; or, by name, what it expands to and where it comes from. */
void help_presets(const char *name, struct out *o);

/* Whether a recipe has a preset of that name; if not, suggests the nearest. */
bool help_preset_exists(const char *name, struct error *err);

#endif
