/* series.c: what is left of an angle, and its sine and cosine by series. */
#include <math.h>
#include <string.h>

#include "exact/limbs.h"
#include "exact/series.h"

enum { LIMBS_MAX = 24 };

/* Multiples of a quarter turn are missed by 2^-137 turns at most, others by
   2^-75 at least: see turns_geometric(). */
enum { RATIONAL = -120 };

/*
 * Fractions of a turn in units of 2^-(64 PRODUCT_LIMBS), which the product of
 * any two doubles is a multiple of.
 */
enum { PRODUCT_LIMBS = 34 };

/*
 * The remainder of p [n] * 2^(shift - 64 n) turns; shift <= 0, p is
 * overwritten.
 */
static void take_remainder(uint64_t *p, size_t n, int64_t shift,
			   struct remainder *r)
{
	size_t bits;

	*r = (struct remainder){ 0 };
	if (shift == 0)
		r->quarters = remainder_quarters(&p[n - 1], &r->negative);
	if (r->negative) {
		uint64_t zero[PRODUCT_LIMBS] = { 0 };

		limbs_sub(zero, p, n);
		memcpy(p, zero, n * sizeof *p);
	}
	bits = limbs_bits(p, n);
	if (!bits)
		return;
	limbs_left(p, n, 64 * n - bits);
	r->exponent = shift - (int64_t)(64 * n - bits);
	memcpy(r->m, p + n - REMAINDER_LIMBS, sizeof r->m);
}

void remainder_of(const struct turns *t, size_t k, double position,
		  struct remainder *r)
{
	const size_t n = t->limbs + 1;
	uint64_t p[LIMBS_MAX + 1];
	int64_t shift;
	bool reduced;
	int e;

	/* The angle is p [n] * 2^(shift - 64 n) turns. */
	memcpy(p, t->mantissa + k * t->limbs, t->limbs * sizeof *p);
	p[n - 1] = limbs_scale(p, t->limbs,
			       (uint64_t)ldexp(frexp(position, &e), 53));
	shift = t->exponent[k] + (e - 53) + 64;
	reduced = shift >= -2;
	if (reduced) {
		/* Shift whole turns out at the top: only the fraction stays. */
		if (shift >= 0)
			limbs_left(p, n, (uint64_t)shift);
		else
			limbs_right(p, n, (uint64_t)-shift);
		shift = 0;
	}
	take_remainder(p, n, shift, r);
	/* Nothing is left of a rational angle but what its frequency lacks; the
	   sign makes 0 of neither value -0. */
	if (reduced && (!r->m[REMAINDER_LIMBS - 1] || r->exponent < RATIONAL))
		*r = (struct remainder){
			.quarters = r->quarters,
			.negative = r->quarters == 1 || r->quarters == 2,
		};
}

/* Add a b turns to sum; whole turns are carried out. */
static void add_product(uint64_t sum[PRODUCT_LIMBS], double a, double b)
{
	int ea, eb;
	const uint64_t x = (uint64_t)ldexp(fabs(frexp(a, &ea)), 53);
	const uint64_t y = (uint64_t)ldexp(fabs(frexp(b, &eb)), 53);
	const uint128 p = (uint128)x * y;
	const long at = ea + eb - 106 + 64 * PRODUCT_LIMBS;
	uint64_t term[PRODUCT_LIMBS] = { (uint64_t)p, (uint64_t)(p >> 64) };

	/* Doubles near 2^-1074 have few digits: the lowest are zeros. */
	limbs_right(term, PRODUCT_LIMBS, at < 0 ? (size_t)-at : 0);
	limbs_left(term, PRODUCT_LIMBS, at > 0 ? (size_t)at : 0);
	if (signbit(a) != signbit(b))
		limbs_sub(sum, term, PRODUCT_LIMBS);
	else
		limbs_add(sum, term, PRODUCT_LIMBS);
}

void remainder_of_products(const double *a, const double *b, size_t n,
			   struct remainder *r)
{
	uint64_t p[PRODUCT_LIMBS] = { 0 };

	for (size_t i = 0; i < n; i++)
		add_product(p, a[i], b[i]);
	take_remainder(p, PRODUCT_LIMBS, 0, r);
}

/* A fixed-point value: N limbs of fraction and one before the point. */
enum { N = REMAINDER_LIMBS, FIXED = N + 1 };

