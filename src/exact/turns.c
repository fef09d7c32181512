/* turns.c: exact frequencies, and sine and cosine of a position at them. */
#include <math.h>
#include <string.h>

#include "exact/bits.h"
#include "exact/floating.h"
#include "exact/limbs.h"
#include "exact/nearest.h"
#include "exact/series.h"
#include "exact/turns.h"

enum { LIMBS_MIN = 4 };  /* 256 bits suffice for frequencies below a turn */

/* The binary digits of 1 / (2 pi), the most significant first. */
static const uint64_t turns_per_radian[FLOATING_LIMBS + 2] = {
	0x28be60db9391054a, 0x7f09d5f47d4d3770, 0x36d8a5664f10e410,
	0x7f9458eaf7aef158, 0x6dc91b8e909374b8, 0x01924bba82746487,
	0x3f877ac72c4a69cf, 0xba208d7d4baed121, 0x3a671c09ad17df90,
	0x4e64758e60d4ce7d, 0x272117e2ef7e4a0e, 0xc7fe25fff7816603,
	0xfbcbc462d6829b47, 0xdb4d9fb3c9f2c26d, 0xd3d18fd9a797fa8b,
	0x5d49eeb1faf97c5e, 0xcf41ce7de294a4ba, 0x9afed7ec47e35742,
	0x1580cc11bf1edaea, 0xfc33ef0826bd0d87, 0x6a78e45857b986c2,
	0x19666157c5281a10,
};

/* scale / (2 pi) */
static struct floating floating_turns(double scale, size_t n)
{
	const struct floating s = floating_from(scale, n);
	struct floating f = { .exponent = -2 };
	uint64_t digits[FLOATING_LIMBS + 1];

	for (size_t i = 0; i <= n; i++)
		digits[n - i] = turns_per_radian[i];
	limbs_left(digits, n + 1, 2);
	memcpy(f.m, digits + 1, n * sizeof *digits);
	floating_multiply(&f, &s, n);
	return f;
}

/* The fractional part of f, to 128 bits. */
static void fraction(const struct floating *f, size_t n, uint64_t low_high[2])
{
	uint64_t m[FLOATING_LIMBS];

	memcpy(m, f->m, n * sizeof *m);
	if (f->exponent >= 0)
		limbs_left(m, n, (uint64_t)f->exponent);
	else
		limbs_right(m, n, (uint64_t)-f->exponent);
	low_high[0] = m[n - 2];
	low_high[1] = m[n - 1];
}

static struct floating frequency(const struct turns *t, size_t k)
{
	struct floating f = { .exponent = t->exponent[k] };

	memcpy(f.m, t->mantissa + k * t->limbs, t->limbs * sizeof *f.m);
	return f;
}

static void set_frequency(struct turns *t, size_t k, const struct floating *f)
{
	memcpy(t->mantissa + k * t->limbs, f->m, t->limbs * sizeof *f->m);
	t->exponent[k] = f->exponent;
	fraction(f, t->limbs, t->fraction + 2 * k);
}

/* The limbs that leave 256 bits of fraction to a frequency of up to 2^max. */
static size_t limbs_for(double max)
{
	return LIMBS_MIN + ((size_t)fmax(max, 0) + 63) / 64;
}

bool turns_begin(struct turns *turns, size_t n, size_t limbs, struct table *t,
		 struct error *err)
{
	*turns = (struct turns){
		.simd = simd_best(), .n = n, .limbs = limbs,
		.mantissa = table_alloc(t, n, limbs * sizeof(uint64_t), err),
		.exponent = table_alloc(t, n, sizeof(int64_t), err),
		.fraction = table_alloc(t, n, 2 * sizeof(uint64_t), err),
	};
	return turns->mantissa && turns->exponent && turns->fraction;
}

/* The binary logarithm of the largest frequency; infinite if far too large. */
static double magnitude(size_t n, double base, double denominator,
			double scale)
{
	const double last = -(double)(n - 1) / denominator * log2(base);
	const double largest = fmax(last, 0) + fmax(log2(scale), 0);

	return fabs(log2(base) / denominator) > 0x1p40 ? HUGE_VAL : largest;
}

