/* yarn.h: the formulas of YaRN (Peng et al. 2023, sections 3.2 and 3.4). */
#ifndef YARN_H
#define YARN_H

#include "exact/floating.h"

/* What cosines and sines are multiplied by: 0.1 m ln F + 1; F up to 1: 1. */
static inline double yarn_temperature(double factor, double m)
{
	return factor > 1 ? 0.1 * m * floating_log(factor) + 1 : 1;
}

/*
 * The index, a fraction, of the pair with this many rotations within a length,
 * of frequencies base^(-k / pairs).
 */
static inline double yarn_pair(double pairs, double base, double length,
			       double rotations)
{
	static const double log_two_pi = 1.8378770664093453;  /* ln(2 pi) */
	const double turns = floating_log(length) - log_two_pi -
			     floating_log(rotations);

	return pairs * turns / floating_log(base);
}

#endif
