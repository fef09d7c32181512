/*
 * distribution.h: whether values are distributed normally or uniformly, and
 * how often they occur. independence.h tests whether rows and columns are
 * independent.
 */
#ifndef DISTRIBUTION_H
#define DISTRIBUTION_H

#include "identify/profile.h"

/* What was measured of the values of a table, or of a sample of them. */
struct distribution {
	size_t n;              /* values */
	size_t different;      /* among them */
	double zeros;          /* share of values that are 0 */
	double mean, deviation;
	double min, max;
	double normal_p;       /* Kolmogorov-Smirnov, mean and deviation */
	double uniform_p;      /* estimated; and least and greatest value */
	double extreme_p;      /* of the largest |value - mean|, if normal */
	bool clipped;          /* far too many values are min or max */
	bool copied;           /* most values occur equally often, more than
				  once */
};

/*
 * Test a sample of the values, at least two different ones, in rows that are
 * not zero. Values were rounded: the empirical distribution is known only
 * between the intervals that are rounded to a value. owner keeps the sample.
 */
bool distribution_test(struct distribution *d, const struct profile *p,
		       struct table *owner, struct error *err);

/* Whether the values may be draws from the distribution. */
bool looks_normal(const struct distribution *d);
bool looks_uniform(const struct distribution *d);

#endif
