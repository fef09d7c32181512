/*
 * src/recipe/: what commands have in common. A recipe is a command that makes a
 * table from options (an encoding), or a table or a report from other tables (a
 * view).
 *
 *   recipe.h     struct recipe: a command and its declarations
 *   guest.c      options that a command takes of others
 *   option.h     options, the values of their fields, and when they apply
 *   list.h       lists of numbers, from the command line or a file
 *   positions.h  options for positions, queries and keys
 *   biases.h     biases of heads, which depend on distance
 *   report.h     struct report: the results of a view
 *
 * This folder includes table/, exact/ and text/. Tables and configurations are
 * read by functions that its callers pass (struct fields).
 */
#ifndef RECIPE_H
#define RECIPE_H

#include "recipe/option.h"
#include "recipe/report.h"

/*
 * --preset NAME sets its options at its place on the command line: they
 * override options before it and are overridden by options after it.
 */
struct preset {
	const char *name;     /* "fairseq" */
	const char *options;  /* as typed: "--layout split --denom half-1" */
	const char *project;  /* "facebookresearch/fairseq" */
	const char *source;   /* the file and the function, or the section */
	const char *version;  /* the release or commit that was read:
				 "v0.12.3; transformers 89c0c2e" */
	const char *also;     /* options for the same rounding, or NULL */
};

/* A project whose convention no options say. */
struct refused_preset {
	const char *name;     /* "mochi" */
	const char *why;      /* a clause */
};

/* An option that an encoding begins with in a page (formats/html.c). */
struct start {
	const char *option, *value;
	const char *unless;   /* options that may stand in its place */
};

/* The row of options for a recipe with presets. */
#define PRESET_OPTION                                                   \
	{ .name = "preset", .kind = OPTION_PRESET, .unrecorded = true,      \
	  .arg = "NAME", .help = "take the options of a project; later "  \
		  "options override them ('posenc presets' lists names)" }

/* The row of --config for a recipe that models have a convention of. */
#define CONFIG_OPTION                                                   \
	{ .name = "config", .kind = OPTION_CONFIG, .unrecorded = true,  \
	  .arg = "FILE", .help = "take the options of a model from its " \
		  "config.json or GGUF file; later options override them "  \
		  "(FILE:PART selects a part, FILE:TYPE layers by type, "   \
		  "FILE:3 layer 3)" }

/*
 * A recipe whose options another, its host, also takes: an encoding whose table
 * a view makes.
 */
struct guest {
	const char *word;     /* of the choice that says so, "t5" */
	const char *name;     /* the encoding, "t5-bucket" */
	const char *withheld; /* options that the host sets: "len heads" */
};

/* A command: everything that is shown or checked about it. */
struct recipe {
	const char *name;     /* "t5-bucket" */
	const char *summary;  /* one line, lower case, no full stop */
	/* Both are printed as they are: lines to 79 columns, of which none
	   begins with . or ' (a request of roff) */
	const char *about;    /* one paragraph: what it makes, what it is for */
	const char *details;  /* for manual and --full: formulas, conventions,
				 sample values */
	const char *paper;    /* "Raffel et al. 2020, arXiv:1910.10683"; no
				 abbreviation before a capital letter, as the
				 manual would take it for a sentence's end */
	const char *example;  /* a command worth trying */
	const struct option *options; /* ends with {0} */
	const struct option_heading *headings; /* ends with {0}; or NULL */
	const struct start *starts; /* ends with {0}; NULL: pages of explore
				       don't show it */
	const struct preset *presets; /* ends with {0}; or NULL */
	const struct refused_preset *refused; /* the same */
	size_t size;          /* of the struct that the options fill */
	size_t inputs;        /* number of TABLE arguments; encodings: 0 */
	bool optional;        /* they may be omitted */
	bool several;         /* more may follow, chained as those beside the
				 first */
	bool compact;         /* rows of an only input get scratch, as those of
				 values in float32 need it */
	size_t on_demand;     /* inputs of so many values or more may be: their
				 rows are read from their files whenever they
				 are asked for */
	const char *host;     /* the choice that says whose options it takes
				 beside its own, */
	const struct guest *guests; /* and whose; ends with {0}; or NULL */
	const struct recipe *(*find)(const char *name, struct error *err);
			      /* finds them: recipe_find() */
	const char *operand;  /* option that an argument without dashes sets;
				 NULL: arguments are TABLEs */

