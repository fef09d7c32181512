/*
 * random_loops.h: the loops of random.c, included once for each instruction
 * set (see simd.h).
 */

/* Ten rounds of Philox 4x32 on counters first to first + n - 1: 128 bits. */
TARGET static void VERSION(philox)(uint64_t seed, uint64_t first, size_t n,
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

TARGET static void VERSION(uniform)(const uint64_t *restrict a, size_t n,
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
TARGET static void VERSION(radius)(const uint64_t *restrict a, size_t n,
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
 * r cos and r sin of b turns, b in [0, 1) from its bits: the nearest quarter is
 * taken away; of the rest, at most an eighth, Taylor's series.
 */
TARGET static void VERSION(circle)(const uint64_t *restrict b,
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

static const struct loops VERSION(loops) = {
	.philox = VERSION(philox), .uniform = VERSION(uniform),
	.radius = VERSION(radius), .circle = VERSION(circle),
};
