/*
 * philox.c: random samples as a function of seed and index. All operations are
 * + - * / and square roots, so that every machine has the same bits.
 */
#include <math.h>
#include <stdbool.h>

#include "exact/bits.h"
#include "exact/simd.h"
#include "random/samples.h"

/*
 * The upper 53 bits as a fraction in [0, 1). Two halves are placed in the
 * mantissas of 2^84 and 2^52: a conversion that vectorises.
 */
static inline double unit(uint64_t bits)
{
	const uint64_t v = bits >> 11;
	const double high = double_of(v >> 32 | 0x4530000000000000);
	const double low = double_of
		((v & 0xffffffff) | 0x4330000000000000);

	return ((high - 0x1.00000001p84) + low) * 0x1p-53;
}

/* Ten rounds of Philox 4x32 on counters first to first + n - 1: 128 bits. */
SIMD_LOOP void philox_loop(uint64_t seed, uint64_t first, size_t n,
			   uint64_t *restrict a, uint64_t *restrict b)
{
	for (size_t i = 0; i < n; i++) {
		const uint64_t low = 0xffffffff;
		uint64_t c0 = (first + i) & low, c1 = (first + i) >> 32;
		uint64_t c2 = 0, c3 = 0, k0 = seed & low, k1 = seed >> 32;

		for (int round = 0; round < 10; round++) {
			const uint64_t p = 0xD2511F53 * c0, q = 0xCD9E8D57 * c2;

			c0 = (q >> 32) ^ c1 ^ k0;
			c1 = q & low;
			c2 = (p >> 32) ^ c3 ^ k1;
			c3 = p & low;
			k0 = (k0 + 0x9E3779B9) & low;
			k1 = (k1 + 0xBB67AE85) & low;
		}
		a[i] = c1 << 32 | c0;
		b[i] = c3 << 32 | c2;
	}
}

SIMD_LOOP void uniform_loop(const uint64_t *restrict a, size_t n,
			    double *restrict x)
{
	for (size_t i = 0; i < n; i++)
		x[i] = unit(a[i]);
}

/*
 * sqrt(-2 log(1 - a)), a in [0, 1) from its bits. With 1 - a = m 2^e, m in
 * [sqrt(1/2), sqrt(2)), log m = 2 atanh s = 2 (s + s^3 / 3 + ...), s =
 * (m - 1) / (m + 1), |s| <= 0.172. Relative error of the logarithm below 2^-51.
 */
SIMD_LOOP void radius_loop(const uint64_t *restrict a, size_t n,
			   double *restrict r)
{
	for (size_t i = 0; i < n; i++) {
		const double x = 1 - unit(a[i]);
		const uint64_t bits = bits_of(x);
		double e = double_of
			(bits >> 52 | 0x4330000000000000) -
			0x1.00000000003ffp52;
		double m = double_of
			((bits & 0xfffffffffffff) | 0x3ff0000000000000);
		const bool large = m > 0x1.6a09e667f3bcdp0;
		double s, z, sum;

		e = large ? e + 1 : e;
		m = large ? 0.5 * m : m;
		s = (m - 1) / (m + 1);
		z = s * s;
		sum = 2 + z * (2.0 / 3 + z * (2.0 / 5 + z * (2.0 / 7 +
			z * (2.0 / 9 + z * (2.0 / 11 + z * (2.0 / 13 +
			z * (2.0 / 15 + z * (2.0 / 17 + z * (2.0 / 19)))))))));
		r[i] = sqrt(-2 * (e * 0x1.62e42fefa39efp-1 + s * sum));
	}
}

/*
 * r cos and r sin of b turns, b in [0, 1) from its bits: the nearest quarter
 * turn is subtracted; Taylor's series of what is left, at most an eighth.
 */
