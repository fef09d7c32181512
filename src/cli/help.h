/*
 * help.h: what help, manual and completions print, from the declarations of
 * commands, options and formats.
 *
 * Each function writes one text to o. name is the command, builtin, topic or
 * preset that the text is about; it must exist, but for man_made() and
 * complete_shell(), which note a failure in o. Texts about everything ignore
 * it.
 */
#ifndef HELP_H
#define HELP_H

#include "recipe/recipe.h"
#include "files/output.h"

/* Options that several commands share, as 'posenc help TOPIC' shows them. */
struct topic {
	const char *name, *summary;
	void (*begin)(struct output_file *o);  /* what precedes the options */
};

/* All of them; ends with one without a name. */
extern const struct topic topics[];

/* The topic of that name, or NULL. */
const struct topic *topic_find(const char *name);

/* Ten lines for a command line without arguments. */
void help_brief(const char *name, struct output_file *o);

/* All commands, builtins and topics, and the exit status. */
void help_all(const char *name, struct output_file *o);

void help_builtin(const char *name, struct output_file *o);
void help_topic(const char *name, struct output_file *o);

/* A command: usage, a paragraph, an example and its own options. */
void help_recipe(const char *name, struct output_file *o);

/* All about a command: formulas, sources, presets, the shared options, too. */
void help_recipe_full(const char *name, struct output_file *o);

/* Every preset; or, by name, its options, project and source. */
void help_presets(const char *name, struct output_file *o);

/* Whether a recipe has a preset of that name; if not, suggests the nearest. */
bool help_preset_exists(const char *name, struct error *err);

/* A name and, as options have it, what it stands for. */
void help_item(struct output_file *o, const char *name, const char *help);

/*
 * Whether something that help explains has that name, or says the word: an
 * option, a value, a preset, a format, a command or a topic. If not, fails with
 * the nearest name.
 */
bool find_any(const char *word, struct error *err);

/*
 * A line for each: those of that name, or that other programs call so, those
 * whose name has the word in it, and those whose help says it. The latter two
 * are cut to a page; not by find_all().
 */
void find_page(const char *word, struct output_file *o);
void find_all(const char *word, struct output_file *o);

/* Parts of a manual page in mdoc: of a command, or of "posenc" itself. */
void man_made(const char *name, struct output_file *o);

/*
 * The script that makes a shell, bash, zsh or fish, complete commands, options,
 * their values and files by suffix. NULL: no shell was named.
 */
void complete_shell(const char *name, struct output_file *o);

#endif
