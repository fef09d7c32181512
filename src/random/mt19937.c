/* mt19937.c: the Mersenne Twister. */
#include "random/mt19937.h"

enum { N = MT19937_WORDS, M = 397 };

void mt19937_seed(struct mt19937 *m, uint32_t seed)
{
	m->x[0] = seed;
	for (uint32_t i = 1; i < N; i++) {
		const uint32_t before = m->x[i - 1];

		m->x[i] = 1812433253 * (before ^ before >> 30) + i;
	}
	m->at = N;
}

/* Compute the next N words. */
static void twist(struct mt19937 *m)
{
	for (size_t i = 0; i < N; i++) {
		const uint32_t y = (m->x[i] & 0x80000000) |
				   (m->x[(i + 1) % N] & 0x7fffffff);

		m->x[i] = m->x[(i + M) % N] ^ y >> 1 ^
			  (0x9908b0df & -(y & 1));
	}
	m->at = 0;
}

uint32_t mt19937_next(struct mt19937 *m)
{
	uint32_t y;

	if (m->at == N)
		twist(m);
	y = m->x[m->at++];
	y ^= y >> 11;
	y ^= y << 7 & 0x9d2c5680;
	y ^= y << 15 & 0xefc60000;
	return y ^ y >> 18;
}
