/* turns.c: sine and cosine of a position at exact frequencies. */
#include <math.h>

#include "core/bits.h"
#include "core/kernel.h"
#include "core/limbs.h"
#include "core/precise.h"
#include "core/rest.h"
#include "core/turns.h"

/* 2^e, where e may be far below what a double holds. */
static double power_of_two(long e)
{
	if (e < -1022)
		return ldexp(1, e < -1100 ? -1100 : (int)e);
	return double_of((uint64_t)(e + 1023) << 52);
}

/* 2 pi * 2^61, to the nearest integer. */
static const uint64_t two_pi = 0xc90fdaa22168c235;

enum { CHUNK = 64 };

/* Angles' rests in radians, as the kernel takes them. */
struct rests {
	double high[CHUNK], low[CHUNK];
	uint64_t turned[CHUNK];
};

/* top * 2^(exponent - 64) turns: to 62 bits, a double and what it leaves. */
static void rests_put(struct rests *r, size_t i, uint64_t top, long exponent,
		      unsigned turned)
{
	const int64_t angle = (int64_t)((uint128)top * two_pi >> 65);
	const double unit = power_of_two(exponent - 60);
	const double high = (double)angle;

	r->high[i] = high * unit;
	r->low[i] = (double)(angle - (int64_t)high) * unit;
	r->turned[i] = turned;
	if (exponent < -900)  /* the unit may be nothing, the angle be not */
		r->high[i] = ldexp(high, exponent < -1200 ? -1260
					: (int)exponent - 60);
}

/*
 * The rest of position * frequency k from the first 128 bits of the fraction F.
 * They are cut off, so the product is less than position units of 2^-128 too
 * small: below 2^-62 of the rest, unless the rest is smaller than position *
 * 2^-66, when the answer is false.
 */
static bool put_quickly(struct rests *r, size_t i, const struct turns *t,
			size_t k, uint64_t position)
{
	const uint128 f = (uint128)t->fraction[2 * k + 1] << 64 |
			  t->fraction[2 * k];
	uint128 turn = f * position;
	uint64_t high = (uint64_t)(turn >> 64);
	bool negative;
	const unsigned quarters = rest_quarters(&high, &negative);
	int zeros;

	turn = (uint128)high << 64 | (uint64_t)turn;
	if (negative)
		turn = -turn;
	if (turn < (uint128)position << 62 || !(uint64_t)(turn >> 64))
		return false;
	zeros = __builtin_clzll((uint64_t)(turn >> 64));
	rests_put(r, i, (uint64_t)(turn << zeros >> 64), -zeros,
		  rest_turned(quarters, negative));
	return true;
}

static void put_exactly(struct rests *r, size_t i, const struct turns *t,
			size_t k, double position)
{
	struct rest rest;

	rest_exactly(t, k, position, &rest);
	rests_put(r, i, rest.m[REST_LIMBS - 1], rest.exponent,
		  rest_turned(rest.quarters, rest.negative));
}

/* Whether x may round to the wrong float; the kernel tells it likewise. */
static bool near_half_way(double x)
{
	return ((bits_of(x) + 2) & 0xfffffff) <= 4 && (x < 0 || x > 0) &&
	       fabs(x) != 1;
}

/* 1 to CHUNK frequencies from the k-th on, at a position from 0 on. */
static void chunk_sincos(const struct turns *t, size_t k, size_t n,
			 double position, double *sine, double *cosine)
{
	const bool whole = position == rint(position);
	struct rests r;
	size_t at = 0;

	do
		if (!whole ||
		    !put_quickly(&r, at, t, k + at, (uint64_t)position))
			put_exactly(&r, at, t, k + at, position);
	while (++at < n);
	if (t->kernel->sincos(r.high, r.low, r.turned, n, sine, cosine))
		return;
	for (size_t i = 0; i < n; i++)
		if (near_half_way(sine[i]) || near_half_way(cosine[i]))
			precise_sincos(t, k + i, position, TO_ODD, &sine[i],
				       &cosine[i]);
}

void turns_sincos(const struct turns *t, size_t k, size_t n, double position,
		  double *sine, double *cosine)
{
	const bool back = t->backwards != (position < 0);

	for (size_t i = 0; i < n; i += CHUNK)
		chunk_sincos(t, k + i, n - i < CHUNK ? n - i : CHUNK,
			     fabs(position), sine + i, cosine + i);
	for (size_t i = 0; back && i < n; i++)
		sine[i] = 0 - sine[i];
}
