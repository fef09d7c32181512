/* preset.h: options of a recipe under the name of a project that uses them. */
#ifndef PRESET_H
#define PRESET_H

#include "core/option.h"

struct recipe;

/*
 * --preset NAME stands for its options at the place where it is typed: they
 * override what came before and are overridden by what comes after.
 */
struct preset {
	const char *name;     /* "fairseq" */
	const char *options;  /* as typed: "--layout split --denom half-1" */
	const char *project;  /* "facebookresearch/fairseq" */
	const char *source;   /* the file and the function, or the section */
	const char *also;     /* options that come nearer still, or NULL */
};

/* The row of options for a recipe with presets. */
#define PRESET_OPTION                                                   \
	{ .name = "preset", .kind = OPTION_PRESET, .unseen = true,      \
	  .arg = "NAME", .help = "the options of a project, which later " \
		  "ones override ('posenc presets' lists them)" }

/* The recipe's preset of that name. An unknown one fails with a suggestion. */
const struct preset *preset_find(const struct recipe *r, const char *name,
				 struct error *err);

/* Fail for a name that no preset has; near is the most likely, or NULL. */
bool preset_unknown(const char *name, const struct preset *near,
		    struct error *err);

/* Set all options of a preset. */
bool preset_set(const struct recipe *r, struct fields *fields,
		const struct preset *preset, struct error *err);

#endif
