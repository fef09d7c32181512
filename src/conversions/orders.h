/* orders.h: the order of rows of queries, keys and values. */
#ifndef ORDERS_H
#define ORDERS_H

#include "conversions/conversions.h"

/* How the rows of A became those of B. */
struct order {
	struct fusion of[2];   /* groups 0: the part alone */
	size_t rows[3];        /* of queries, keys and values */
	size_t first;          /* row of the part that is compared */
	struct head_layout turns[2];  /* of heads of queries and keys, one
				  after the other; dim 0: none */
	struct agreement agreement;  /* of both in this order */
};

/* The weights of both models; a bias is one value per row. */
struct weights {
	const struct pair *pair;
	struct table of[2];
	size_t rows, cols;     /* that are compared */
	bool part;             /* they are one of queries, keys and values */
	size_t late;           /* the side that may be made of the other one */
	double *x, *y;         /* [cols], scratch */
	struct order need;     /* that both models need, */
	struct head_layout heads;  /* and their heads, in the order of B; of
				  size 0: unknown */
	bool vague;            /* it is not known what they need */
};

/*
 * Whether this is the order. All rows are compared, or those before the first
 * that differs.
 */
bool order_try(const struct weights *w, struct order *o, bool all);

/*
 * Find the order: the one that is needed, none, or any other, in the heads
 * or others. False: values differ in all.
 */
bool order_find(const struct weights *w, struct order *o);

/*
 * Find the orders of queries, keys and values of one tensor, each permuted in
 * its own way.
 */
bool order_find_parts(const struct weights *w, struct weights part[3],
		      struct order o[3]);

/* Find the order in which values are much nearer than in any other. */
bool order_find_nearest(const struct weights *w, struct order *best);

/* Set the sizes of the parts of all rows; false: these heads don't fit. */
bool order_set_parts(struct order *o, size_t all, size_t heads, size_t keys);

/* Whether each group of each model has the same rows. */
bool order_fits(const struct order *o);

#endif
