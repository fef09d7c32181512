/* lattice.h: tables whose values were rounded to steps: int8, two decimals. */
#ifndef LATTICE_H
#define LATTICE_H

#include "identify/identify.h"

/*
 * The step of which all differences of values are multiples, or 0, and how far
 * these are off at most.
 */
double lattice_step(struct search *s, const struct profile *p, double *off);

/* The largest residual that rounding to steps leaves. */
double lattice_most(double step);

/*
 * Whether rounding to steps explains residuals up to the largest: not if they
 * are as small as those of the steps. Then a table of steps has noise.
 */
bool lattice_explains(double step, double off, double largest);

/* The standard deviation of what rounding to steps leaves: uniform. */
double lattice_noise(double step);

#endif
