/* args.h: the words of a command line into fields. */
#ifndef ARGS_H
#define ARGS_H

#include "recipe/recipe.h"
#include "containers/open.h"
#include "formats/select.h"

enum { OUTPUTS_MOST = 32, INPUTS_MOST = BESIDE_MOST };

struct output {
	const struct format *format;  /* NULL: as people read it */
	const char *path;
};

/* "csv"; "preview" where it has no format. */
const char *output_name(const struct output *p);

/* An option as typed, and the struct of its field. */
struct setting {
	const struct option *option;
	void *self;
	const char *text;
};

/* What one run of the program is asked to do. To be closed in any case. */
struct args {
	const struct recipe *recipe;
	bool help;                /* show the recipe's help, do nothing else */
	struct fields fields;     /* of the recipe, */
	struct table table;       /* in the table to make */
	enum dtype made[BESIDE_MOST];  /* its dtype, and those of the others,
				 before another is asked for */
	const char *input_paths[INPUTS_MOST];
	struct table inputs[INPUTS_MOST];
	size_t input_count;
	struct selection input; /* which part of the inputs */
	struct setting *settings; /* [setting_count], in the order typed */
	size_t setting_count;
	const struct setting *each; /* --out A,B, of which the first word is in
				 fields, and each makes a table; or NULL */
	struct table others[BESIDE_MOST - 1];  /* [other_count], of the other
				 words */
	size_t other_count;
	bool models;              /* two are compared, not tables */
	bool reads;               /* options name files that are read */
	bool reads_in;            /* "-" is one of these, or a table */
	bool maybe_raw;           /* one of these tables may lack its shape */
	bool processes;           /* one of them is read in another process */
	struct style style;
	struct output outputs[OUTPUTS_MOST + 1];  /* one more for a report */
	size_t output_count;
	struct args *figures;     /* [figure_count] of posenc figure */
	size_t figure_count;
};

/*
 * Read the words after the command's name, argv [argc]; then, unless they ask
 * for help, set what they say and read the files that they name.
 */
bool args_words(struct args *a, const struct recipe *recipe, int argc,
		char **argv, struct error *err);
bool args_values(struct args *a, struct error *err);

/* The same for one of a->figures, after args_values() of all. */
bool args_set(struct args *a, struct error *err);

/* Words and values. */
bool args_read(struct args *a, const struct recipe *recipe, int argc,
	       char **argv, struct error *err);

extern const struct recipe explore_recipe;

/*
 * Both, of the words after "explore": TABLEs, or the name of an encoding and
 * its options, of which those that a table needs have values here. a is that of
 * the encoding, and has the page among its outputs.
 */
bool explore_read(struct args *a, int argc, char **argv, struct error *err);

extern const struct recipe figure_recipe;

/* Both, of the words after "figure", with the tables of all figures. */
bool figure_read(struct args *a, int argc, char **argv, struct error *err);

/* One more output. Only one of them may be "-". */
bool args_output(struct args *a, const struct format *f, const char *path,
		 struct error *err);

void args_close(struct args *a);

#endif
