/* colormap.h: numbers to colours. */
#ifndef COLORMAP_H
#define COLORMAP_H

#include <stdbool.h>
#include <stddef.h>

struct color {
	unsigned char red, green, blue;
};

enum { LEVELS_MOST = 255 };  /* odd, so that 0 has its own */

/*
 * A map and the range of numbers that it spans, in steps. Numbers become
 * levels: 0 to levels - 1; levels itself stands for no number, or, where the
 * table is masked, for -inf.
 */
struct colormap {
	const char *name;
	double lo, hi;
	int levels;
	bool masked;
};

/*
 * The map for numbers from lo to hi: diverging and symmetric about 0 where
 * they have both signs, sequential else.
 */
struct colormap colormap_for(double lo, double hi);

/* The colour of a map, which must be one of maps, at x, from 0 to 1. */
struct color colormap_color(const char *name, double x);
bool colormap_diverges(const char *name);

/* The colour of each level and of no number: [levels + 1]. */
void colormap_palette(const struct colormap *m, struct color *palette);

/* The levels of x [n]; what lies beyond the range takes its end. */
void colormap_doubles(const struct colormap *m, const double *x, size_t n,
		      unsigned char *levels);
void colormap_floats(const struct colormap *m, const float *x, size_t n,
		     unsigned char *levels);

#endif
