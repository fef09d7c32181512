/* middle.h: medians, for what a few odd numbers must not move. */
#ifndef MIDDLE_H
#define MIDDLE_H

#include <stddef.h>

#include "core/error.h"

/* What most of some numbers are, and how far from it they commonly lie. */
struct middle {
	double median;
	double spread;   /* a normal distribution's standard deviation */
};

/* Of the finite numbers of x [n]; 0 without any. Fails for want of memory. */
bool middle_of(struct middle *m, const double *x, size_t n,
	       struct error *err);

#endif
