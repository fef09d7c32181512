/*
 * orders.h: the order of rows of queries, keys and values, in a tensor of each
 * or in one of all three.
 */
#ifndef ORDERS_H
#define ORDERS_H

#include "containers/tensors.h"
#include "views/permute.h"

struct config;
struct conversion;
struct error;
struct pair;
struct side;

/*
 * How a model has queries, keys and values in one tensor: in groups, each with
 * its share of queries, then of keys, then of values. One group: all queries
 * come first. As many groups as heads: the query, key and value of each.
 */
struct fusion {
	size_t groups;         /* 0: not known, or a part has its own tensor */
	bool values_first;     /* in each group values come before keys */
	size_t heads, keys;    /* of queries, and of keys; 0: not known */
	const char *name;      /* a part of the tensors' names; NULL: any */
};

/* A tensor that one model has as a part of a larger one. */
struct split {
	bool used;             /* if not, both models have the same parts */
	size_t side;           /* the model that has all in one tensor */
	size_t part;           /* 0: queries, 1: keys, 2: values */
	size_t rows[3];        /* of these */
};

/* fused.c: what the configuration says; heads: 0 if it has no such number. */
struct fusion fusion_read(const struct config *of, double heads, double keys);

/* That of a tensor of a side. */
struct fusion fusion_of(const struct side *s, const struct tensor *t);

/* Whether a tensor is a matrix [in, out] of a class that has such. */
bool fusion_columns(const struct side *s, const struct tensor *t);

/* "the query, key and value of each of 4 heads" */
const char *fusion_words(struct conversion *c, const struct fusion *f);

/*
 * Begin to split a tensor of a model into what the other one has in three.
 * False: its order is not known, or shapes do not fit.
 */
bool split_begin(const struct conversion *c, size_t side,
		 const struct tensor *fused, const struct tensor *const of[3],
		 struct split *s);

/* layout.c: compare weights or biases, and the order of their rows. */
void layout_compare(struct conversion *c, const struct pair *p,
		    struct error *err);

#endif
