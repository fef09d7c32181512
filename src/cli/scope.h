/* scope.h: which options a command takes, whoever declares them. */
#ifndef SCOPE_H
#define SCOPE_H

#include "recipe/recipe.h"
#include "containers/open.h"

/* Options under one title of the help. */
struct option_group {
	const char *title;            /* "Options"; NULL: past the last */
	const char *topic;            /* of 'posenc help TOPIC'; NULL for the
					 command's own options */
	const struct option *options; /* ends with {0} */
	size_t begin, end;            /* those whose field lies from begin on
					 and before end, in bytes */
	const struct option_heading *heading; /* those under it; or NULL */
	const struct recipe *recipe;  /* that has it */
	const struct guest *guest;    /* that lends them; or NULL */
};

/*
 * The i-th group of the options that r takes: its own, which are several groups
 * if it has headings, those of each guest, those that select a part of its
 * TABLE if it reads any, those of outputs, those of figures. Without options
 * past the last.
 */
struct option_group scope_group(const struct recipe *r, size_t i);

/* The options that commands share under that topic. */
struct option_group scope_topic(const char *topic);

/* The first option of g from o on, or NULL: for (o = scope_next(g, g->options);
   o; o = scope_next(g, o + 1)). */
const struct option *scope_next(const struct option_group *g,
				const struct option *o);

/* Whether an earlier guest lends an option of the same name as o. */
bool scope_seen(const struct option_group *g, const struct option *o);

/* The length of o's help up to the default that it states, if it does. */
size_t option_help_end(const struct option *o);

/* Whether the words of the option follow its help: "help: sin|cos". */
bool option_lists_words(const struct option *o);

/* What f is for: r's report, which the format may not hold: NULL; any table,
   if r is NULL. */
const char *scope_format(const struct format *f, const struct recipe *r);

/* An option as it is typed: a declared one, a format's flag, or --help. */
struct item {
	char flag[40];                /* "--max-distance" */
	const char *arg;              /* "N"; NULL: it takes no value */
	const char *help;
	const struct option *option;  /* or */
	const struct format *format;  /* or neither */
	size_t group, past;           /* where its option is, or how many
					 formats are past */
	bool last;
};

/*
 * The next of the options that r takes, after i, all zero at first: its own,
 * those of all, the outputs. False: there are no more.
 */
bool scope_item(const struct recipe *r, struct item *i);

#endif
