/*
 * gains.h: the phases that pairs of columns gain over some rows, as means of
 * many rows, which noise hardly changes.
 */
#ifndef GAINS_H
#define GAINS_H

#include "identify/frequencies.h"

/*
 * Phases gained over lags of 1, 2, 4, ... rows. They are the same whatever
 * noise is assumed, so each is measured once.
 */
struct gains {
	size_t lags;
	size_t first[2];       /* row, of adjacent and of split pairs */
	bool *known;           /* [2, lags] */
	double *phase;         /* [2, lags, cols / 2 + 1] as of cosines first */
};

/* Prepare for a table; false if memory is short, as err says. */
bool gains_begin(struct gains *g, const struct profile *p, struct table *owner,
		 struct error *err);

/*
 * The phases [pairs] gained over 2^l rows, kept in p->gains, as if each pair
 * were cosine, sine; the caller negates them for pairs of sine, cosine. rows:
 * how many they are means of.
 */
const double *mean_gains(const struct pair_layout *layout,
			 const struct profile *p, size_t first, size_t l,
			 double *rows);

/*
 * Whether pairs turn evenly: each by one angle from row to row, from row first
 * on, as far as a sample tells. So do all of evenly spaced rows but for noise.
 */
bool pairs_turn(const struct pair_layout *layout, const struct profile *p,
		size_t first);

#endif