/* 2 pi * 2^253 */
static const uint64_t two_pi[N] = {
	0x020bbea63b139b22, 0x29024e088a67cc74,
	0xc4c6628b80dc1cd1, 0xc90fdaa22168c234,
};

/* a *= b */
static void multiply(uint64_t a[FIXED], const uint64_t b[FIXED])
{
	uint64_t p[2 * FIXED];

	limbs_multiply(p, a, FIXED, b, FIXED);
	memcpy(a, p + N, FIXED * sizeof *a);
}

/* 1 - z / (j (j + 1)) (1 - z / ((j + 2) (j + 3)) (1 - ...)), z below 1. */
static void alternating(uint64_t sum[FIXED], const uint64_t z[FIXED],
			uint64_t j)
{
	enum { LAST = 58 };  /* 58! > 2^256 */
	uint64_t one[FIXED] = { [N] = 1 };

	memcpy(sum, one, sizeof one);
	for (uint64_t i = j + LAST - LAST % 2; i >= j; i -= 2) {
		uint64_t term[FIXED];

		memcpy(term, sum, sizeof term);
		multiply(term, z);
		limbs_divide(term, FIXED, i * (i + 1));
		memcpy(sum, one, sizeof one);
		limbs_sub(sum, term, FIXED);
		if (i < 2)
			break;
	}
}

/* a [n] * 2^(exponent - 64 n) in the 53 bits of a double; a is overwritten. */
static double rounded(uint64_t *a, size_t n, int64_t exponent,
		      enum rounding rounding)
{
	const size_t bits = limbs_bits(a, n);
	uint64_t top, cut, lower = 0;

	if (!bits)
		return 0;
	limbs_left(a, n, 64 * n - bits);
	for (size_t i = 0; i + 1 < n; i++)
		lower |= a[i];
	top = a[n - 1] >> 11;
	/* Sines and cosines are irrational: cut is never exactly half. */
	cut = (a[n - 1] & 2047) << 1 | (lower != 0);
	if (rounding == TO_ODD)
		top |= cut != 0;
	else
		top += cut > 2048;
	exponent -= (int64_t)(64 * n - bits);
	return ldexp((double)top, (int)exponent - 53);
}

/* Sine and cosine of the remainder's magnitude. */
static void remainder_sincos(const struct remainder *r, enum rounding rounding,
			     double *sine, double *cosine)
{
	uint64_t x[2 * N], z[FIXED] = { 0 }, ratio[FIXED], y[2 * FIXED];
	const int64_t exponent = r->exponent + 3;

	/* The angle is x * 2^(exponent - 128 N) radians; z is its square. */
	limbs_multiply(x, r->m, N, two_pi, N);
	memcpy(z, x + N, sizeof r->m);
	limbs_right(z, FIXED, exponent < 0 ? (uint64_t)-exponent : 0);
	limbs_left(z, FIXED, exponent > 0 ? (uint64_t)exponent : 0);
	memcpy(ratio, z, sizeof ratio);
	multiply(z, ratio);

	alternating(ratio, z, 1);
	*cosine = rounded(ratio, FIXED, 64, rounding);
	/* sin x / x is near 1, but x may be tiny: keep all bits of x. */
	alternating(ratio, z, 2);
	memcpy(z, x + N, N * sizeof *z);
	z[N] = 0;
	limbs_multiply(y, ratio, FIXED, z, FIXED);
	*sine = rounded(y, sizeof y / sizeof *y, exponent + 128, rounding);
}

void series_sincos(const struct turns *t, size_t k, double position,
		   enum rounding rounding, double *sine, double *cosine)
{
	struct remainder r;

	remainder_of(t, k, position, &r);
	series_remainder(&r, rounding, sine, cosine);
}

void series_remainder(const struct remainder *r, enum rounding rounding,
		      double *sine, double *cosine)
{
	const unsigned quadrant = remainder_quadrant(r->quarters, r->negative);
	double s, c;

	remainder_sincos(r, rounding, &s, &c);
	*sine = quadrant & 1 ? c : s;
	*cosine = quadrant & 1 ? s : c;
	if (quadrant & 2)
		*sine = -*sine;
	if (quadrant & 4)
		*cosine = -*cosine;
}
