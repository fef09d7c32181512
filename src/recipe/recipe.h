/*
 * recipe.h: a command: how a table or a report is made from options, or from
 * other tables.
 *
 * recipe/ holds what commands have in common: struct recipe declares one, its
 * options stand in option.h, lists of numbers in list.h, positions in
 * positions.h and what a view finds in report.h. It knows table/, exact/ and
 * text/; files and models are read by functions that it is handed.
 */
#ifndef RECIPE_H
#define RECIPE_H

#include "recipe/option.h"
#include "recipe/report.h"

/*
 * --preset NAME stands for its options at the place where it is typed: they
 * override what came before and are overridden by what comes after.
 */
struct preset {
	const char *name;     /* "fairseq" */
	const char *options;  /* as typed: "--layout split --denom half-1" */
	const char *project;  /* "facebookresearch/fairseq" */
	const char *source;   /* the file and the function, or the section */
	const char *version;  /* the release or commit that was read:
				 "v0.12.3; transformers 89c0c2e" */
	const char *also;     /* options that come nearer still, or NULL */
};

/* The row of options for a recipe with presets. */
#define PRESET_OPTION                                                   \
	{ .name = "preset", .kind = OPTION_PRESET, .unrecorded = true,      \
	  .arg = "NAME", .help = "the options of a project, which later " \
		  "ones override ('posenc presets' lists them)" }

/* A subcommand. Everything that is shown or checked about it stands here. */
struct recipe {
	const char *name;     /* the subcommand: "t5-bucket" */
	const char *summary;  /* one line, lower case, no full stop */
	/* Both are printed as they are: lines to 79 columns, of which none
	   begins with . or ' (a request of roff) */
	const char *about;    /* one paragraph: what it makes, what it is for */
	const char *details;  /* for manual and --full: formulas, conventions,
				 worked values */
	const char *paper;    /* "Raffel et al. 2020, arXiv:1910.10683"; no
				 abbreviation before a capital letter, as the
				 manual would take it for a sentence's end */
	const char *example;  /* a command worth trying */
	const struct option *options; /* ends with {0} */
	const struct preset *presets; /* ends with {0}; or NULL */
	size_t size;          /* of the struct that the options fill */
	size_t inputs;        /* tables it works on: 0 for an encoding, */
	bool optional;        /* which may be left out */

	/*
	 * Check self, its options filled, and say in t what the table is: its
	 * title, shape, dtype, bounds, axes and row. It computes no rows, as
	 * there may be 2^40 of them. self and inputs [inputs] live as long as t
	 * does. The inputs are dense: their rows lie in them
	 * and need no scratch; one that was left out has no row function.
	 * NULL for a view that only reports.
	 */
	bool (*make)(void *self, const struct table *inputs, struct table *t,
		     struct error *err);

	/*
	 * Or say in report what was found out, as the same command; with make
	 * present, where reports(self) says that its options ask for that.
	 */
	bool (*report)(void *self, const struct table *inputs,
		       struct report *report, struct error *err);
	bool (*reports)(const void *self);
};

/* Whether the options ask for a report in place of a table. */
bool recipe_reports(const struct recipe *r, const void *self);

/* Begin t with the recipe's options at their defaults; fields says where. */
bool recipe_begin(const struct recipe *r, struct table *t,
		  struct fields *fields, struct error *err);

/*
 * Set the option of that name, or those of a preset or file that it stands for.
 * An unknown one fails with a suggestion.
 */
bool recipe_set(const struct recipe *r, struct fields *fields,
		const char *name, const char *value, struct error *err);

/* Fail for a name that no preset has. */
struct lookup;
bool preset_unknown(const struct lookup *l, struct error *err);

/*
 * Set all options in text: "len=4 causal title='Four rows'", or as on a command
 * line, "--len 4 --causal". Words are those of word_next(): text is cut, and
 * fields keep pointers into it.
 */
bool recipe_set_all(const struct recipe *r, struct fields *fields, char *text,
		    struct error *err);

/* What a report that t owns says of the inputs. */
bool recipe_report(const struct recipe *r, const struct fields *fields,
		   const struct table *inputs, struct table *t,
		   struct report *report, struct error *err);

/* The table that the options describe, all its rows asked for. */
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
