/* random.c: numbers that depend on a seed and an index, and on nothing else. */
#include <math.h>
#include <stdbool.h>

#include "core/bits.h"
#include "core/random.h"
#include "core/simd.h"

/* By + - * / and square roots alone: every machine has the same bits. */
struct loops {
	void (*philox)(uint64_t seed, uint64_t first, size_t n, uint64_t *a,
		       uint64_t *b);
	void (*uniform)(const uint64_t *a, size_t n, double *x);
	void (*radius)(const uint64_t *a, size_t n, double *r);
	void (*circle)(const uint64_t *b, const double *r, size_t n,
		       double *cosine, double *sine);
};

/* The upper 53 bits as a number in [0, 1), made of halves 2^84 and 2^52. */
static inline double unit(uint64_t bits)
{
	const uint64_t v = bits >> 11;
	const double high = double_of(v >> 32 | 0x4530000000000000);
	const double low = double_of
		((v & 0xffffffff) | 0x4330000000000000);

	return ((high - 0x1.00000001p84) + low) * 0x1p-53;
}

#define LOOPS "core/random_loops.h"
#include "core/simd_each.h"

static const struct loops *best_loops(void)
{
	static const struct loops *const versions[SIMDS] =
		SIMD_VERSIONS(&loops);

	return versions[simd_best()];
}

enum { CHUNK = 256 };  /* counters at a time */

/* Counter k makes numbers 2 k and 2 k + 1 of either sequence. */
typedef void maker(const struct loops *l, const uint64_t *a, const uint64_t *b,
		   size_t n, double *even, double *odd);

static void make_uniform(const struct loops *l, const uint64_t *a,
			 const uint64_t *b, size_t n, double *even, double *odd)
{
	l->uniform(a, n, even);
	l->uniform(b, n, odd);
}

static void make_normal(const struct loops *l, const uint64_t *a,
			const uint64_t *b, size_t n, double *even, double *odd)
{
	double radius[CHUNK];

	l->radius(a, n, radius);
	l->circle(b, radius, n, even, odd);
}

static void draw(maker *make, uint64_t seed, uint64_t first, size_t n,
		 double *x)
{
	const struct loops *l = best_loops();
	uint64_t a[CHUNK], b[CHUNK];
	double even[CHUNK], odd[CHUNK];

	while (n) {
		const size_t skip = first % 2;
		const size_t room = 2 * sizeof a / sizeof *a - skip;
		const size_t numbers = n < room ? n : room;
		const size_t counters = (skip + numbers + 1) / 2;

		l->philox(seed, first / 2, counters, a, b);
		make(l, a, b, counters, even, odd);
		for (size_t k = 0; k < counters; k++) {
			if (2 * k >= skip)
				*x++ = even[k];
			if (2 * k + 1 < skip + numbers)
				*x++ = odd[k];
		}
		first += numbers;
		n -= numbers;
	}
}

void random_uniform(uint64_t seed, uint64_t first, size_t n, double *x)
{
	draw(make_uniform, seed, first, n, x);
}

void random_normal(uint64_t seed, uint64_t first, size_t n, double *x)
{
	draw(make_normal, seed, first, n, x);
}

void random_box_muller(uint64_t a, uint64_t b, double *cosine, double *sine)
{
	const struct loops *l = best_loops();
	double radius;

	l->radius(&a, 1, &radius);
	l->circle(&b, &radius, 1, cosine, sine);
}
