/*
 * mt19937.h: the Mersenne Twister (Matsumoto and Nishimura 1998), the generator
 * of PyTorch on CPUs and of NumPy's RandomState.
 */
#ifndef MT19937_H
#define MT19937_H

#include <stddef.h>
#include <stdint.h>

enum { MT19937_WORDS = 624 };

struct mt19937 {
	uint32_t x[MT19937_WORDS];
	size_t at;  /* index of the next word */
};

/* Seed with 32 bits as both do; then return 32 random bits per call. */
void mt19937_seed(struct mt19937 *m, uint32_t seed);
uint32_t mt19937_next(struct mt19937 *m);

#endif
