/* scope.h: which options a command takes, whoever declares them. */
#ifndef SCOPE_H
#define SCOPE_H

#include "core/recipe.h"
#include "formats/format.h"

/* Options that belong together. */
struct option_group {
	const char *title;            /* for people: "Options" */
	const struct option *options; /* ends with {0} */
};

/* The i-th group of a recipe's options; without options past the last. */
struct option_group scope_group(const struct recipe *r, size_t i);

/* An option as it is typed: a declared one, a format's flag, or --help. */
struct item {
	char flag[40];                /* "--max-distance" */
	const char *arg;              /* "N"; NULL: it takes no value */
	const char *help;
	const struct recipe *recipe;  /* whose command it is */
	const struct option *option;  /* or */
	const struct format *format;  /* or neither */
};

/* Visit each option that r takes: its own, those of all, the outputs. */
void scope_visit(const struct recipe *r,
		 void (*visit)(const struct item *item, void *with),
		 void *with);

/* Say that r has no such option, with the nearest that it has. */
bool scope_unknown(const struct recipe *r, const char *name, size_t length,
		   struct error *err);

#endif
