/* similarity.h: similarity of every pair of rows, and by distance. */
#ifndef SIMILARITY_H
#define SIMILARITY_H

#include "table/table.h"

enum metric { METRIC_DOT, METRIC_COSINE, METRIC_L2 };

/*
 * Make t, which is still empty, the table [rows, rows] of x: x_i . x_j,
 * x_i . x_j / (|x_i| |x_j|) or |x_i - x_j|. The cosine similarity with a row of
 * zeros is 0. Fails as similarity_check() does.
 */
bool similarity_open(struct table *t, const struct table *x,
		     enum metric metric, struct error *err);

/* Fail unless x has one plane. */
bool similarity_one_plane(const struct table *x, struct error *err);

/* Fail unless the values of t, "TABLE", are finite and below 2^exponent. */
bool similarity_below(const struct table *t, const char *name, int exponent,
		      struct error *err);

/* Fail unless x has one plane, and all products of its values are finite. */
bool similarity_check(const struct table *x, struct error *err);

/* Statistics of all pairs of rows i and i + k, for each distance k. */
struct curve {
	size_t n;                  /* distances from 0: the rows of the table */
	double *mean, *std;        /* [n]; std of the population */
	double *min, *max;         /* [n] */
	double *first;             /* [n] of rows 0 and k */
};

/* The curve of t, a similarity table; owner keeps what it points to. */
bool curve_open(struct curve *c, const struct table *t, struct table *owner,
		struct error *err);

/*
 * Make t, which is still empty, the curve as a table: similarity --curve. Of
 * many rows it has the means alone, unless their spread is asked for.
 */
bool similarity_curve(struct table *t, const struct table *x,
		      enum metric metric, bool spread, struct error *err);

/*
 * The same in steps, to look at the rows for other reasons, too: begin with n
 * rows, then pass each row in order, then end.
 */
bool curve_begin(struct curve *c, size_t n, struct table *owner,
		 struct error *err);
void curve_row(struct curve *c, size_t i, const double *x);
void curve_end(struct curve *c);

#endif
