/*
 * help.h: what --help and 'posenc help' print, from the declarations of
 * commands, options and formats.
 */
#ifndef HELP_H
#define HELP_H

#include "recipe/recipe.h"
#include "files/output.h"

/*
 * Each function writes one text to o. name is the command, builtin, topic or
 * preset that the text is about; it must exist. Texts about everything ignore
 * it.
 */

/* Ten lines for a command line without arguments. */
void help_brief(const char *name, struct output_file *o);

/* A command that makes no table: "presets". */
struct builtin {
	const char *name, *arguments;
	const char *summary, *help;
};

/* All of them; ends with one without a name. */
extern const struct builtin builtins[];

/* The builtin of that name, or NULL. */
const struct builtin *builtin_find(const char *name);

/* Options that several commands share, as 'posenc help TOPIC' shows them. */
struct topic {
	const char *name, *summary;
};

/* All of them; ends with one without a name. */
extern const struct topic topics[];

/* A name and, as options have it, what it stands for. */
void help_item(struct output_file *o, const char *name, const char *help);

void help_builtin(const char *name, struct output_file *o);

/* What a format says of a report that it holds. */
extern const char report_summary[];

/* All commands, builtins and topics, and the exit status. */
void help_all(const char *name, struct output_file *o);

/* Whether 'posenc help NAME' is about options that several commands share. */
bool help_has_topic(const char *name);

/* The options of a topic: "outputs", "figures" or "tables". */
void help_topic(const char *name, struct output_file *o);

/* A command: usage, a paragraph, an example and its own options. */
void help_recipe(const char *name, struct output_file *o);

/* All about a command: formulas, sources, presets, the shared options, too. */
void help_recipe_full(const char *name, struct output_file *o);

/* Every preset; or, by name, its options, project and source. */
void help_presets(const char *name, struct output_file *o);

/* Whether a recipe has a preset of that name; if not, suggests the nearest. */
bool help_preset_exists(const char *name, struct error *err);

#endif
