/*
 * frequency.c: geometric frequencies, each to well over 200 bits.
 *
 * Numbers are of two kinds. "Fixed" ones have n limbs of fraction and one limb
 * before the point. "Floating" ones have n limbs of mantissa, the top bit set,
 * and an exponent: m * 2^(exponent - 64 n).
 */
#include <math.h>
#include <string.h>

#include "core/kernel.h"
#include "core/limbs.h"
#include "core/turns.h"

enum {
	LIMBS_LEAST = 4,   /* 256 bits do for frequencies below a turn */
	LIMBS_MOST = 20,   /* and for the largest double */
	FIXED = LIMBS_MOST + 1,
};

struct floating {
	long exponent;
	uint64_t m[LIMBS_MOST];
};

/* The binary digits of 1 / (2 pi), the most significant first. */
static const uint64_t turns_per_radian[LIMBS_MOST + 2] = {
	0x28be60db9391054a, 0x7f09d5f47d4d3770, 0x36d8a5664f10e410,
	0x7f9458eaf7aef158, 0x6dc91b8e909374b8, 0x01924bba82746487,
	0x3f877ac72c4a69cf, 0xba208d7d4baed121, 0x3a671c09ad17df90,
	0x4e64758e60d4ce7d, 0x272117e2ef7e4a0e, 0xc7fe25fff7816603,
	0xfbcbc462d6829b47, 0xdb4d9fb3c9f2c26d, 0xd3d18fd9a797fa8b,
	0x5d49eeb1faf97c5e, 0xcf41ce7de294a4ba, 0x9afed7ec47e35742,
	0x1580cc11bf1edaea, 0xfc33ef0826bd0d87, 0x6a78e45857b986c2,
	0x19666157c5281a10,
};

static void fixed_multiply(uint64_t *a, const uint64_t *b, size_t n)
{
	uint64_t p[2 * FIXED];

	limbs_multiply(p, a, n + 1, b, n + 1);
	memcpy(a, p + n, (n + 1) * sizeof *a);
}

static double fixed_double(const uint64_t *a, size_t n)
{
	return (double)a[n] + (double)a[n - 1] * 0x1p-64;
}

/* ln(1 + 2 u / (v - u)) = 2 atanh(u / v) = 2 (z + z^3 / 3 + ...), z = u / v. */
static void fixed_log_ratio(uint64_t *sum, uint64_t u, uint64_t v, size_t n)
{
	uint64_t power[FIXED] = { 0 }, square[FIXED], term[FIXED];
	const size_t bytes = (n + 1) * sizeof *power;

	power[n] = u;
	limbs_divide(power, n + 1, v);
	memcpy(square, power, bytes);
	fixed_multiply(square, power, n);
	memset(sum, 0, bytes);
	for (uint64_t j = 1; limbs_bits(power, n + 1); j += 2) {
		memcpy(term, power, bytes);
		limbs_divide(term, n + 1, j);
		limbs_add(sum, term, n + 1);
		fixed_multiply(power, square, n);
	}
	limbs_left(sum, n + 1, 1);
}

/* |ln x|; its sign is that of x - 1. */
static void fixed_log(uint64_t *y, double x, size_t n)
{
	const uint64_t one = 1ull << 52;
	uint64_t part[FIXED];
	uint64_t m;
	int e;

	/* x = m / 2^52 * 2^(e - 1), where m / 2^52 is from 1 to 2 */
	m = (uint64_t)ldexp(frexp(x, &e), 53);
	fixed_log_ratio(y, 1, 3, n);
	limbs_scale(y, n + 1, (uint64_t)(e > 0 ? e - 1 : 1 - e));
	fixed_log_ratio(part, m - one, m + one, n);
	if (e > 0)
		limbs_add(y, part, n + 1);
	else
		limbs_sub(y, part, n + 1);
}

/* y becomes e^y, y from 0 to 1: 2^-8 y by its series, then squared 8 times. */
static void fixed_exp(uint64_t *y, size_t n)
{
	enum { HALVINGS = 8 };
	uint64_t term[FIXED] = { 0 }, small[FIXED];

	memcpy(small, y, (n + 1) * sizeof *y);
	limbs_right(small, n + 1, HALVINGS);
	term[n] = 1;
	memcpy(y, term, (n + 1) * sizeof *y);
	for (uint64_t j = 1; limbs_bits(term, n + 1); j++) {
		fixed_multiply(term, small, n);
		limbs_divide(term, n + 1, j);
		limbs_add(y, term, n + 1);
	}
	for (int i = 0; i < HALVINGS; i++) {
		memcpy(small, y, (n + 1) * sizeof *y);
		fixed_multiply(y, small, n);
	}
}

static void floating_multiply(struct floating *a, const struct floating *b,
			      size_t n)
{
	uint64_t p[2 * LIMBS_MOST];
	const size_t top = 2 * n - 1;

	limbs_multiply(p, a->m, n, b->m, n);
	a->exponent += b->exponent;
	if (!(p[top] >> 63)) {
		limbs_left(p, 2 * n, 1);
		a->exponent--;
	}
	memcpy(a->m, p + n, n * sizeof *p);
}

/* A positive double, exactly. */
static struct floating floating_from(double x, size_t n)
{
	struct floating f = { 0 };
	int e;

