/* run.h: what is done with a command line whose words have been read. */
#ifndef RUN_H
#define RUN_H

#include <limits.h>

#include "cli/args.h"
#include "formats/animation.h"

/*
 * Make what a asks for and write it to all its outputs, or to none of them.
 * no: whether a report's answer is negative, as of tables that differ.
 */
bool run_command(struct args *a, bool *no, struct error *err);

/* Make the table of one of several figures, and choose how it is drawn. */
bool run_figure(struct args *a, struct error *err);

/* --animate, the same command with many values of one option. */
struct animate {
	struct animation animation;   /* first: make() finds the rest */
	const struct args *args;
	const struct option *option;  /* whose values change */
	double first, last;
	bool log;                     /* by constant ratios */
	bool whole;                   /* values are integers */
	bool files;                   /* a file per frame */
	void *self;                   /* options before the table was made */
	bool settled;
	double lo, hi;                /* of all frames, if settled */
};

/*
 * Read --animate, if it is given, and set the option to its first value;
 * otherwise m->option is NULL. Called before the table is made.
 */
bool animate_begin(struct animate *m, struct args *a, struct error *err);

/*
 * Give all frames one range of colours, and files of their own one size. Called
 * when the outputs and the table of the first frame are known.
 */
bool animate_settle(struct animate *m, struct args *a, struct error *err);

enum { PATH_ROOM = PATH_MAX + 16 };  /* of a frame's file */

/* The path of frame i: "a007.png" of "a%03d.png". false: it has no %d. */
bool animate_path(const char *path, size_t i, char *to, size_t size);

/* The colours that a terminal has. */
enum colours { COLOURS_NONE, COLOURS_256, COLOURS_ALL };

struct terminal {
	int wide, high;        /* characters */
	enum colours colours;
};

/*
 * The size is 80 x 24 if it is unknown. There are no colours if standard output
 * is no terminal, TERM has none, or NO_COLOR is set (no-color.org).
 */
struct terminal terminal_query(void);

/*
 * The shape, then the values in aligned columns, coloured by their size. The
 * middle of a large table is left out.
 */
void preview_numbers(const struct style *style, const struct table *t,
		     const struct terminal *on, struct output_file *o);

/*
 * A heat map with two rows of cells per line of text; without colours one row,
 * in shades of ASCII. A table larger than the terminal is sampled.
 */
void preview_picture(const struct look *look, const struct table *t,
		     const struct terminal *on, struct output_file *o);

#endif