	/*
	 * Check the options in self and describe the table in t: title, shape,
	 * dtype, bounds, axes and source of rows. Computes no rows, as there
	 * may be 2^40 of them. self and inputs [inputs] outlive t. The inputs
	 * are dense: their rows need no scratch, unless they are compact or on
	 * demand. An omitted one has no row function.
	 * NULL for a view that only reports.
	 */
	bool (*make)(void *self, const struct table *inputs, struct table *t,
		     struct error *err);

	/*
	 * Or write the results to report. A recipe with both make() and
	 * report() has reports(), which says what its options ask for.
	 */
	bool (*report)(void *self, const struct table *inputs,
		       struct report *report, struct error *err);
	bool (*reports)(const void *self);

	/*
	 * Where figures may be asked for beside the report, or NULL: make t the
	 * table that they show; lines: as curves.
	 */
	bool (*draw)(void *self, const struct table *inputs, bool lines,
		     struct table *t, struct error *err);
};

/* Whether the command makes a report, not a table. */
bool recipe_reports(const struct recipe *r, const void *self);

/* Allocate the recipe's options in t, set to their defaults: fields. */
bool recipe_begin(const struct recipe *r, struct table *t,
		  struct fields *fields, struct error *err);

/*
 * Set the option of that name; of a preset or configuration, all its options.
 * For an unknown name the error suggests the nearest one.
 */
bool recipe_set(const struct recipe *r, struct fields *fields,
		const char *name, const char *value, struct error *err);

/* The option of that name [length], the recipe's own or a guest's; or NULL. */
const struct option *recipe_option(const struct recipe *r, const char *name,
				   size_t length);

/* The recipe of a guest; whether its host takes its option o, as it has none of
   that name and does not set it. */
const struct recipe *guest_recipe(const struct recipe *host,
				  const struct guest *g);
bool guest_lends(const struct recipe *host, const struct guest *g,
		 const struct option *o);

/* The option of that name [length] that a guest lends, or NULL. */
const struct option *guest_option(const struct recipe *host,
				  const struct guest *g, const char *name,
				  size_t length);

/* Set a guest's option once it is known which guest there is. */
bool recipe_set_later(struct fields *f, const struct option *o,
		      const char *text, struct error *err);

/*
 * A host becomes a recipe that has its guest's options too, and those that were
 * set have their values: to be called when its own are set. Others stay as they
 * are. NULL: a failure.
 */
const struct recipe *recipe_settle(const struct recipe *r, struct fields *f,
				   struct error *err);

/* The guest's struct behind self, the host's; the bytes of both. */
const void *guest_self(const struct recipe *host, const void *self);
size_t recipe_room(const struct recipe *r);

struct lookup;

/* Fail for a name that no preset has. */
bool preset_unknown(const struct lookup *l, struct error *err);

/* Whether r has a reason not to have that preset, with which it fails. */
bool preset_refused(const struct recipe *r, const char *name,
		    struct error *err);

/*
 * Set all options in text: "len=4 causal title='Four rows'", or as on a command
 * line, "--len 4 --causal". Words are those of word_next(): text is cut, and
 * fields keep pointers into it.
 */
bool recipe_set_all(const struct recipe *r, struct fields *fields, char *text,
		    struct error *err);

/* Make the report of the inputs, in memory of t. */
bool recipe_report(const struct recipe *r, const struct fields *fields,
		   const struct table *inputs, struct table *t,
		   struct report *report, struct error *err);

/* Make t, whose report has been made, the table that its figures show. */
bool recipe_draw(const struct recipe *r, const struct fields *fields,
		 const struct table *inputs, bool lines, struct table *t,
		 struct error *err);

/* Make t, the table that the options describe, with all rows selected. */
bool recipe_finish(const struct recipe *r, const struct fields *fields,
		   const struct table *inputs, struct table *t,
		   struct error *err);

/*
 * The options whose values are not the initial ones, as typed after a command:
 * " --len 4 --dim 4". To to, with a NUL, unless that is NULL; the length. Room
 * for 42 bytes more than that is needed.
 */
size_t options_line(const struct option *options, const void *self, char *to);

#endif
