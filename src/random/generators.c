/* generators.c: the Mersenne Twister, PCG64 and NumPy's SeedSequence. */
#include "random/generators.h"

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

enum { POOL = 4, WORDS = 8 };

/* Mix the bits of a word; the constant differs for each call. */
static uint32_t hash(uint32_t word, uint32_t *constant, uint32_t factor)
{
	word ^= *constant;
	*constant *= factor;
	word *= *constant;
	return word ^ word >> 16;
}

/* SeedSequence(seed).generate_state(8), after O'Neill 2015's seed_seq. */
static void seed_words(uint64_t seed, uint32_t words[WORDS])
{
	const uint32_t entropy[POOL] = {
		(uint32_t)seed, (uint32_t)(seed >> 32)
	};
	uint32_t pool[POOL], constant = 0x43b0d7e5;

	for (int i = 0; i < POOL; i++)
		pool[i] = hash(entropy[i], &constant, 0x931e8875);
	for (int from = 0; from < POOL; from++)
		for (int to = 0; to < POOL; to++) {
			uint32_t mixed;

			if (from == to)
				continue;
			mixed = 0xca01f9dd * pool[to] - 0x4973f715 *
				hash(pool[from], &constant, 0x931e8875);
			pool[to] = mixed ^ mixed >> 16;
		}
	constant = 0x8b51f9dd;
	for (int i = 0; i < WORDS; i++)
		words[i] = hash(pool[i % POOL], &constant, 0x58f38ded);
}

/* 128 bits from four words in NumPy's order: the upper 64 bits first. */
static uint128 number(const uint32_t w[4])
{
	return (uint128)((uint64_t)w[1] << 32 | w[0]) << 64 |
	       ((uint64_t)w[3] << 32 | w[2]);
}

static void step(struct pcg64 *g)
{
	const uint128 factor = (uint128)0x2360ed051fc65da4 << 64 |
			       0x4385df649fccf645;

	g->state = g->state * factor + g->increment;
}

void pcg64_seed(struct pcg64 *g, uint64_t seed)
{
	uint32_t words[WORDS];

	seed_words(seed, words);
	g->increment = number(words + 4) << 1 | 1;
	g->state = g->increment + number(words);
	step(g);
}

uint64_t pcg64_next(struct pcg64 *g)
{
	uint64_t mixed;
	unsigned turn;

	step(g);
	mixed = (uint64_t)(g->state >> 64) ^ (uint64_t)g->state;
	turn = (unsigned)(g->state >> 122);
	return mixed >> turn | mixed << (-turn & 63);
}
