/* colormap.h: colour maps, and the levels of values on them. */
#ifndef COLORMAP_H
#define COLORMAP_H

#include <stdbool.h>
#include <stddef.h>

struct color {
	unsigned char red, green, blue;
};

/* Values that have no place on a map: each kind has a colour of its own. */
enum missing { MISSING_NAN, MISSING_INF, MISSING_MINUS_INF, MISSING_KINDS };

enum {
	LEVELS_MOST = 253,  /* odd, so that 0 has a level of its own */
	PALETTE_MOST = LEVELS_MOST + MISSING_KINDS,
};

enum { ANCHORS = 52 };

/* Evenly spaced colours; the map is linear between them. */
struct map {
	const char *name;
	bool diverging;     /* the colour in the middle stands for 0 */
	int n;
	struct color at[ANCHORS];
};

/* All maps; ends with a NULL name. */
extern const struct map maps[];

/* Whether there is a map of that name, or of NAME in NAME_r, its reverse. */
bool colormap_known(const char *name);

/* How the values of a range are spread over a map. */
enum color_scaling { SCALING_LINEAR, SCALING_SQRT, SCALING_LOG };

/*
 * A map and the range of values that it spans. Values become levels from 0 to
 * levels - 1; NaN, inf and -inf become levels + one of enum missing.
 */
struct colormap {
	const char *name;
	double lo, hi;
	int levels;
	enum color_scaling scaling;
};

/*
 * x as its colour counts it: itself; the root of its distance from 0, or from
 * the end of the range that is nearer to 0; or its logarithm, if lo is above 0.
 */
double colormap_scaled(const struct colormap *m, double x);

/*
 * The name of the map that figures, --plain and previews have by default for
 * values from lo to hi; dark: on a dark page.
 */
const char *colormap_default(double lo, double hi, bool dark);

/*
 * That map for values from lo to hi: diverging and symmetric about 0 if they
 * have both signs, otherwise sequential.
 */
struct colormap colormap_for(double lo, double hi);

/* The colour of a map, whose name colormap_known() knows, at x, from 0 to 1. */
struct color colormap_color(const char *name, double x);
bool colormap_diverges(const char *name);

/* The luminance of a colour of sRGB, 0 to 1. */
double color_luminance(struct color c);

/* The colour of each level: [levels + MISSING_KINDS]. */
void colormap_palette(const struct colormap *m, struct color *palette);

/* The levels of x [n]; finite ones outside the range get the
   nearest level. */
void colormap_doubles(const struct colormap *m, const double *x, size_t n,
		      unsigned char *levels);
void colormap_floats(const struct colormap *m, const float *x, size_t n,
		     unsigned char *levels);

#endif
