/* lattice.h: tables whose values were rounded to steps: int8, two decimals. */
#ifndef LATTICE_H
#define LATTICE_H

#include "identify/identify.h"

/* The step of which all differences of values are multiples, or 0. */
double lattice_step(struct search *s, const struct profile *p);

/* The largest residual that rounding to steps leaves. */
double lattice_most(double step);

/* Whether rounding to steps explains residuals up to the largest. */
bool lattice_explains(double step, double largest);

/* The standard deviation of what rounding to steps leaves: uniform. */
double lattice_noise(double step);

#endif
