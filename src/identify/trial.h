/* trial.h: the table that a claim makes, beside the one that was seen. */
#ifndef TRIAL_H
#define TRIAL_H

#include "identify/sight.h"
#include "recipes.h"

/*
 * How far numbers may be from those claimed, besides being rounded: in units
 * of the arithmetic that others compute in.
 */
struct claim {
	const char *recipe, *options;
	double slack;        /* anywhere */
	double slope;        /* times the position of the row */
	double share;        /* times the number itself */
};

/* A comparison under way. */
struct trial {
	const struct sight *s;
	const struct claim *claim;
	struct table made;
	bool strict;             /* to be given up once nothing is equal */
	double *scratch;         /* [cols] */
	bool plausible[DTYPES];  /* as what the numbers were rounded to */
	bool equal[DTYPES];      /* to what was made, rounded so */
	bool printed;            /* equal in as many digits as were seen */
	bool rounded;            /* in as many decimals */
	double error[DTYPES];    /* from that, at most */
	size_t row[DTYPES], col[DTYPES];
};

/*
 * Make what the claim says of t->s: t->made, to be closed in any case. Fails
 * where the options are refused or the shape is another.
 */
bool trial_begin(struct trial *t, const struct claim *c, struct error *err);

/* Compare a few rows, which settle most claims, then all up to the n-th. */
bool trial_holds(struct trial *t, size_t n);

/* The finest dtype at which all is equal; or that of the table. */
enum dtype trial_dtype(const struct trial *t);

#endif
