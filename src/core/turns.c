/* turns.c: sine and cosine of a position at an exact frequency. */
#include <math.h>
#include <string.h>

#include "core/limbs.h"
#include "core/turns.h"

/* What is left of an angle beyond whole quarter turns, at most an eighth. */
struct rest {
	unsigned quarters;  /* mod 4 */
	bool negative;
	uint64_t top;       /* magnitude: top * 2^(exponent - 64) turns, */
	long exponent;      /* top bit set; or top 0 */
};

/* Take the nearest quarters from a fraction of a turn; the rest stays. */
static struct rest quarters(uint64_t *high)
{
	struct rest r = { .quarters = (unsigned)((*high + (1ull << 61)) >> 62) };

	*high -= (uint64_t)r.quarters << 62;
	r.negative = *high >> 63;
	return r;
}

/*
 * The rest of position * F from the first 128 bits of F. The product is below
 * position units of 2^-128 too small; that is less than 2^-62 of the rest
 * unless the rest is small, when the answer is false.
 */
static bool rest_quickly(const uint64_t fraction[2], uint64_t position,
			 struct rest *r)
{
	uint128 turn = ((uint128)fraction[1] << 64 | fraction[0]) * position;
	uint64_t high = (uint64_t)(turn >> 64);
	int zeros;

	*r = quarters(&high);
	turn = (uint128)high << 64 | (uint64_t)turn;
	if (r->negative)
		turn = -turn;
	if (turn < (uint128)position << 62 || !(uint64_t)(turn >> 64))
		return false;
	zeros = __builtin_clzll((uint64_t)(turn >> 64));
	r->top = (uint64_t)(turn << zeros >> 64);
	r->exponent = -zeros;
	return true;
}

enum { LIMBS_MOST = 24 };

/* The rest of position * F from all bits of F, for any position from 0 on. */
static struct rest rest_exactly(const struct turns *t, size_t k,
				double position)
{
	const size_t n = t->limbs + 1;
	uint64_t p[LIMBS_MOST + 1];
	struct rest r = { 0 };
	size_t bits;
	long shift;
	int e;

	/* p [n] * 2^(shift - 64 n) turns */
	memcpy(p, t->mantissa + k * t->limbs, t->limbs * sizeof *p);
	p[n - 1] = limbs_scale(p, t->limbs,
			       (uint64_t)ldexp(frexp(position, &e), 53));
	shift = t->exponent[k] + (e - 53) + 64;
	if (shift >= -2) {
		if (shift >= 0)
			limbs_left(p, n, (size_t)shift);
		else
			limbs_right(p, n, (size_t)-shift);
		shift = 0;
		r = quarters(&p[n - 1]);
	}
	if (r.negative) {
		uint64_t zero[LIMBS_MOST + 1] = { 0 };

		limbs_sub(zero, p, n);
		memcpy(p, zero, n * sizeof *p);
	}
	bits = limbs_bits(p, n);
	if (bits) {
		limbs_left(p, n, 64 * n - bits);
		r.top = p[n - 1];
		r.exponent = shift - (long)(64 * n - bits);
	}
	return r;
}

static double power_of_two(long e)
{
	const uint64_t bits = (uint64_t)(e + 1023) << 52;
	double x;

	if (e < -1022)
		return ldexp(1, e < -1100 ? -1100 : (int)e);
	memcpy(&x, &bits, sizeof x);
	return x;
}

/*
 * Sine and cosine of x + y, |x| at most pi / 4 and y below half a unit in the
 * last place of x: the minimax polynomials of fdlibm (Sun Microsystems 1993,
 * k_sin.c and k_cos.c), whose error is below 2^-58.
 */
static double kernel_sin(double x, double y)
{
	const double z = x * x, v = z * x;
	const double r = 8.33333333332248946124e-03 +
		z * (-1.98412698298579493134e-04 +
		z * (2.75573137070700676789e-06 +
		z * (-2.50507602534068634195e-08 +
		z * 1.58969099521155010221e-10)));

	return x - ((z * (0.5 * y - v * r) - y) -
		    v * -1.66666666666666324348e-01);
}

static double kernel_cos(double x, double y)
{
	const double z = x * x;
	const double r = z * (4.16666666666666019037e-02 +
		z * (-1.38888888888741095749e-03 +
		z * (2.48015872894767294178e-05 +
		z * (-2.75573143513906633035e-07 +
		z * (2.08757232129817482790e-09 +
		z * -1.13596475577881948265e-11)))));
	const double half = 0.5 * z, w = 1 - half;

	return w + (((1 - w) - half) + (z * r - x * y));
}

/* 2 pi * 2^61, to the nearest integer. */
static const uint64_t two_pi = 0xc90fdaa22168c235;

static void rest_sincos(const struct rest *r, double *sine, double *cosine)
{
	/* The angle in radians, to 64 bits, as a double and what it leaves. */
	const uint64_t angle = (uint64_t)((uint128)r->top * two_pi >> 64);
	const double unit = power_of_two(r->exponent - 61);
	const double high = (double)angle;
	const double low = (double)(int64_t)(angle - (uint64_t)high);
	double s = kernel_sin(high * unit, low * unit);
	double c = kernel_cos(high * unit, low * unit);

	if (r->negative)
		s = -s;
	*sine = r->quarters & 1 ? c : s;
	*cosine = r->quarters & 1 ? s : c;
	if (r->quarters & 2)
		*sine = -*sine;
	if ((r->quarters + 1) & 2)
		*cosine = -*cosine;
}

void turns_sincos(const struct turns *turns, size_t k, double position,
		  double *sine, double *cosine)
{
	const bool back = turns->backwards != (position < 0);
	struct rest r;

	position = fabs(position);
	if (position != rint(position) ||
	    !rest_quickly(turns->fraction + 2 * k, (uint64_t)position, &r))
		r = rest_exactly(turns, k, position);
	rest_sincos(&r, sine, cosine);
	if (back && position > 0)
		*sine = -*sine;
}
