/* biases.h: biases of heads that depend on the distance of query and key. */
#ifndef BIASES_H
#define BIASES_H

#include "recipe/positions.h"

/* The row of --heads of struct type. */
#define HEADS_OPTION(type)                                              \
	{ OPTION(type, heads), .min = 1, .max = 65536,                  \
	  .one = "head", .many = "heads", .required = true,             \
	  .arg = "H", .help = "number of attention heads" }

/* Make t one row of value [heads], which t owns; name: what a value is. */
void heads_row(struct table *t, const char *name, const double *value,
	       size_t heads);

/* Writes the biases of all heads at a distance |i - j| to v [heads]. */
typedef void biases_at(const void *self, double distance, double *v);

/*
 * Make t [heads, queries, keys] of f(self, |i - j|); causal: 0 for keys after
 * the query. f is called once for each distance, of which there are at most
 * 2^27; t owns the values. The last query is at the position of the last key.
 * Fails without --len, or --query-len and --key-len.
 */
bool biases_make(struct table *t, const struct lengths *lengths, size_t heads,
		 bool causal, biases_at *f, const void *self,
		 struct error *err);

#endif
