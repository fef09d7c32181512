/* paint.h: which colours the numbers of a figure take. */
#ifndef PAINT_H
#define PAINT_H

#include "figure/figure.h"
#include "figure/sample.h"

/* How numbers become levels of the figure's palette. */
struct paint {
	struct colormap map;
	bool steps;      /* a level for each whole number, lo to hi */
	bool empty;      /* not one finite number */
};

/*
 * Choose them, and fill the palette of f. Signed numbers diverge from 0, in
 * the middle unless --range says else. At most so many levels.
 */
void paint_choose(struct paint *p, struct figure *f, const struct look *look,
		  const struct sample *s, int levels);

#endif
