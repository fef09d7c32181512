/* plot.h: where curves go. */
#ifndef PLOT_H
#define PLOT_H

#include "figure/curves.h"
#include "figure/layout.h"

/* Numbers to pixels, and what lies around them. */
struct plot_area {
	const struct curves *curves;
	bool steps;
	double left, right, low, high;
	struct box box;
	struct side x, y;
	struct heading heading;
	int legend;          /* how wide */
};

/* Numbers in pixels from the left and the top of the box. */
double plot_x(const struct plot_area *p, double x);
double plot_y(const struct plot_area *p, double y);

/* The path of curve i through points [n] of the box; none where n is 0. */
void plot_path(struct figure *f, const struct plot_area *p, size_t i,
	       const struct point *points, size_t n);

/*
 * Curve i in pieces: it is broken where it leaves the box or is no number. A
 * number alone is a dot.
 */
void plot_curve(struct figure *f, const struct plot_area *p, size_t i);

#endif
