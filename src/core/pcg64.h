/*
 * pcg64.h: a permuted congruential generator, O'Neill 2014, XSL RR 128/64,
 * seeded as numpy.random.default_rng() seeds it.
 */
#ifndef PCG64_H
#define PCG64_H

#include "core/limbs.h"

struct pcg64 {
	uint128 state, increment;
};

/* Begin as default_rng(seed) does; then 64 bits at a time. */
void pcg64_seed(struct pcg64 *g, uint64_t seed);
uint64_t pcg64_next(struct pcg64 *g);

#endif