	f.m[n - 1] = (uint64_t)ldexp(frexp(x, &e), 53) << 11;
	f.exponent = e;
	return f;
}

/* scale / (2 pi) */
static struct floating floating_turns(double scale, size_t n)
{
	const struct floating s = floating_from(scale, n);
	struct floating f = { .exponent = -2 };
	uint64_t digits[LIMBS_MOST + 1];

	for (size_t i = 0; i <= n; i++)
		digits[n - i] = turns_per_radian[i];
	limbs_left(digits, n + 1, 2);
	memcpy(f.m, digits + 1, n * sizeof *digits);
	floating_multiply(&f, &s, n);
	return f;
}

/*
 * e^y where it grows, e^-y where not; y is spent. y = q ln 2 + rest, where q
 * from doubles may be one off either way, as it is below 2^40.
 */
static struct floating floating_exp(uint64_t *y, bool grows, size_t n)
{
	struct floating f = { 0 };
	uint64_t ln2[FIXED], whole[FIXED];
	uint64_t q;
	size_t extra;

	fixed_log_ratio(ln2, 1, 3, n);
	q = (uint64_t)(fixed_double(y, n) / fixed_double(ln2, n));
	memcpy(whole, ln2, (n + 1) * sizeof *ln2);
	limbs_scale(whole, n + 1, q);
	if (limbs_compare(whole, y, n + 1) > 0) {
		limbs_sub(whole, ln2, n + 1);
		q--;
	}
	limbs_sub(y, whole, n + 1);
	if (limbs_compare(y, ln2, n + 1) >= 0) {
		limbs_sub(y, ln2, n + 1);
		q++;
	}
	f.exponent = (long)q;
	if (!grows) {
		limbs_sub(ln2, y, n + 1);
		memcpy(y, ln2, (n + 1) * sizeof *y);
		f.exponent = -(long)q - 1;
	}
	fixed_exp(y, n);
	extra = limbs_bits(y, n + 1) - 64 * n;
	limbs_right(y, n + 1, extra);
	f.exponent += (long)extra;
	memcpy(f.m, y, n * sizeof *y);
	return f;
}

/*
 * What each frequency is of the one before: base^(-1 / denominator). The
 * denominator is m * 2^(e - 53); the shift comes first where there is room,
 * so that dividing by the 53 bits of m costs no precision.
 */
static struct floating ratio(double base, double denominator, size_t n)
{
	const bool grows = (base < 1) != (denominator < 0);
	uint64_t y[FIXED], m;
	size_t left;
	int e;

	m = (uint64_t)ldexp(frexp(fabs(denominator), &e), 53);
	left = e < 53 ? (size_t)(53 - e) : 0;
	fixed_log(y, base, n);
	limbs_left(y, n + 1, left < 53 ? left : 53);
	limbs_divide(y, n + 1, m);
	limbs_left(y, n + 1, left < 53 ? 0 : left - 53);
	limbs_right(y, n + 1, e > 53 ? (size_t)(e - 53) : 0);
	return floating_exp(y, grows, n);
}

/* The part of a turn in f, to 128 bits. */
static void fraction(const struct floating *f, size_t n, uint64_t low_high[2])
{
	uint64_t m[LIMBS_MOST];

	memcpy(m, f->m, n * sizeof *m);
	if (f->exponent >= 0)
		limbs_left(m, n, (size_t)f->exponent);
	else
		limbs_right(m, n, (size_t)-f->exponent);
	low_high[0] = m[n - 2];
	low_high[1] = m[n - 1];
}

/* The limbs that leave 256 bits behind the point of the largest frequency. */
static size_t limbs_needed(size_t n, double base, double denominator,
			   double scale)
{
	const double last = -(double)(n - 1) / denominator * log2(base);
	const double most = fmax(last, 0) + fmax(log2(scale), 0);

	if (!(most <= 1023) || fabs(log2(base) / denominator) > 0x1p40)
		return 0;
	return LIMBS_LEAST + ((size_t)most + 63) / 64;
}

/* The frequencies from the first on, which is scale in radians or turns. */
static bool geometric(struct turns *turns, size_t n, double base,
		      double denominator, double scale,
		      struct floating first(double scale, size_t n),
		      struct table *t, struct error *err)
{
	const size_t limbs = limbs_needed(n, base, denominator, fabs(scale));
	struct floating f, r;

	if (!limbs)
		return fail(err, "base %g with denominator %g makes "
			    "frequencies that no number can hold", base,
			    denominator);
	*turns = (struct turns){
		.kernel = kernel_for(simd_best()),
		.n = n, .limbs = limbs, .backwards = scale < 0,
		.mantissa = table_alloc(t, n, limbs * sizeof(uint64_t), err),
		.exponent = table_alloc(t, n, sizeof(long), err),
		.fraction = table_alloc(t, n, 2 * sizeof(uint64_t), err),
	};
	if (!turns->mantissa || !turns->exponent || !turns->fraction)
		return false;
	f = first(fabs(scale), limbs);
	r = ratio(base, denominator, limbs);
	for (size_t k = 0; k < n; k++) {
		memcpy(turns->mantissa + k * limbs, f.m, limbs * sizeof *f.m);
		turns->exponent[k] = f.exponent;
		fraction(&f, limbs, turns->fraction + 2 * k);
		floating_multiply(&f, &r, limbs);
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
