/* fill.h: how much of each pixel an area covers. */
#ifndef FILL_H
#define FILL_H

#include "figure/figure.h"

/*
 * The part, 0 to 1, of each pixel of row y that the area with the corners
 * points [n] covers, to parts [w + 2], which is wide enough for all corners.
 */
void fill_row(const struct point *points, size_t n, int y, double *parts,
	      int w);

#endif
