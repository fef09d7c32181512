/* sight.h: what can be seen of a table at a glance, before any guess. */
#ifndef SIGHT_H
#define SIGHT_H

#include "core/table.h"

enum { DIGITS_MOST = 17 };    /* of numbers that were never decimals */

/* Noise of numbers of a digit or two: too much is true of those. */
#define NOISE_COARSE 0.01

struct sight {
	const struct table *table;  /* dense */
	size_t n, cols;       /* rows of all planes, columns */
	bool finite;          /* neither infinite nor not a number */
	bool hides;           /* all numbers are 0 or -inf, as masks have */
	bool whole;           /* all numbers are integers */
	double lo, hi;
	double mean, deviation;
	enum dtype stored;    /* the coarsest of F64, F32, F16, BF16 that holds
			         every number; F64 of what is not finite */
	int digits;           /* the most decimal digits of a number, or
			         DIGITS_MOST */
	int decimals;         /* the most digits behind a point, then */
	double noise;         /* relative rounding of a number, at most */
	double least;         /* and absolute, where numbers are tiny */
	double written;       /* the same of a shorter dtype whose decimals */
	double tiny;          /* all are; or 0 */
	double arithmetic;    /* and of the arithmetic before that */
};

/* Look at a dense table. */
void sight_take(struct sight *s, const struct table *t);

/* Row i of all planes, [cols]. */
const double *sight_row(const struct sight *s, size_t i);

/* Rows as queries and columns as keys: "query-len=3 key-len=5", or "len=5". */
const char *sight_lengths(const struct sight *s, char text[64]);

/* Whether all numbers of row i are zero. */
bool sight_zero_row(const struct sight *s, size_t i);

/* Whether every plane has the same numbers along its diagonals. */
bool sight_toeplitz(const struct sight *s);

#endif
