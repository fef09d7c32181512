/*
 * attend_encoding.h: the table of an encoding that a scheme of attend needs,
 * made by the encoding's own recipe (attend_scheme.c).
 */
#ifndef ATTEND_ENCODING_H
#define ATTEND_ENCODING_H

#include "views/attend.h"

/*
 * The table of an encoding while it is made. The first failure is kept in err;
 * later calls then do nothing.
 */
struct encoding {
	const struct recipe *recipe;
	struct fields fields;
	struct error *err;
	const struct option *options;  /* of attend, */
	const void *self;              /* and their values */
	struct table t;
};

/* Begin the table of an encoding with the options of the scheme. */
void scheme_begin(struct encoding *e, const struct attend *s, const char *name,
		  const struct table *owner, struct error *err);

/* Set an option of the encoding to a text or a number. */
void encoding_set(struct encoding *e, const char *name, const char *text);
void encoding_set_number(struct encoding *e, const char *name, double x);

/* Set its numbers of queries and keys. */
void encoding_set_pairs(struct encoding *e, const struct attention *a);

/* Make the table; false if anything has failed. */
bool encoding_finish(struct encoding *e);

/* All rows of the table, to x [end, cols], from which it may be made. */
bool encoding_rows(struct encoding *e, double *x);

/* Copy the table; only its diagonals if it has them. */
bool encoding_keep(struct pair_values *to, struct encoding *e,
		   struct table *owner, struct error *err);

void encoding_close(struct encoding *e);

/*
 * attend_labels.c: make labels of pairs, and the products of their vectors with
 * queries and keys, of the schemes relative, deberta and transformer-xl.
 */
bool attend_labels(const struct attend *s, struct attention *a,
		   struct table *owner, struct error *err);

#endif
