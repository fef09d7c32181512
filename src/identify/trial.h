/* trial.h: one candidate's table, compared with the input value by value. */
#ifndef TRIAL_H
#define TRIAL_H

#include "identify/identify.h"

/* No arithmetic moves values further than this share of the largest one. */
#define MAX_TOLERANCE 1e-3

/* A candidate's table beside the input, while both are compared. */
struct trial {
	const struct profile *profile;
	const struct candidate *candidate;
	struct table made;
	bool strict;		/* stop once no kind of equality is left */
	const struct columns *columns; /* which of made are compared, or NULL */
	double *wide;		/* [made.cols] */
	double *scratch;	/* [cols] */
	bool stored;		/* they are the input's, as it stores them */
	double amplitude;	/* the largest absolute value of the input */
	double *before;		/* [cols] the row before scratch */
	double *slope;		/* [cols] errors that errors of angles make,
				   per position, in units of epsilon */
	bool sloped;		/* slope is set */
	size_t unexplained;	/* values that arithmetic and one rounding do
				   not make */
	bool plausible[DTYPES]; /* values may have been rounded to this dtype */
	bool equal[DTYPES];	/* all values, with the made ones rounded so */
	bool printed;		/* all values, with the input's digits */
	bool rounded[2];	/* all values, with the input's decimals: of
				   the input's dtype or, if that is one of
				   integers, of the command's; of float64 */
	bool adjacent;		/* all values, up to one unit in the last
				   place */
	/* With the made values rounded to each dtype: */
	double residual[DTYPES]; /* largest, and where it is */
	size_t row[DTYPES], col[DTYPES];
	double squares[DTYPES];	 /* sum of the squared residuals */
	/* Of an input that may have wrong values, or NULL and 0: */
	const struct table *original;
	const bool *skip;	 /* search.skip */
	size_t most_wrong, wrongs;
	bool near_wrong;	 /* search.near_wrong */
	struct wrong wrong[MOST_WRONG]; /* [wrongs] out of tolerance */
	double *input;		 /* [cols] a row without them */
	size_t jumps;		 /* other values out of tolerance, */
	size_t most_jumps;	 /* and how many are allowed */
	/* evidence.c: */
	double bits;		 /* of the command: its options, one for each */
	double cost;		 /* of their values but a list's; a margin */
	double list_cost;	 /* of a list */
	size_t rows_differ;	 /* rows, those of equal positions once */
	bool few_frequencies;	 /* the options say as much as these do */
};

/*
 * Open the candidate's table, t->made, which the caller closes in any case.
 * Fails if the options are invalid or the shape is not that of the input.
 */
bool trial_begin(struct trial *t, const struct candidate *c,
		 struct error *err);

/* Generate row i, arranged as in the input: [cols], in t->scratch. */
const double *trial_row(struct trial *t, size_t i);

/*
 * Compare rows 0 to n - 1; false if a value is out of tolerance, or memory
 * short.
 */
bool trial_compare(struct trial *t, size_t n, struct error *err);

/*
 * Set t->bits, t->cost, t->list_cost and t->rows_differ: the bits that the
 * candidate's options take if they are not the defaults or the table's shape.
 * False if memory is short.
 */
bool evidence_cost(struct trial *t, struct error *err);

/*
 * Whether the values that agree are worth more bits than that: all together
 * and, as any few frequencies agree with some base and step, the frequencies of
 * all columns; sets t->few_frequencies if only these are not.
 */
bool evidence_suffices(struct trial *t, struct error *err);

/* The widest dtype with which all values are equal, or the input's. */
enum dtype trial_dtype(const struct trial *t);

/* The dtype whose values round to those of the input, if not DTYPES. */
enum dtype trial_rounded(const struct trial *t);

#endif
