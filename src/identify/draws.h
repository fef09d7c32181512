/*
 * draws.h: whether the values of a table look like draws from a distribution,
 * independent of each other, of their row and of their column.
 *
 * Each test of rows and columns has a statistic whose distribution is known if
 * the values are independent draws from any one distribution. It is given as a
 * z-score, the number of standard deviations of a normal distribution.
 */
#ifndef DRAWS_H
#define DRAWS_H

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

/* The same of values x [n], which are sorted; p tells how they were rounded. */
void distribution_of(struct distribution *d, const struct profile *p,
		     const double *x, size_t n);

/* Whether the values may be draws from the distribution. */
bool looks_normal(const struct distribution *d);
bool looks_uniform(const struct distribution *d);

/*
 * Tests of the rows of a block, or of its columns: "lines". Where these differ
 * in their means or norms, correlations and products are those of lines that
 * were centered and scaled.
 */
struct lines {
	size_t n, length;      /* lines, and values of each */
	double norm_z;         /* spread of their norms: > 0 too large, < 0 too
				  small, as if they were normalized */
	double norms[2];       /* the least and the greatest */
	double mean_z;         /* spread of their means */
	double means[2];
	double product_z;      /* size of the products of pairs: > 0 if lines
				  are combinations of fewer, < 0 if they are
				  orthogonal */
	double rank;           /* as many independent lines have such pairs */
	double correlation;    /* of lines at the distance lag, where it is */
	double correlation_z;  /* the first that is rejected */
	size_t lag;            /* 0: of each line with its mirror image, n - 1
				  less its index */
	bool repeated;         /* lines equal[0] and equal[1] are equal */
	size_t equal[2];
	bool orthogonal;       /* of equal norm, and orthogonal to each other */
};

struct independence {
	struct lines rows, columns;
	double symmetry_z;     /* of a square block with its transpose; or 0 */
	size_t rank;           /* rows of which all are combinations, up to
				  rounding, if these are few; or 0 */
};

/* At least this many rows that are not zero, and columns. */
enum { LINES_LEAST = 8, LOW_RANK = 16 };

/* From this z-score on, a test rejects the independence. */
#define REJECTED 4.8

/*
 * Test the first rows and columns that are not all zero, up to 2^18 values.
 * False if there are too few, or memory is short.
 */
bool independence_test(struct independence *t, const struct profile *p,
		       struct table *owner, struct error *err);

#endif