/* first() converts scale, in radians or in turns, to turns. */
static bool geometric(struct turns *turns, size_t n, double base,
		      double denominator, double scale,
		      struct floating first(double scale, size_t n),
		      struct table *t, struct error *err)
{
	const double largest = magnitude(n, base, denominator, fabs(scale));
	struct floating f, r;

	if (!(largest <= 1023))
		return fail(err, "base %g with denominator %g makes "
			    "frequencies out of range for float64",
			    base, denominator);
	if (!turns_begin(turns, n, limbs_for(largest), t, err))
		return false;
	turns->negative = scale < 0;
	f = first(fabs(scale), turns->limbs);
	r = floating_root(base, denominator, turns->limbs);
	for (size_t k = 0; k < n; k++) {
		set_frequency(turns, k, &f);
		floating_multiply(&f, &r, turns->limbs);
	}
	return true;
}

bool turns_geometric(struct turns *turns, size_t n, double base,
		     double denominator, double scale, struct table *t,
		     struct error *err)
{
	return geometric(turns, n, base, denominator, scale, floating_turns,
			 t, err);
}

bool turns_geometric_in_turns(struct turns *turns, size_t n, double base,
			      double denominator, double scale,
			      struct table *t, struct error *err)
{
	return geometric(turns, n, base, denominator, scale, floating_from,
			 t, err);
}

bool turns_linear(struct turns *turns, size_t n, double first, double step,
		  double over, struct table *t, struct error *err)
{
	const double last = first + (double)(n - 1) * step / over;
	const size_t limbs = limbs_for(log2(fmax(first, last)));

	if (!turns_begin(turns, n, limbs, t, err))
		return false;
	for (size_t k = 0; k < n; k++) {
		struct floating f = floating_from((double)k * step +
						  first * over, turns->limbs);

		floating_divide(&f, 2 * over, turns->limbs);
		set_frequency(turns, k, &f);
	}
	return true;
}

bool turns_even(struct turns *turns, size_t n, double last, double over,
		bool half_turns, struct table *t, struct error *err)
{
	const double steps = n > 1 ? (double)(n - 1) : 1;
	struct floating unit;

	if (!turns_begin(turns, n, limbs_for(log2(fmax(1, last))), t, err))
		return false;
	unit = half_turns ? floating_from(0.5, turns->limbs)
			  : floating_turns(1, turns->limbs);
	for (size_t k = 0; k < n; k++) {
		const size_t limbs = turns->limbs;
		struct floating f = floating_from(last, limbs);
		const struct floating c = floating_from((double)k, limbs);

		/* (steps - k + last k) / steps / over */
		floating_multiply(&f, &c, limbs);
		floating_add(&f, steps - (double)k, limbs);
		floating_multiply(&f, &unit, limbs);
		floating_divide(&f, steps, limbs);
		floating_divide(&f, over, limbs);
		set_frequency(turns, k, &f);
	}
	return true;
}

void turns_multiply(struct turns *turns, double base, size_t more,
		    double denominator)
{
	const size_t limbs = turns->limbs;
	const struct floating r = floating_root(base, denominator, limbs);
	struct floating power = r;

	for (size_t k = 1 - more; k < turns->n; k++) {
		struct floating f = frequency(turns, k);

		floating_multiply(&f, &power, limbs);
		set_frequency(turns, k, &f);
		floating_multiply(&power, &r, limbs);
	}
}

void turns_transform(struct turns *turns, size_t k, double a, double b,
		     double over)
{
	const size_t limbs = turns->limbs;
	struct floating f = frequency(turns, k), c = floating_from(b, limbs);

	floating_multiply(&c, &f, limbs);
	floating_add(&c, a, limbs);
	floating_divide(&c, over, limbs);
	floating_multiply(&f, &c, limbs);
	set_frequency(turns, k, &f);
}

void turns_take(struct turns *turns, size_t to, const struct turns *others,
		size_t k, size_t step, size_t n)
{
	const size_t more = turns->limbs - others->limbs;

	for (size_t i = 0; i < n; i++, to++, k += step) {
		struct floating f = { .exponent = others->exponent[k] };

		memcpy(f.m + more, others->mantissa + k * others->limbs,
		       others->limbs * sizeof *f.m);
		set_frequency(turns, to, &f);
	}
}

