/* precise.c: sine and cosine by series, to well over 200 bits. */
#include <math.h>
#include <string.h>

#include "core/limbs.h"
#include "core/precise.h"
#include "core/rest.h"

/* A fixed-point number: N limbs of fraction and one before the point. */
enum { N = REST_LIMBS, FIXED = N + 1 };

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

/* a [n] * 2^(exponent - 64 n), in 53 bits. */
static double rounded(uint64_t *a, size_t n, long exponent,
		      enum rounding rounding)
{
	const size_t bits = limbs_bits(a, n);
	uint64_t top, rest, cut = 0;

	if (!bits)
		return 0;
	limbs_left(a, n, 64 * n - bits);
	for (size_t i = 0; i + 1 < n; i++)
		cut |= a[i];
	top = a[n - 1] >> 11;
	/* What is cut off is never exactly half a unit. */
	rest = (a[n - 1] & 2047) << 1 | (cut != 0);
	if (rounding == TO_ODD)
		top |= rest != 0;
	else
		top += rest > 2048;
	exponent -= (long)(64 * n - bits);
	return ldexp((double)top, (int)exponent - 53);
}

/* Of the rest's magnitude. */
static void rest_sincos(const struct rest *r, enum rounding rounding,
			double *sine, double *cosine)
{
	uint64_t x[2 * N], z[FIXED] = { 0 }, ratio[FIXED], y[2 * FIXED];
	const long exponent = r->exponent + 3;

	/* The angle is x * 2^(exponent - 128 N) radians; z is its square. */
	limbs_multiply(x, r->m, N, two_pi, N);
	memcpy(z, x + N, sizeof r->m);
	limbs_right(z, FIXED, exponent < 0 ? (size_t)-exponent : 0);
	limbs_left(z, FIXED, exponent > 0 ? (size_t)exponent : 0);
	memcpy(ratio, z, sizeof ratio);
	multiply(z, ratio);

	alternating(ratio, z, 1);
	*cosine = rounded(ratio, FIXED, 64, rounding);
	/* sin x / x is near 1 and x may be tiny: their product is floating. */
	alternating(ratio, z, 2);
	memcpy(z, x + N, N * sizeof *z);
	z[N] = 0;
	limbs_multiply(y, ratio, FIXED, z, FIXED);
	*sine = rounded(y, sizeof y / sizeof *y, exponent + 128, rounding);
}

void precise_sincos(const struct turns *t, size_t k, double position,
		    enum rounding rounding, double *sine, double *cosine)
{
	struct rest r;
	unsigned turned;
	double s, c;

	rest_exactly(t, k, position, &r);
	rest_sincos(&r, rounding, &s, &c);
	turned = rest_turned(r.quarters, r.negative);
	*sine = turned & 1 ? c : s;
	*cosine = turned & 1 ? s : c;
	if (turned & 2)
		*sine = -*sine;
	if (turned & 4)
		*cosine = -*cosine;
}
