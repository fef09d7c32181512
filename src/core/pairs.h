/* pairs.h: tables of queries by keys, and the options that size them. */
#ifndef PAIRS_H
#define PAIRS_H

#include "core/option.h"

/* How many queries and keys; the fields of every such recipe. */
struct pairs {
	size_t len, query_len, key_len;
};

#define PAIRS_MOST 0x1p52

/* The rows of options for a recipe whose struct begins with a struct pairs. */
#define PAIRS_OPTIONS                                                   \
	{ OPTION(struct pairs, len), .min = 1, .max = PAIRS_MOST,       \
	  .arg = "N", .help = "queries and keys" },                     \
	{ OPTION(struct pairs, query_len), .min = 1, .max = PAIRS_MOST, \
	  .arg = "Q", .help = "queries, in place of --len" },           \
	{ OPTION(struct pairs, key_len), .min = 1, .max = PAIRS_MOST,   \
	  .arg = "K", .help = "keys, in place of --len" }

/* Make t [queries, keys], with its axes. Fails where one is not given. */
bool pairs_shape(const struct pairs *p, struct table *t, struct error *err);

#endif
