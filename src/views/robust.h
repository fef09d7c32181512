/* robust.h: location and scale of a sample that has outliers. */
#ifndef ROBUST_H
#define ROBUST_H

#include <stddef.h>

struct robust {
	double median;
	double deviation;  /* 1.4826 times the median absolute deviation: the
			      standard deviation, for a normal distribution */
};

/* Of the finite values of x [n]; 0 if there are none. */
struct robust measure_robust(const double *x, size_t n);

#endif
