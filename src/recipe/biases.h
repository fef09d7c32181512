/* biases.h: biases of heads that depend on the distance of query and key. */
#ifndef BIASES_H
#define BIASES_H

#include "recipe/positions.h"

/* Writes the biases of all heads at a distance |i - j| to v [heads]. */
typedef void biases_at(const void *self, double distance, double *v);

/*
 * Make t [heads, queries, keys] of f(self, |i - j|); causal: 0 for keys after
 * the query. f is called once for each distance, of which there are at most
 * 2^27; t owns the values. The last query is at the position of the last key.
 * Fails without --len, or --query-len and --key-len.
 */
bool biases_make(struct table *t, const struct pairs *pairs, size_t heads,
		 bool causal, biases_at *f, const void *self,
		 struct error *err);

/* Fail unless list has a number in (0, most] for each head. */
bool biases_list(const struct list *list, const char *flag, size_t heads,
		 double most, struct error *err);

#endif
