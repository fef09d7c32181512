/* layout.h: the order of rows of query and key weights. */
#ifndef LAYOUT_H
#define LAYOUT_H

#include "conversions/conversions.h"
#include "conversions/values.h"

/* The weights of both models; a bias is one value per row. */
struct weights {
	const struct pair *pair;
	struct table a, b;
	size_t rows, cols;
	double *x, *y;         /* [cols], scratch */
};

/* Where the rows of B are in A. */
struct order {
	size_t (*source)(const struct order *o, size_t i);  /* of row i of B */
	struct head_layout heads;  /* if rows are permuted in each; or */
	size_t groups, each;   /* groups of heads that are regrouped */
	bool known;
	struct agreement agreement;  /* of both in this order */
};

/* Compare query or key weights, and the order of their rows. */
void layout_compare(struct conversion *c, const struct pair *p,
		    struct error *err);

/* fused.c: the same of queries, keys and values in one tensor. */
void fused_compare(struct conversion *c, const struct pair *p,
		   struct error *err);

/* What both files share. */

/* Rows stand where they are in A. */
size_t as_is(const struct order *o, size_t i);

/* Read both, and judge them if their shapes are the same. */
void weights_compare(struct conversion *c, const struct pair *p,
		     void (*judge)(struct conversion *c,
				   const struct weights *w,
				   struct error *err),
		     struct error *err);

/*
 * Count a pair whose values differ, and say why the order of its rows is not
 * known, or what one tensor is of the other.
 */
void count_unknown(struct conversion *c, const struct pair *p,
		   const struct agreement *g, const char *why,
		   struct error *err);

/*
 * Whether this is the order: o->known. All rows are compared, or those before
 * the first that differs.
 */
bool try_order(const struct weights *w, struct order *o, bool all);

#endif
