/* order.h: medians, for what a few odd numbers must not move. */
#ifndef ORDER_H
#define ORDER_H

#include "core/error.h"

#include <stddef.h>

/* What most of some numbers are, and how far from it they commonly lie. */
struct middle {
	double median;
	double spread;   /* a normal distribution's standard deviation */
};

/* Of the finite numbers of x [n]; 0 without any. Fails for want of memory. */
bool middle_of(struct middle *m, const double *x, size_t n,
	       struct error *err);

#endif
