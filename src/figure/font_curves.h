/* font_curves.h: cubic curves, of OpenType, as parabolas, of TrueType. */
#ifndef FONT_CURVES_H
#define FONT_CURVES_H

#include "figure/font.h"

enum {
	CURVE_PARTS = 4,   /* parabolas of a curve */
	CURVE_POINTS = 4,  /* points made of each point, at most */
};

/*
 * Write the curve from p[0] to p[3], which p[1] and p[2] control, without its
 * ends, and return where to go on. A curve of a usual letter is off by less
 * than a thousandth of an em.
 */
struct font_point *curve_split(const struct font_point p[4],
			       struct font_point *to);

#endif
