/*
 * commands.h: the first words of a command line: recipes and commands like
 * them, which have options, and builtins, which have none.
 */
#ifndef COMMANDS_H
#define COMMANDS_H

#include "recipe/recipe.h"

/* The i-th command, or NULL past the last. */
const struct recipe *command_at(size_t i);

/* The command of that name. Fails, with a suggestion, where there is none. */
const struct recipe *command_find(const char *name, struct error *err);

/* A command that makes neither a table nor a report: "presets". */
struct builtin {
	const char *name, *also;  /* other names, separated by blanks */
	const char *arguments;
	const char *summary, *help;
	int (*run)(int argc, char **argv);  /* on the words after its name */
};

/* All that help lists; ends with one without a name. */
extern const struct builtin builtins[];

/* The builtin of that name, or NULL. */
const struct builtin *builtin_find(const char *name);

/* Run a command line, argv [argc], and return its exit status. */
int command_run(int argc, char **argv);

#endif
