/*
 * assign.h: which sine or cosine of a guessed series each column of a table is,
 * whatever the order and signs of the columns.
 */
#ifndef ASSIGN_H
#define ASSIGN_H

#include "identify/spectrum.h"
#include "identify/identify.h"

enum { MAX_HALF = 16384 };

/* Row t has the angles (t + start) step base^(-k / d), 0 <= k < half. */
struct guess {
	double base, d, step, start;
	size_t half;           /* MAX_HALF at most */
	size_t per;            /* columns that may have the same values */
};

/* Column j is sign[j] amp times the sine (sine[j] = 1) or cosine of angle
   k[j]. */
struct assignment {
	const struct profile *profile;
	const struct tone *tones;   /* [cols] */
	struct progression fit;     /* of the fast ones */
	size_t *k, *sine;           /* [cols] */
	size_t *room;               /* [8 * cols] for the caller */
	double *sign;               /* [cols] */
	size_t *used;               /* [half, 2] */
	double *values;             /* scratch */
	int tries;                  /* how often columns were assigned */
};

/*
 * Prepare to assign columns, MAX_HALF at most, that were measured to tones
 * [2 * cols]; false if they form no progression. Memory is the search's.
 */
bool assign_begin(struct assignment *a, struct search *s, struct tone *tones);

/* Whether all fast columns have a frequency of the guess. */
bool assign_check(const struct assignment *a, const struct guess *g);

/* The next start after *start, a whole number, that the phases allow. */
bool assign_next_start(const struct assignment *a, const struct guess *g,
		       double *start);

/* Assign all columns; false if one is none of the guess. */
bool assign_columns(struct assignment *a, const struct guess *g);

#endif
