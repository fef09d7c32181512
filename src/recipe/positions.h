/*
 * positions.h: the positions of a table's rows, or of its queries and keys,
 * with the options that set them.
 */
#ifndef POSITIONS_H
#define POSITIONS_H

#include "recipe/option.h"
#include "text/decimal.h"

/* start, start + step, ... len of them; or those of a list. */
struct positions {
	size_t len;
	double start, step;
	struct list positions;
};

/* The greatest magnitude: beyond it doubles skip whole numbers. */
#define POSITION_MOST 0x1p53

/*
 * The rows of options for a struct that has a struct positions at offset; must:
 * whether every table of the recipe has positions.
 */
#define POSITIONS_OPTIONS(offset, must)                                 \
	{ OPTION_IN(offset, struct positions, len),                     \
	  .required = (must), .unless = "positions",                    \
	  .role = ROLE_EXTENT, .min = 1, .max = POSITION_MOST,          \
	  .one = "position", .many = "positions",                       \
	  .arg = "N", .help = "number of positions, one row each" },    \
	{ OPTION_IN(offset, struct positions, start),                   \
	  .role = ROLE_EXTENT, .initial = "0",                          \
	  .phrase = "from %",                                           \
	  .min = -POSITION_MOST, .max = POSITION_MOST,                  \
	  .arg = "P", .help = "position of the first row" },            \
	{ OPTION_IN(offset, struct positions, step),                    \
	  .role = ROLE_EXTENT, .initial = "1",                          \
	  .phrase = "in steps of %",                                    \
	  .min = -POSITION_MOST, .max = POSITION_MOST,                  \
	  .arg = "S", .help = "difference between positions" },         \
	{ OPTION_IN(offset, struct positions, positions),               \
	  .role = ROLE_EXTENT,                                          \
	  .arg = "LIST|@FILE|-", .help = "positions of the rows, in "   \
		  "place of --len, --start and --step" }

/* The position of row i. */
double position_at(const struct positions *p, size_t i);

/* Fail if a position of --positions is beyond the greatest magnitude. */
bool positions_check(const struct list *positions, struct error *err);

/* Give t a row for each position. Fails if there are none, or beyond 2^53. */
bool positions_shape(const struct positions *p, struct table *t,
		     struct error *err);

/* How tokens are counted, and which are not: those of padding. */
struct token_count {
	bool pads;            /* whether there is padding */
	double padding;       /* its id, */
	double at_padding;    /* and its position */
	double first;         /* position of the first token */
};

/* The position of each of n tokens, to x [n]. */
void positions_count(const struct token_count *c, const double *id, size_t n,
		     double *x);

/* How many queries and keys; the fields of every such recipe. */
struct lengths {
	size_t len, query_len, key_len;
};

#define LENGTHS_MOST (INTEGER_MOST / 2)

/* Option rows for a recipe whose struct begins with a struct lengths. */
#define LENGTHS_OPTIONS                                                 \
	{ OPTION(struct lengths, len), .role = ROLE_EXTENT,             \
	  .min = 1, .max = LENGTHS_MOST,                                \
	  .one = "position", .many = "positions",                       \
	  .arg = "N", .help = "number of queries and of keys" },        \
	{ OPTION(struct lengths, query_len), .role = ROLE_EXTENT,       \
	  .min = 1, .max = LENGTHS_MOST,                                \
	  .one = "query", .many = "queries",                            \
	  .arg = "Q", .help = "number of queries (default: --len)" },   \
	{ OPTION(struct lengths, key_len), .role = ROLE_EXTENT,         \
	  .min = 1, .max = LENGTHS_MOST,                                \
	  .one = "key", .many = "keys",                                 \
	  .arg = "K", .help = "number of keys (default: --len)" }

/* Whether a length is given. */
static inline bool lengths_given(const struct lengths *p)
{
	return p->len || p->query_len || p->key_len;
}

/*
 * Make t [queries, keys], with its axes; the last query is at the last key.
 * Fails where one is not given.
 */
bool lengths_shape(const struct lengths *p, struct table *t, struct error *err);

/* The same for few enough of them to keep a value for each distance. */
bool lengths_kept(const struct lengths *p, struct table *t, struct error *err);

/* Make t one row, a query and a key at each distance of --distances. */
bool distances_shape(const struct range *distances, struct table *t,
		     struct error *err);

#endif
