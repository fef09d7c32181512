/* snap.h: round numbers near measured ones. */
#ifndef SNAP_H
#define SNAP_H

/* The decimal of fewest digits that is at most within from x, > 0. */
double snap(double x, double within);

/* The same, but a whole number where there is one, then fewest decimals. */
double snap_whole(double x, double within);

/* The significant digits of x, as a user would type it: 10000 has 1. */
int snap_digits(double x);

/* x in those digits, to text; text. */
const char *snap_text(double x, char text[32]);

#endif
