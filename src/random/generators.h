/* generators.h: the random bits that PyTorch and NumPy draw from. */
#ifndef GENERATORS_H
#define GENERATORS_H

#include "exact/limbs.h"

/*
 * The Mersenne Twister (Matsumoto and Nishimura 1998), the generator of PyTorch
 * on CPUs and of NumPy's RandomState.
 */
enum { MT19937_WORDS = 624 };

struct mt19937 {
	uint32_t x[MT19937_WORDS];
	size_t at;  /* index of the next word */
};

/* Seed with 32 bits as both do; then return 32 random bits per call. */
void mt19937_seed(struct mt19937 *m, uint32_t seed);
uint32_t mt19937_next(struct mt19937 *m);

/*
 * The permuted congruential generator XSL RR 128/64 (O'Neill 2014), seeded as
 * numpy.random.default_rng() seeds it.
 */
struct pcg64 {
	uint128 state, increment;
};

/* Seed as default_rng(seed) does; then return 64 random bits per call. */
void pcg64_seed(struct pcg64 *g, uint64_t seed);
uint64_t pcg64_next(struct pcg64 *g);

#endif
