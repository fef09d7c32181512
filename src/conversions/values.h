/* values.h: the values of a pair of tensors. */
#ifndef CONVERSIONS_VALUES_H
#define CONVERSIONS_VALUES_H

#include "conversions/pairs.h"
#include "table/table.h"

struct conversion;
struct side;

/* How the values of two tensors agree. */
struct agreement {
	size_t rows[2], cols[2];
	bool shaped;           /* the shapes are the same; if so: */
	bool rounded;          /* some differ by a rounding to a dtype alone */
	double coarse;         /* the largest difference that the blocks of a
				  type, or FP8, may have made; 0: none */
	size_t differing;      /* others, */
	double largest;        /* and the largest difference */
};

/* Whether the type of a tensor is read, as far as that is known. */
bool values_readable(const struct tensor *t);

/*
 * Read a tensor of a pair, whose rows may stay in the file: on_demand_check()
 * when they were used. Fails for a dtype that posenc does not read.
 */
bool values_read(struct conversion *c, const struct pair *p, size_t side,
		 struct table *t, struct error *err);

/* Whether a matrix is read transposed: the other one is not [in, out], too. */
bool values_transposed(const struct conversion *c, const struct pair *p,
		       size_t side);

/* Make a bias, which is one row, a column: a row for each value. */
void values_turn_bias(struct table *t);

/* Whether the shapes are the same. */
bool values_shaped(const struct table *a, const struct table *b);

/* An agreement with the shapes of two tables. */
struct agreement values_shapes(const struct table *a, const struct table *b);

/* "its shape is 32 x 64 in A, 64 x 64 in B" */
const char *shapes_words(struct conversion *c, const struct agreement *g);

/* Compare the tensors of a pair. */
bool values_compare(struct conversion *c, const struct pair *p,
		    struct agreement *g, struct error *err);

/* Compare n values x of A, in rows of blocks whole ones, with y of B. */
void values_agree(const struct pair *p, const struct table *a,
		  const struct table *b, const double *x, const double *y,
		  size_t n, struct agreement *g);

/* Count a pair whose values agree so; of the first that differ, say how. */
void count_pair(struct conversion *c, const struct pair *p,
		const struct agreement *g);

/* Whether a tensor of a side has all values of another one. */
bool tensors_equal(struct side *s, const struct tensor *one,
		  const struct tensor *other, struct error *err);

#endif
