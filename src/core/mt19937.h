/*
 * mt19937.h: the Mersenne Twister, Matsumoto and Nishimura 1998, which torch
 * and NumPy's RandomState draw from.
 */
#ifndef MT19937_H
#define MT19937_H

#include <stddef.h>
#include <stdint.h>

enum { MT19937_WORDS = 624 };

struct mt19937 {
	uint32_t x[MT19937_WORDS];
	size_t at;  /* the word that comes next */
};

/* Begin as both do with a seed of 32 bits; then 32 bits at a time. */
void mt19937_seed(struct mt19937 *m, uint32_t seed);
uint32_t mt19937_next(struct mt19937 *m);

#endif
