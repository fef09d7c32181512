/* animate.h: --animate, the same command with many values of one option. */
#ifndef ANIMATE_H
#define ANIMATE_H

#include <limits.h>

#include "cli/args.h"
#include "formats/animation.h"

enum { VALUE_TEXT = 32 };

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

#endif
