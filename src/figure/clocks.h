/* clocks.h: a dial for each pair of columns and row (clocks.c). */
#ifndef CLOCKS_H
#define CLOCKS_H

#include "figure/columns.h"
#include "figure/layout.h"
#include "figure/plots.h"

/* Columns that form pairs. */
struct pairs {
	size_t n;
	size_t a[CURVES_MOST + 1], b[CURVES_MOST + 1];  /* one is scratch */
};

struct clocks {
	struct pairs pairs;
	size_t rows;
	double longest[CURVES_MOST];  /* hand of each pair */
	struct point *values;         /* [rows, pairs] */
	int cell;                     /* of a dial, pixels */
	struct panels p;              /* one, of all dials */
};

/* What is drawn in dials, of which at most rows_most are in a row. */
struct dials {
	size_t rows_most;
	int least, most;              /* the size of a dial, points */
	void (*draw)(struct figure *f, const struct clocks *c,
		     const struct table *t);
};

void clocks_layout(struct figure *f, const struct table *t,
		   const struct look *look, const struct dials *dials);

/*
 * The values [rows, pairs] of c's pairs in t, from row begin on, or NULL if
 * memory ran out. longest [pairs] grows to the longest hand of each pair.
 */
struct point *clocks_values(struct figure *f, const struct table *t,
			    size_t begin, const struct clocks *c,
			    double *longest);

/* The middle of the dial of row i and pair k. */
struct point clocks_middle(const struct clocks *c, size_t i, size_t k);

extern const struct plot plot_clocks;

#endif
