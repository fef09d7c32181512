/*
 * pcg64.h: the permuted congruential generator XSL RR 128/64 (O'Neill 2014),
 * seeded as numpy.random.default_rng() seeds it.
 */
#ifndef PCG64_H
#define PCG64_H

#include "exact/limbs.h"

struct pcg64 {
	uint128 state, increment;
};

/* Seed as default_rng(seed) does; then return 64 random bits per call. */
void pcg64_seed(struct pcg64 *g, uint64_t seed);
uint64_t pcg64_next(struct pcg64 *g);

#endif
