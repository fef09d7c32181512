/* style.h: how outputs look; one set of options for all formats. */
#ifndef STYLE_H
#define STYLE_H

#include "figure/look.h"

struct style {
	struct look look;   /* first: its options lie where they do in it */
	int dtype;          /* in dtype_words; NOT_GIVEN: the table's own */
	struct range rows;
	size_t precision;   /* significant digits of text; 0: all it takes */
	size_t threads;     /* 0: as many as processors */
	bool header, plain;
	bool preview;       /* a picture for a terminal */
	bool quiet;         /* no notes */
	bool head;          /* NPY: what stands before the numbers, alone */
	bool dry_run;       /* say what outputs would be, and write none */
	bool progress;      /* no option: somebody watches standard error */
};

extern const struct option style_options[];

#endif
