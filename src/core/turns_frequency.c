/* turns_frequency.c: geometric frequencies, each to well over 200 bits. */
#include <math.h>
#include <string.h>

#include "core/floating.h"
#include "core/kernel.h"
#include "core/limbs.h"
#include "core/turns.h"

enum { LIMBS_LEAST = 4 };  /* 256 bits do for frequencies below a turn */

/* The binary digits of 1 / (2 pi), the most significant first. */
static const uint64_t turns_per_radian[FLOATING_MOST + 2] = {
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
	uint64_t digits[FLOATING_MOST + 1];

	for (size_t i = 0; i <= n; i++)
		digits[n - i] = turns_per_radian[i];
	limbs_left(digits, n + 1, 2);
	memcpy(f.m, digits + 1, n * sizeof *digits);
	floating_multiply(&f, &s, n);
	return f;
}

/* The part of a turn in f, to 128 bits. */
static void fraction(const struct floating *f, size_t n, uint64_t low_high[2])
{
	uint64_t m[FLOATING_MOST];

	memcpy(m, f->m, n * sizeof *m);
	if (f->exponent >= 0)
		limbs_left(m, n, (size_t)f->exponent);
	else
		limbs_right(m, n, (size_t)-f->exponent);
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

/* The limbs that leave 256 bits behind the point of a frequency to 2^most. */
static size_t limbs_for(double most)
{
	return LIMBS_LEAST + ((size_t)fmax(most, 0) + 63) / 64;
}

/* Room for n frequencies. */
static bool begin(struct turns *turns, size_t n, size_t limbs,
		  struct table *t, struct error *err)
{
	*turns = (struct turns){
		.kernel = kernel_for(simd_best()), .n = n, .limbs = limbs,
		.mantissa = table_alloc(t, n, limbs * sizeof(uint64_t), err),
		.exponent = table_alloc(t, n, sizeof(long), err),
		.fraction = table_alloc(t, n, 2 * sizeof(uint64_t), err),
	};
	return turns->mantissa && turns->exponent && turns->fraction;
}

/* The binary logarithm of the largest frequency, or more than 1023. */
static double magnitude(size_t n, double base, double denominator,
			double scale)
{
	const double last = -(double)(n - 1) / denominator * log2(base);
	const double most = fmax(last, 0) + fmax(log2(scale), 0);

	return fabs(log2(base) / denominator) > 0x1p40 ? HUGE_VAL : most;
}

/* The frequencies from the first on, which is scale in radians or turns. */
static bool geometric(struct turns *turns, size_t n, double base,
		      double denominator, double scale,
		      struct floating first(double scale, size_t n),
		      struct table *t, struct error *err)
{
	const double most = magnitude(n, base, denominator, fabs(scale));
	struct floating f, r;

	if (!(most <= 1023))
		return fail(err, "base %g with denominator %g makes "
			    "frequencies that no number can hold", base,
			    denominator);
	if (!begin(turns, n, limbs_for(most), t, err))
		return false;
	turns->backwards = scale < 0;
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

bool turns_geometric_whole(struct turns *turns, size_t n, double base,
			   double denominator, double scale, struct table *t,
			   struct error *err)
{
	return geometric(turns, n, base, denominator, scale, floating_from,
			 t, err);
}

bool turns_linear(struct turns *turns, size_t n, double first, double step,
		  double over, struct table *t, struct error *err)
{
	const double most = first + (double)(n - 1) * step / over;

	if (!begin(turns, n, limbs_for(log2(fmax(first, most))), t, err))
		return false;
	for (size_t k = 0; k < n; k++) {
		struct floating f = floating_from((double)k * step +
						  first * over, turns->limbs);

		floating_divide(&f, 2 * over, turns->limbs);
		set_frequency(turns, k, &f);
	}
	return true;
}

void turns_stretch(struct turns *turns, double base, double denominator)
{
	const size_t limbs = turns->limbs;
	const struct floating r = floating_root(base, denominator, limbs);
	struct floating power = r;

	for (size_t k = 1; k < turns->n; k++) {
		struct floating f = frequency(turns, k);

		floating_multiply(&f, &power, limbs);
		set_frequency(turns, k, &f);
		floating_multiply(&power, &r, limbs);
	}
}

void turns_change(struct turns *turns, size_t k, double a, double b,
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

void turns_copy(struct turns *turns, size_t to, size_t from, size_t n)
{
	for (size_t k = 0; k < n; k++) {
		const struct floating f = frequency(turns, from + k);

		set_frequency(turns, to + k, &f);
	}
}

void turns_stop(struct turns *turns, size_t k)
{
	set_frequency(turns, k, &(struct floating){ 0 });
}

double turns_radians(const struct turns *t, size_t k, double position)
{
	enum { N = 3 };
	static const struct floating two_pi = {
		3, { 0x29024e088a67cc74, 0xc4c6628b80dc1cd1,
		     0xc90fdaa22168c234 }
	};
	struct floating p = floating_from(fabs(position), N);
	struct floating f = { .exponent = t->exponent[k] };
	const bool back = t->backwards != (position < 0);
	double x;

	memcpy(f.m, t->mantissa + (k + 1) * t->limbs - N, N * sizeof *f.m);
	floating_multiply(&f, &two_pi, N);
	floating_multiply(&f, &p, N);
	x = floating_double(&f, N);
	return back ? 0 - x : x;
}
