/* profile.h: what a table shows before any candidate is tried. */
#ifndef PROFILE_H
#define PROFILE_H

#include "table/table.h"

enum { MAX_DIGITS = 17 };     /* of values that are no short decimals */

/* Relative rounding of one or two digits: too many candidates fit those. */
#define COARSE_NOISE 0.01

/* Statistics of a table, and how its values were rounded. */
struct profile {
	const struct table *table;  /* dense or on demand */
	size_t n, cols;          /* rows of all planes together; columns */
	bool finite;             /* no infinity and no NaN */
	bool additive_mask;      /* all values are 0 or -inf */
	bool masked;             /* no mask, but some values are -inf, which
				    are not measured, and no others infinite */
	bool integers;           /* all values are integers */
	double min, max;
	double mean, deviation;  /* deviation: the standard deviation */
	double least_peak;       /* no row's largest absolute value is less; 0:
				    nothing is known */
	enum dtype stored;       /* dtype_smallest(); F64 if not finite, unless
				    masked */
	int digits;              /* most significant decimal digits of a value,
				    or MAX_DIGITS */
	int decimals;            /* most digits after the point, or
				    MAX_DIGITS */
	enum dtype rounded_to;   /* the narrowest dtype whose values, or whose
				    shortest decimals, the values are */
	double noise;            /* largest relative rounding error */
	double abs_noise;        /* largest absolute one, of tiny values */
	double dtype_noise;      /* the same two of a narrower dtype whose */
	double dtype_abs_noise;  /* shortest decimals the values are; or 0 */
	double epsilon;          /* relative rounding of the arithmetic that may
				    have computed the values */
	double assumed;          /* largest absolute noise that is assumed, of
				    which noise and abs_noise tell; or 0 */
	struct spectrum *spectrum; /* spectrum.h: if noise is assumed */
	const double *column;    /* [n], column 0 of a table on demand, or
				    NULL */
};

/* Measure a table, dense or on demand. */
void profile_table(struct profile *p, const struct table *t);

/*
 * The same, with column 0 of a table on demand, unless it is long: searches for
 * grids ask for it here and there. owner owns it.
 */
bool profile_with_column(struct profile *p, const struct table *t,
			 struct table *owner, struct error *err);

/* The dtype that the values were rounded to, or the table's of integers. */
enum dtype profile_dtype(const struct profile *p);

/*
 * The value of a table whose values are equal: the shortest decimal that reads
 * back as the same value of its dtype. Written to text, which is returned.
 */
const char *profile_constant(const struct profile *p, char text[64]);

/* Of a sample of the values of a column. */
struct moments {
	double mean, variance;
};

/* The columns [cols], owned by owner; NULL if memory is short. */
struct moments *profile_columns(const struct profile *p, struct table *owner,
			       struct error *err);

/*
 * The unit of the last digit of text, as x has it: "0.01" as a float is a
 * little less.
 */
double profile_last_digit(const struct profile *p, double x);

/* The k-th index of a sample that is spread over [0, n). */
size_t sample_index(size_t k, size_t n);

/* Row i, counted over all planes: [cols]. */
const double *profile_row(const struct profile *p, size_t i);

/* Value j of row i, without the others: for values here and there. */
double profile_value(const struct profile *p, size_t i, size_t j);

/*
 * Rows as queries and columns as keys, as options: "query-len=3 key-len=5", or
 * "len=5". Written to text, which is returned.
 */
const char *profile_lengths(const struct profile *p, char text[64]);

/* Whether all values of row i are zero, up to the assumed noise. */
bool profile_zero_row(const struct profile *p, size_t i);

/* The same of column j. */
bool profile_zero_column(const struct profile *p, size_t j);

/* Whether all columns are equal, up to the assumed noise. */
bool profile_same_columns(const struct profile *p);

/* Whether every plane is constant along its diagonals. */
bool profile_toeplitz(const struct profile *p);

#endif
