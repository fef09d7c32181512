/*
 * independence.h: whether the values of a table look independent of each other,
 * of their row and of their column.
 *
 * Each test has a statistic whose distribution is known if the values are
 * independent draws from any one distribution. It is given as a z-score, the
 * number of standard deviations of a normal distribution.
 */
#ifndef INDEPENDENCE_H
#define INDEPENDENCE_H

#include "identify/profile.h"

/* Tests of the rows of a block, or of its columns: "lines". */
struct lines {
	size_t n, length;      /* lines, and values of each */
	double norm_z;         /* spread of their norms: > 0 too large, < 0 too
				  small, as if they were normalized */
	double mean_z;         /* spread of their means */
	double product_z;      /* size of the products of pairs: > 0 if lines
				  are combinations of fewer, < 0 if they are
				  orthogonal */
	size_t basis;          /* rows of which all others are combinations, of
				  few; or 0 */
	double rank;           /* as many independent lines have such pairs */
	double correlation;    /* of lines at the distance lag, where it is */
	double correlation_z;  /* the first that is rejected */
	size_t lag;            /* 0: of each line with its mirror image, n - 1
				  less its index */
	bool repeated;         /* two lines are equal */
	bool orthogonal;       /* of equal norm, and orthogonal to each other */
};

struct independence {
	struct lines rows, columns;
	double symmetry_z;     /* of a square block with its transpose; or 0 */
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

/*
 * How many rows all others are combinations of, up to rounding: LOW_RANK and
 * half of the rows and columns at most; 0 if more, or if memory is short.
 */
size_t low_rank(const struct profile *p, struct table *owner,
		struct error *err);

#endif