void turns_zero(struct turns *turns, size_t k)
{
	set_frequency(turns, k, &(struct floating){ 0 });
}

void turns_period(struct turns *turns, size_t k, double n)
{
	struct floating f = floating_from(1, turns->limbs);

	floating_divide(&f, n, turns->limbs);
	set_frequency(turns, k, &f);
}

bool turns_radian(struct turns *turns, struct table *t, struct error *err)
{
	if (!turns_begin(turns, 1, LIMBS_MIN, t, err))
		return false;
	turns_set(turns, 0, 1);
	return true;
}

void turns_set(struct turns *turns, size_t k, double x)
{
	const struct floating f = floating_turns(x, turns->limbs);

	set_frequency(turns, k, &f);
}

double turns_angle(const struct turns *t, size_t k, double position)
{
	enum { N = 3 };
	static const struct floating two_pi = {
		3, { 0x29024e088a67cc74, 0xc4c6628b80dc1cd1,
		     0xc90fdaa22168c234 }
	};
	struct floating p = floating_from(fabs(position), N);
	struct floating f = { .exponent = t->exponent[k] };
	const bool negate = t->negative != (position < 0);
	double x;

	memcpy(f.m, t->mantissa + (k + 1) * t->limbs - N, N * sizeof *f.m);
	floating_multiply(&f, &two_pi, N);
	floating_multiply(&f, &p, N);
	x = floating_double(&f, N);
	return negate ? 0 - x : x;
}

/* 2^e; e may be far below the exponents of a double. */
static double power_of_two(int64_t e)
{
	if (e < -1022)
		return ldexp(1, e < -1100 ? -1100 : (int)e);
	return double_of((uint64_t)(e + 1023) << 52);
}

/* 2 pi * 2^61, to the nearest integer. */
static const uint64_t two_pi = 0xc90fdaa22168c235;

enum { CHUNK = NEAREST_MOST };

/*
 * The minimax polynomials of fdlibm (Sun Microsystems 1993, k_sin.c and
 * k_cos.c): the polynomials are off by less than 2^-58. Rounding adds to the
 * sine 0.66 units in the last place at most (0.5 and, near pi / 4, 0.12 in the
 * cubic term), to the cosine 0.81 (0.5, and 0.25 by the rounding of z in
 * 1 - z / 2), the angle's own 62 bits less than 0.01.
 *
 * The last 28 bits of a value half way between two floats, or between two
 * values of a shorter format, are 0. A result is unsure if its last 28 bits are
 * within 2 of that. A sine of 0 is exact, and a cosine of 1 is at most 2^-54
 * too large: both are sure.
 */
SIMD_LOOP bool sine_cosine_loop(const double *restrict high,
				const double *restrict low,
				const uint64_t *restrict quadrant, size_t n,
				double *restrict sine, double *restrict cosine)
{
	const uint64_t one = bits_of(1);
	uint64_t unsure = 0;

	for (size_t i = 0; i < n; i++) {
		const double x = high[i], y = low[i], z = x * x, v = z * x;
		const double p = 8.33333333332248946124e-03 +
			z * (-1.98412698298579493134e-04 +
			z * (2.75573137070700676789e-06 +
			z * (-2.50507602534068634195e-08 +
			z * 1.58969099521155010221e-10)));
		const double q = z * (4.16666666666666019037e-02 +
			z * (-1.38888888888741095749e-03 +
			z * (2.48015872894767294178e-05 +
			z * (-2.75573143513906633035e-07 +
			z * (2.08757232129817482790e-09 +
			z * -1.13596475577881948265e-11)))));
		const double half = 0.5 * z, w = 1 - half;
		const uint64_t s = bits_of
			(x - ((z * (0.5 * y - v * p) - y) -
			      v * -1.66666666666666324348e-01));
		const uint64_t c = bits_of
			(w + (((1 - w) - half) + (z * q - x * y)));
		const uint64_t turn = quadrant[i];
		const uint64_t swap = (s ^ c) & -(turn & 1);

		unsure |= (((s + 2) & 0xfffffff) <= 4) & (s != 0);
		unsure |= (((c + 2) & 0xfffffff) <= 4) & (c != one);
		sine[i] = double_of(s ^ swap ^ (turn & 2) << 62);
		cosine[i] = double_of(c ^ swap ^ (turn & 4) << 61);
	}
	return !unsure;
}

