/* font_curves.c: cubic curves as parabolas. */
#include <math.h>

#include "figure/font_curves.h"

/* The cubic through a, controlled by b and c, to d, at t. */
static double value(const double p[4], double t)
{
	const double s = 1 - t;

	return s * s * s * p[0] + 3 * s * s * t * p[1] +
	       3 * s * t * t * p[2] + t * t * t * p[3];
}

static double slope(const double p[4], double t)
{
	const double s = 1 - t;

	return 3 * (s * s * (p[1] - p[0]) + 2 * s * t * (p[2] - p[1]) +
		    t * t * (p[3] - p[2]));
}

/* What controls the parabola nearest to the cubic from t on. */
static double control(const double p[4], double t)
{
	const double step = 1.0 / CURVE_PARTS, end = t + step;

	return (value(p, t) + value(p, end)) / 2 +
	       (slope(p, t) - slope(p, end)) * step / 4;
}

struct font_point *curve_split(const struct font_point p[4],
			       struct font_point *to)
{
	const double x[] = { (double)p[0].x, (double)p[1].x, (double)p[2].x,
			     (double)p[3].x };
	const double y[] = { (double)p[0].y, (double)p[1].y, (double)p[2].y,
			     (double)p[3].y };

	for (int i = 0; i < CURVE_PARTS; i++) {
		const double t = (double)i / CURVE_PARTS;

		if (i)
			*to++ = (struct font_point){ lround(value(x, t)),
						     lround(value(y, t)), 1 };
		*to++ = (struct font_point){ lround(control(x, t)),
					     lround(control(y, t)), 0 };
	}
	return to;
}
