/*
 * nearest.c: sines and cosines in pairs of doubles. An angle is the nearest of
 * 1024ths of a turn, t, and a rest r of at most pi / 1024:
 *
 *   sin(t + r) = sin t + cos t r + (sin t (cos r - 1) + cos t (sin r - r))
 *   cos(t + r) = cos t - sin t r + (cos t (cos r - 1) - sin t (sin r - r))
 *
 * The first two terms are pairs of doubles, without error. The others are below
 * 2^-17 of the first, or 2^-19 of r where that is 0: each of the eight steps
 * that make them and add them up rounds by at most 2^-70.7 of the first term,
 * some by far less, 2^-68.1 together. The result is at least half of the first
 * term: the error is below 2^-67.1 of it, and 2^-70 by the angle's.
 */
#include "exact/bits.h"
#include "exact/nearest.h"
#include "exact/simd.h"

/*
 * Products and sums of doubles with what rounding cuts off, as a second double
 * (Dekker 1971). The result is the same with a fused multiplication and
 * addition, and without.
 */

/* x rounded to 26 bits; what is left has 26, too. */
SIMD_LOOP double upper_half(double x)
{
	const double c = 0x8000001p0 * x;

	return c - (c - x);
}

/* a b is the result plus *error. fused: the machine has an instruction. */
SIMD_LOOP double two_product(double a, double b, bool fused, double *error)
{
	const double p = a * b, x = upper_half(a), y = upper_half(b);

	*error = SIMD_EITHER(fused, __builtin_fma(a, b, -p),
			     (x * y - p + x * (b - y) + (a - x) * y) +
			     (a - x) * (b - y));
	return p;
}

/* a + b is the result plus *error; a is 0, or b not larger. */
SIMD_LOOP double two_sum(double a, double b, double *error)
{
	const double s = a + b;

	*error = b - (s - a);
	return s;
}

#define ERROR 0x1p-66  /* of a result, at most */

enum { TURN_BITS = 10, QUARTER = 1 << (TURN_BITS - 2), EIGHTH = QUARTER / 2 };

/* Sine and cosine of up to an eighth of a turn, and what follows them. */
#define ENTRY(s, s_low, c, c_low) s,
static const double sine_of[EIGHTH + 1] = {
#include "exact/nearest_table.inc"
};
#undef ENTRY
#define ENTRY(s, s_low, c, c_low) s_low,
static const double sine_low_of[EIGHTH + 1] = {
#include "exact/nearest_table.inc"
};
#undef ENTRY
#define ENTRY(s, s_low, c, c_low) c,
static const double cosine_of[EIGHTH + 1] = {
#include "exact/nearest_table.inc"
};
#undef ENTRY
#define ENTRY(s, s_low, c, c_low) c_low,
static const double cosine_low_of[EIGHTH + 1] = {
#include "exact/nearest_table.inc"
};

struct entry {
	double sine, sine_low, cosine, cosine_low;
};

/* b if all bits of mask are set, a if none is: vectors have no branches. */
SIMD_LOOP double either(double a, double b, uint64_t mask)
{
	return double_of(bits_of(a) ^ ((bits_of(a) ^ bits_of(b)) & mask));
}

/* The same of less than a quarter of a turn. */
SIMD_LOOP struct entry entry_at(uint64_t i)
{
	const uint64_t above = -((i + EIGHTH - 1) / QUARTER);
	const uint64_t j = (i ^ above) - above + (QUARTER & above);
	const double s = sine_of[j], s_low = sine_low_of[j];
	const double c = cosine_of[j], c_low = cosine_low_of[j];

	return (struct entry){
		either(s, c, above), either(s_low, c_low, above),
		either(c, s, above), either(c_low, s_low, above),
	};
}

/* An integer of 52 bits; vectors of any set have these operations. */
SIMD_LOOP double from_bits(uint64_t x)
{
	return double_of(bits_of(0x1p52) | x) - 0x1p52;
}

