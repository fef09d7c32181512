/* laws.h: bases and denominators that make a ladder of frequencies. */
#ifndef LAWS_H
#define LAWS_H

#include "identify/ladder.h"

/* w_k = base^(-k / d) */
struct law {
	char denom[32];  /* as options have it: "half-1" */
	double base, d;
	int digits;      /* of the base */
};

enum { LAWS_MOST = 4 };

#define LAW_BASE 10000.0  /* the usual one */

/*
 * The laws of a table of cols columns that make the ladder, to laws; how many.
 * A base and its denominator are known only together: those are taken whose
 * base is round, where it may be off by so many of the ladder's errors.
 */
size_t laws_find(const struct ladder *l, double within, size_t cols,
		 bool round_up, struct law laws[LAWS_MOST]);

#endif
