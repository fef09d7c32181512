/* random.c: numbers that depend on a seed and an index, and on nothing else. */
#include <math.h>
#include <string.h>

#include "core/random.h"

struct draw {
	uint64_t a, b;
};

/* Ten rounds of Philox 4x32 on the counter; 128 bits. */
static struct draw philox(uint64_t seed, uint64_t counter)
{
	uint32_t c[4] = { (uint32_t)counter, (uint32_t)(counter >> 32), 0, 0 };
	uint32_t key[2] = { (uint32_t)seed, (uint32_t)(seed >> 32) };

	for (int round = 0; round < 10; round++) {
		const uint64_t p = 0xD2511F53ull * c[0];
		const uint64_t q = 0xCD9E8D57ull * c[2];

		c[0] = (uint32_t)(q >> 32) ^ c[1] ^ key[0];
		c[1] = (uint32_t)q;
		c[2] = (uint32_t)(p >> 32) ^ c[3] ^ key[1];
		c[3] = (uint32_t)p;
		key[0] += 0x9E3779B9u;
		key[1] += 0xBB67AE85u;
	}
	return (struct draw){ (uint64_t)c[1] << 32 | c[0],
			      (uint64_t)c[3] << 32 | c[2] };
}

static double unit(uint64_t bits)
{
	return (double)(bits >> 11) * 0x1p-53;
}

/*
 * log(x) for x in (0, 1], by + - * / alone, so that every compiler and machine
 * gives the same bits: x = m 2^e with m in [sqrt(1/2), sqrt(2)), log m =
 * 2 atanh(s), s = (m - 1) / (m + 1), |s| <= 0.172. Relative error below 2^-51.
 */
static double portable_log(double x)
{
	uint64_t bits;
	double m, s, z, sum = 0;
	int e;

	memcpy(&bits, &x, sizeof bits);
	e = (int)(bits >> 52) - 1023;
	bits = (bits & 0xfffffffffffffull) | 0x3ff0000000000000ull;
	memcpy(&m, &bits, sizeof m);
	if (m > 0x1.6a09e667f3bcdp0) {
		m *= 0.5;
		e++;
	}
	s = (m - 1) / (m + 1);
	z = s * s;
	for (int j = 19; j >= 1; j -= 2)
		sum = sum * z + 2.0 / j;
	return (double)e * 0x1.62e42fefa39efp-1 + s * sum;
}

/*
 * sin and cos of u turns, u in [0, 1), by + - * alone: the nearest quarter is
 * taken away; of the rest, at most an eighth of the circle, Taylor's series.
 */
static void portable_circle(double u, double *sine, double *cosine)
{
	static const double circle = 0x1.921fb54442d18p2;  /* 2 pi */
	const int quarter = (int)(u * 4 + 0.5);
	const double x = (u - 0.25 * quarter) * circle, z = x * x;
	double s = 0, c = 0, swap;

	for (int j = 17; j >= 1; j -= 2)
		s = 1 - s * z / ((j + 1) * (j + 2));
	for (int j = 16; j >= 0; j -= 2)
		c = 1 - c * z / ((j + 1) * (j + 2));
	s *= x;
	if (quarter & 1) {
		swap = s;
		s = c;
		c = -swap;
	}
	*sine = quarter & 2 ? -s : s;
	*cosine = quarter & 2 ? -c : c;
}

void random_uniform(uint64_t seed, uint64_t first, size_t n, double *x)
{
	for (size_t i = 0; i < n; i++) {
		const struct draw d = philox(seed, (first + i) / 2);

		x[i] = unit((first + i) % 2 ? d.b : d.a);
	}
}

/* Counter k makes numbers 2 k and 2 k + 1. */
static void normal_pair(uint64_t seed, uint64_t counter, double pair[2])
{
	const struct draw d = philox(seed, counter);
	const double radius = sqrt(-2 * portable_log(1 - unit(d.a)));
	double sine, cosine;

	portable_circle(unit(d.b), &sine, &cosine);
	pair[0] = radius * cosine;
	pair[1] = radius * sine;
}

void random_normal(uint64_t seed, uint64_t first, size_t n, double *x)
{
	double pair[2];

	for (size_t i = 0; i < n; i++) {
		if (i == 0 || (first + i) % 2 == 0)
			normal_pair(seed, (first + i) / 2, pair);
		x[i] = pair[(first + i) % 2];
	}
}