/*
 * What is left of an angle in radians, as a pair: high is in units of 2^-64
 * turns and may be negative, low in units of 2^-128.
 */
SIMD_LOOP double radians(uint64_t high, uint64_t low, bool fused, double *rest)
{
	const double pi = 0x1.921fb54442d18p2, pi_low = 0x1.1a62633145c07p-52;
	const double h = (from_bits((high + (1ull << 53)) >> 2) - 0x1p51) *
			 0x1p-62;
	const double l = from_bits((high & 3) << 50 | low >> 14) * 0x1p-114;
	double error;
	const double p = two_product(h, pi, fused, &error);

	return two_sum(p, error + (h * pi_low + l * pi), rest);
}

/* A pair rounded once; *unsure is not 0 if its error leaves two results. */
SIMD_LOOP uint64_t round_pair(double x, double low, uint64_t *unsure)
{
	const double error = ERROR * double_of(bits_of(x) << 1 >> 1);
	const uint64_t up = bits_of(x + (low + error));

	*unsure |= up ^ bits_of(x + (low - error));
	return up;
}

/* Sine and cosine of t + r; r_low follows r. */
SIMD_LOOP void sum_loop(struct entry t, double r, double r_low, bool fused,
			uint64_t *sine, uint64_t *cosine, uint64_t *unsure)
{
	const double z = r * r;
	/* sin r - r, and cos r - 1 */
	const double below = r_low +
		(r * z * (-1.0 / 6 + z * (1.0 / 120 - z / 5040)) -
		 0.5 * r_low * z);
	const double less = -0.5 * z +
		(z * z * (1.0 / 24 - z / 720) - r * r_low);
	double e_s, e_c, s_low, c_low;
	const double c_r = two_product(t.cosine, r, fused, &e_s);
	const double s_r = two_product(t.sine, r, fused, &e_c);
	const double s = two_sum(t.sine, c_r, &s_low);
	const double c = two_sum(t.cosine, -s_r, &c_low);

	s_low += e_s + (t.sine_low + (t.sine * less + (t.cosine * below +
						       t.cosine_low * r)));
	c_low -= e_c - (t.cosine_low + (t.cosine * less -
					(t.sine * below + t.sine_low * r)));
	*sine = round_pair(s, s_low, unsure);
	*cosine = round_pair(c, c_low, unsure);
}

SIMD_LOOP uint64_t nearest_loop(const struct nearest *restrict a, size_t n,
				bool fused, double *restrict sine,
				double *restrict cosine,
				uint64_t *restrict unsure)
{
	const unsigned shift = 64 - TURN_BITS;
	uint64_t any = 0;

	for (size_t i = 0; i < n; i++) {
		const uint64_t high = a->high[i];
		const uint64_t at = (high + (1ull << (shift - 1))) >> shift;
		const uint64_t quarters = at / QUARTER;
		uint64_t s, c, open = 0, swap;
		double r_low;
		const double r = radians(high - (at << shift), a->low[i], fused,
					 &r_low);

		sum_loop(entry_at(at % QUARTER), r, r_low, fused, &s, &c,
			 &open);
		swap = (s ^ c) & -(quarters & 1);
		sine[i] = double_of(s ^ swap ^ (quarters & 2) << 62);
		cosine[i] = double_of(c ^ swap ^ ((quarters + 1) & 2) << 62);
		unsure[i] = open;
		any |= open;
	}
	return any;
}

SIMD_EACH(uint64_t, nearest,
	  (const struct nearest *restrict a, size_t n, double *restrict sine,
	   double *restrict cosine, uint64_t *restrict unsure),
	  return nearest_loop(a, n, FUSED, sine, cosine, unsure))

bool nearest_sincos(enum simd simd, const struct nearest *a, size_t n,
		    double *sine, double *cosine, uint64_t *unsure)
{
	uint64_t any = nearest[simd](a, n, sine, cosine, unsure);

	for (size_t i = 0; i < n; i++) {
		unsure[i] |= a->tiny[i];
		any |= a->tiny[i];
	}
	return any != 0;
}
