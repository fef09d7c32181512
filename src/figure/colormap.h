/* colormap.h: numbers to colours. */
#ifndef COLORMAP_H
#define COLORMAP_H

#include <stddef.h>

struct color {
	unsigned char red, green, blue;
};

enum {
	COLORS = 255,       /* levels of a map; odd, so that 0 has its own */
	COLOR_NAN = COLORS, /* the index that stands for no number */
};

/* A map and the range of numbers that it spans. */
struct colormap {
	const char *name;
	double lo, hi;
};

/*
 * The map for numbers from lo to hi: diverging and symmetric about 0 where
 * they have both signs, sequential else.
 */
struct colormap colormap_for(double lo, double hi);

/* The colour of each level, 0 to COLORS - 1, then that of NaN. */
void colormap_palette(const struct colormap *m,
		      struct color palette[COLORS + 1]);

/* The levels of x [n]; what lies beyond the range takes its end. */
void colormap_doubles(const struct colormap *m, const double *x, size_t n,
		      unsigned char *levels);
void colormap_floats(const struct colormap *m, const float *x, size_t n,
		     unsigned char *levels);

#endif