/*
 * Sine and cosine [n] of high + low [n], |high| at most pi / 4 and |low| below
 * half a unit in the last place of high; within 0.81 units in the last place.
 * quadrant [n] says what becomes of them: 1, they are exchanged; 2, the sine is
 * negated; 4, the cosine. False if one of them might round to the wrong float
 * or to the wrong value of a shorter format.
 */
SIMD_EACH(bool, sine_cosine,
	  (const double *restrict high, const double *restrict low,
	   const uint64_t *restrict quadrant, size_t n, double *restrict sine,
	   double *restrict cosine),
	  return sine_cosine_loop(high, low, quadrant, n, sine, cosine))

/* Remainders of angles in radians, as sine_cosine() takes them. */
struct angles {
	double high[CHUNK], low[CHUNK];
	uint64_t quadrant[CHUNK];
};

/* Angle i is top * 2^(exponent - 64) turns; two doubles keep 62 bits of it. */
static void angles_set(struct angles *a, size_t i, uint64_t top,
		       int64_t exponent, unsigned quadrant)
{
	const int64_t angle = (int64_t)((uint128)top * two_pi >> 65);
	const double unit = power_of_two(exponent - 60);
	const double high = (double)angle;

	a->high[i] = high * unit;
	a->low[i] = (double)(angle - (int64_t)high) * unit;
	a->quadrant[i] = quadrant;
	if (exponent < -900)  /* the unit underflows before the angle */
		a->high[i] = ldexp(high, exponent < -1200 ? -1260
					: (int)exponent - 60);
}

/*
 * The remainder of position * frequency k from the first 128 bits of the
 * frequency's fraction. The bits cut off make the product too small by less
 * than position units of 2^-128: less than 2^-62 of the remainder, unless the
 * remainder is smaller than position * 2^-66. Then the result is false.
 */
static bool angle_fast(struct angles *a, size_t i, const struct turns *t,
		       size_t k, uint64_t position)
{
	const uint128 f = (uint128)t->fraction[2 * k + 1] << 64 |
			  t->fraction[2 * k];
	uint128 turn = f * position;
	uint64_t high = (uint64_t)(turn >> 64);
	bool negative;
	const unsigned quarters = remainder_quarters(&high, &negative);
	int zeros;

	turn = (uint128)high << 64 | (uint64_t)turn;
	if (negative)
		turn = -turn;
	if (turn < (uint128)position << 62 || !(uint64_t)(turn >> 64))
		return false;
	zeros = __builtin_clzll((uint64_t)(turn >> 64));
	angles_set(a, i, (uint64_t)(turn << zeros >> 64), -zeros,
		  remainder_quadrant(quarters, negative));
	return true;
}

static void angle_of(struct angles *a, size_t i, const struct remainder *r)
{
	angles_set(a, i, r->m[REMAINDER_LIMBS - 1], r->exponent,
		   remainder_quadrant(r->quarters, r->negative));
}

static void angle_exact(struct angles *a, size_t i, const struct turns *t,
			size_t k, double position)
{
	struct remainder r;

	remainder_of(t, k, position, &r);
	angle_of(a, i, &r);
}

/* Whether x may round to the wrong float; the same test as above. */
static bool near_half_way(double x)
{
	return ((bits_of(x) + 2) & 0xfffffff) <= 4 && x != 0 &&
	       fabs(x) != 1;
}

/* n, 1 to CHUNK, frequencies from the k-th on; position is at least 0. */
static void chunk_sincos(const struct turns *t, size_t k, size_t n,
			 double position, double *sine, double *cosine)
{
	const bool whole = position == rint(position);
	struct angles a;
	size_t i = 0;

	do
		if (!whole ||
		    !angle_fast(&a, i, t, k + i, (uint64_t)position))
			angle_exact(&a, i, t, k + i, position);
	while (++i < n);
	if (sine_cosine[t->simd](a.high, a.low, a.quadrant, n, sine, cosine))
		return;
	for (i = 0; i < n; i++)
		if (near_half_way(sine[i]) || near_half_way(cosine[i]))
			series_sincos(t, k + i, position, TO_ODD, &sine[i],
				      &cosine[i]);
}