SIMD_LOOP void circle_loop(const uint64_t *restrict b,
			   const double *restrict r, size_t n,
			   double *restrict cosine,
			   double *restrict sine)
{
	for (size_t i = 0; i < n; i++) {
		const double u = unit(b[i]);
		const double near = 4 * u + 0x1.8p52;
		const uint64_t quarter = bits_of(near);
		const double x = (u - 0.25 * (near - 0x1.8p52)) *
				 0x1.921fb54442d18p2;
		const double z = x * x;
		const double s = x * (1 - z * (1.0 / 6) *
			(1 - z * (1.0 / 20) * (1 - z * (1.0 / 42) *
			(1 - z * (1.0 / 72) * (1 - z * (1.0 / 110) *
			(1 - z * (1.0 / 156) * (1 - z * (1.0 / 210) *
			(1 - z * (1.0 / 272)))))))));
		const double c = 1 - z * 0.5 *
			(1 - z * (1.0 / 12) * (1 - z * (1.0 / 30) *
			(1 - z * (1.0 / 56) * (1 - z * (1.0 / 90) *
			(1 - z * (1.0 / 132) * (1 - z * (1.0 / 182) *
			(1 - z * (1.0 / 240))))))));
		const uint64_t sb = bits_of(s), cb = bits_of(c);
		const uint64_t swap = (sb ^ cb) & -(quarter & 1);

		sine[i] = r[i] * double_of
			(sb ^ swap ^ (quarter & 2) << 62);
		cosine[i] = r[i] * double_of
			(cb ^ swap ^ ((quarter + 1) & 2) << 62);
	}
}

SIMD_EACH(void, philox, (uint64_t seed, uint64_t first, size_t n,
			 uint64_t *restrict a, uint64_t *restrict b),
	  philox_loop(seed, first, n, a, b))
SIMD_EACH(void, uniform, (const uint64_t *restrict bits, size_t n,
			  double *restrict x),
	  uniform_loop(bits, n, x))
SIMD_EACH(void, radius, (const uint64_t *restrict bits, size_t n,
			 double *restrict r),
	  radius_loop(bits, n, r))
SIMD_EACH(void, circle, (const uint64_t *restrict bits,
			 const double *restrict r, size_t n,
			 double *restrict cosine, double *restrict sine),
	  circle_loop(bits, r, n, cosine, sine))

enum { CHUNK = 256 };  /* counters at a time */

/* Counter k makes elements 2 k and 2 k + 1 of either sequence. */
typedef void transform(enum simd simd, const uint64_t *a, const uint64_t *b,
		       size_t n, double *even, double *odd);

static void to_uniform(enum simd simd, const uint64_t *a, const uint64_t *b,
		       size_t n, double *even, double *odd)
{
	uniform[simd](a, n, even);
	uniform[simd](b, n, odd);
}

static void to_normal(enum simd simd, const uint64_t *a, const uint64_t *b,
		      size_t n, double *even, double *odd)
{
	double r[CHUNK];

	radius[simd](a, n, r);
	circle[simd](b, r, n, even, odd);
}

static void draw(transform *to, uint64_t seed, uint64_t first, size_t n,
		 double *x)
{
	const enum simd simd = simd_best();
	uint64_t a[CHUNK], b[CHUNK];
	double even[CHUNK], odd[CHUNK];

	while (n) {
		const size_t skip = first % 2;
		const size_t room = 2 * sizeof a / sizeof *a - skip;
		const size_t drawn = n < room ? n : room;
		const size_t counters = (skip + drawn + 1) / 2;

		philox[simd](seed, first / 2, counters, a, b);
		to(simd, a, b, counters, even, odd);
		for (size_t k = 0; k < counters; k++) {
			if (2 * k >= skip)
				*x++ = even[k];
			if (2 * k + 1 < skip + drawn)
				*x++ = odd[k];
		}
		first += drawn;
		n -= drawn;
	}
}

void random_uniform(uint64_t seed, uint64_t first, size_t n, double *x)
{
	draw(to_uniform, seed, first, n, x);
}

void random_normal(uint64_t seed, uint64_t first, size_t n, double *x)
{
	draw(to_normal, seed, first, n, x);
}

void random_box_muller(uint64_t a, uint64_t b, double *cosine, double *sine)
{
	const enum simd simd = simd_best();
	double r;

	radius[simd](&a, 1, &r);
	circle[simd](&b, &r, 1, cosine, sine);
}
