/* style.h: the options of all outputs, and the command that they make. */
#ifndef STYLE_H
#define STYLE_H

#include "recipe/recipe.h"
#include "figure/look.h"

struct style {
	struct look look;   /* first, so that OPTION(struct look, ...) works */
	struct integer head; /* the plane to output */
	int dtype;          /* index of dtype_words; NO_CHOICE: the table's */
	struct range rows;
	size_t precision;   /* significant digits of text; 0: shortest */
	size_t threads;     /* 0: number of CPUs */
	size_t max_memory;  /* MB for the values of a file; 0: not given */
	const struct animation *animation;  /* not an option: of PNG; NULL: a
					       picture */
	const char *name;   /* of the array or tensor in a file of several, or
			       NULL */
	bool header, plain;
	bool preview;       /* draw on the terminal */
	bool bare;          /* HTML: no captions */
	bool quiet;         /* no notes */
	bool sync;          /* the names of outputs are on disk, too */
	bool header_only;   /* NPY */
	bool dry_run;       /* describe outputs, write none */
	bool progress;      /* not an option: show a progress bar */
};

extern const struct option style_options[];

/* The value of --animate or --plot that options of figures need; or NULL. */
const char *style_value(const struct style *style, const char *name,
			size_t length);

/*
 * What the array or tensor of t is called: --name, or its command; of several
 * beside one another what each is, or the file that it is from.
 */
enum { ARRAY_NAME_ROOM = 101 };
void style_name(const struct style *style, const struct table *t, bool several,
		char name[ARRAY_NAME_ROOM]);

/*
 * Fail unless --name, if given, is one that all programs take, and the names of
 * tables beside one another are, and differ.
 */
bool style_check_names(const struct style *style, const struct table *t,
		       struct error *err);

/*
 * The command line that makes t again in the format of that name, without the
 * output's name; to be freed. NULL: out of memory.
 */
char *command_line(const struct table *t, const struct style *style,
		   const char *format);

#endif
