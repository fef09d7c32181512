/* turning.h: what pairs of columns are that make no known table. */
#ifndef TURNING_H
#define TURNING_H

#include "identify/frequencies.h"
#include "identify/identify.h"

/*
 * A sentence about pairs of one amplitude, or NULL if it cannot be written:
 * whether one frequency for each explains all rows from the first on. The
 * layout has cosines first. w and error [pairs] are overwritten.
 */
const char *pairs_verdict(struct search *s, const struct pair_layout *layout,
			  size_t first, double *w, double *error);

#endif
