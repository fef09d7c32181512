/* subfigures.h: several figures in one, such as two encodings side by side. */
#ifndef SUBFIGURES_H
#define SUBFIGURES_H

#include "figure/look.h"
#include "table/table.h"

enum { SUBFIGURES_MOST = 64 };

struct subfigure {
	struct table *t;       /* its bounds may become those of all */
	struct look look;      /* its title is over it; NULL: that of t */
	bool sum;              /* of t and what is beside it, which it shows */
};

struct subfigures {
	struct subfigure at[SUBFIGURES_MOST];
	size_t n, columns;     /* side by side */
	bool letters;          /* "(a)", "(b)", ... before their titles */
	char range[64];        /* "A:B", with subfigures_share(), */
	bool shared;           /* and lines have one range of values */
	char about[200];       /* "3 figures: sinusoid, rope, pe.npy" */
};

/* Whether a part can be added to the first of a sum. */
bool sum_check(const struct subfigure *first, const struct subfigure *part,
	       struct error *err);

/* Make the sum of parts [n] that can be added, with their values; its title is
   none. */
bool sum_make(struct subfigure *sum, const struct subfigure *parts, size_t n,
	      struct table *owner, struct error *err);

/* Give all heat maps one range and one scaling of colours, and each row one
   colour bar, and one to each that has masked keys; and all lines one range. */
bool subfigures_share(struct subfigures *s, struct error *err);

struct figure;

/* The layout of look->subfigures; t has their title. */
void subfigures_layout(struct figure *f, const struct table *t,
		       const struct look *look);

#endif