/* Angle i from the whole frequency, to all of its 128 bits. */
static void nearest_exact(struct nearest *a, size_t i, const struct turns *t,
			  size_t k, double position)
{
	const uint64_t least = 1 << 24;  /* 2^-40 turns */
	struct remainder r;
	uint128 turn;

	remainder_of(t, k, position, &r);
	turn = (uint128)r.m[REMAINDER_LIMBS - 1] << 64 |
	       r.m[REMAINDER_LIMBS - 2];
	turn = r.exponent > -128 ? turn >> -r.exponent : 0;
	a->tiny[i] = r.m[REMAINDER_LIMBS - 1] &&
		     nearest_leaves((uint64_t)(turn >> 64), least);
	turn = ((uint128)r.quarters << 126) + (r.negative ? -turn : turn);
	a->high[i] = (uint64_t)(turn >> 64);
	a->low[i] = (uint64_t)turn;
}

/*
 * The same from the first 128 bits of the frequency's fraction. The bits cut
 * off make the product too small by less than position units of 2^-128; if that
 * is too much for what is left of the angle, the result is false.
 */
static bool nearest_fast(struct nearest *a, size_t i, const struct turns *t,
			 size_t k, uint64_t position)
{
	const uint64_t least = (position << 6) + (1 << 24);
	const uint128 f = (uint128)t->fraction[2 * k + 1] << 64 |
			  t->fraction[2 * k];
	const uint128 turn = f * position;

	a->high[i] = (uint64_t)(turn >> 64);
	a->low[i] = (uint64_t)turn;
	a->tiny[i] = false;
	return !nearest_leaves(a->high[i], least);
}

static void chunk_nearest(const struct turns *t, size_t k, size_t n,
			  double position, double *sine, double *cosine)
{
	const bool whole = position == rint(position);
	uint64_t unsure[NEAREST_MOST];
	struct nearest a;
	size_t i = 0;

	do
		if (!whole ||
		    !nearest_fast(&a, i, t, k + i, (uint64_t)position))
			nearest_exact(&a, i, t, k + i, position);
	while (++i < n);
	if (!nearest_sincos(t->simd, &a, n, sine, cosine, unsure))
		return;
	for (i = 0; i < n; i++)
		if (unsure[i])
			series_sincos(t, k + i, position, TO_NEAREST, &sine[i],
				      &cosine[i]);
}

/* Of the magnitude of a position, in chunks; then with its sign. */
static void in_chunks(const struct turns *t, size_t k, size_t n,
		      double position, double *sine, double *cosine,
		      void chunk(const struct turns *t, size_t k, size_t n,
				 double position, double *sine,
				 double *cosine))
{
	const bool negate = t->negative != (position < 0);

	for (size_t i = 0; i < n; i += CHUNK)
		chunk(t, k + i, n - i < CHUNK ? n - i : CHUNK, fabs(position),
		      sine + i, cosine + i);
	for (size_t i = 0; negate && i < n; i++)
		sine[i] = 0 - sine[i];
}

void turns_sincos(const struct turns *t, size_t k, size_t n, double position,
		  double *sine, double *cosine)
{
	in_chunks(t, k, n, position, sine, cosine, chunk_sincos);
}

void turns_nearest(const struct turns *t, size_t k, size_t n, double position,
		   double *sine, double *cosine)
{
	in_chunks(t, k, n, position, sine, cosine, chunk_nearest);
}

void turns_of_products(enum simd simd, const double *a, const double *b,
		       size_t n, double *sine, double *cosine)
{
	struct remainder r;
	struct angles angle;

	remainder_of_products(a, b, n, &r);
	angle_of(&angle, 0, &r);
	if (!sine_cosine[simd](angle.high, angle.low, angle.quadrant, 1,
			   sine, cosine))
		series_remainder(&r, TO_ODD, sine, cosine);
}
