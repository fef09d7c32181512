/* split.h: queries, keys and values of one tensor, where a model has three. */
#ifndef SPLIT_H
#define SPLIT_H

#include "containers/tensors.h"

struct conversion;

/* The order of queries, keys and values, of all heads, in one tensor. */
enum fusion {
	FUSED_UNKNOWN,
	FUSED_PARTS,           /* rows: all queries, all keys, all values */
	FUSED_COLUMNS,         /* columns in this order */
	FUSED_GROUPS,          /* queries, a key and a value of each group */
};

/* A part of such a tensor; of no other tensor if fusion is FUSED_UNKNOWN. */
struct split {
	enum fusion fusion;
	size_t side;           /* the model that has all in one tensor */
	size_t sizes[3];       /* rows of queries, keys and values */
	size_t part;           /* 0 to 2, of them */
	size_t head;           /* the size of one */
};

/*
 * Begin to split a tensor of a model into what the other one has in three.
 * False: its order is not known, or shapes do not fit.
 */
bool split_begin(const struct conversion *c, size_t side,
		 const struct tensor *fused, const struct tensor *const of[3],
		 struct split *s);

/*
 * Replace t, the whole tensor, by its part; values of FUSED_COLUMNS are in
 * memory.
 */
bool split_take(const struct split *s, struct table *t, struct error *err);

/* on_demand_check() of a table that may be a part. */
bool split_check(const struct table *t, struct error *err);

#endif
