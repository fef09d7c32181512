/* command.h: the commands that make the tables of a model. */
#ifndef COMMAND_H
#define COMMAND_H

#include "model/config.h"
#include "recipe/recipe.h"

enum { COMMANDS_MOST = 8 };

/* The kind of c's model as one word: "rotary", "learned". */
const char *config_kind(const struct config *c);

/* What it uses, in words: "rotary positions", "learned positions". */
const char *config_what(const struct config *c);

/* Whether the layers exist that were chosen, or a command of that role. */
bool config_check_chosen(const struct config *c);

/*
 * Options of a command, such as "rope" or "alibi", for c's layers; false with
 * an error where it makes no table of the model.
 */
bool config_command(struct config *c, const char *name, struct assignments *a);

/*
 * The commands [COMMANDS_MOST] that make the model's tables; their number. On
 * an error of memory some are missing or NULL.
 */
size_t config_commands(struct config *c, const char *commands[COMMANDS_MOST]);

/* Options of a recipe that FILE stands for; notes in owner. */
config_reader config_read;

/* describe.c: posenc config: what a configuration says about positions. */
extern const struct recipe config_recipe;

#endif
