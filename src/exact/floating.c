/*
 * floating.c: arithmetic, logarithms and powers to several hundred bits.
 *
 * The functions fixed_*() work on fixed-point values: n limbs of fraction and
 * one before the point.
 */
#include <math.h>
#include <string.h>

#include "exact/bits.h"
#include "exact/floating.h"
#include "exact/limbs.h"

struct floating floating_from(double x, size_t n)
{
	struct floating f = { 0 };
	int e;

	f.m[n - 1] = (uint64_t)ldexp(frexp(x, &e), 53) << 11;
	f.exponent = e;
	return f;
}

double floating_double(const struct floating *a, size_t n)
{
	const uint64_t half = 1ull << 31;  /* of the last of 96 bits */
	uint64_t low = a->m[n - 2], high = a->m[n - 1], top;
	int64_t exponent = a->exponent;
	bool cut, up;

	if (__builtin_add_overflow(low, half, &low) && !++high) {
		high = 1ull << 63;
		exponent++;
	}
	low = low >> 32 << 32;
	top = high >> 11;
	high &= 2047;
	cut = high || low;
	up = high > 1024 || (high == 1024 && (low || top & 1));
	/* Not a tie of a shorter format unless the exact value is one. */
	if (cut && ((top + up) & 0xfffffff) == 0)
		top |= 1;
	else
		top += up;
	return ldexp((double)top, exponent < -1200 ? -1253
						   : (int)exponent - 53);
}

static void normalize(struct floating *a, size_t n)
{
	const size_t zeros = 64 * n - limbs_bits(a->m, n);

	limbs_left(a->m, n, zeros);
	a->exponent -= (int64_t)zeros;
}

void floating_multiply(struct floating *a, const struct floating *b, size_t n)
{
	uint64_t p[2 * FLOATING_LIMBS];
	const size_t top = 2 * n - 1;

	limbs_multiply(p, a->m, n, b->m, n);
	a->exponent += b->exponent;
	if (!(p[top] >> 63)) {
		limbs_left(p, 2 * n, 1);
		a->exponent--;
	}
	memcpy(a->m, p + n, n * sizeof *p);
}

void floating_divide(struct floating *a, double x, size_t n)
{
	uint64_t longer[FLOATING_LIMBS + 1];
	int e;
	const uint64_t m = (uint64_t)ldexp(frexp(x, &e), 53);
	size_t zeros;

	/* One more limb keeps the precision that dividing by 53 bits loses. */
	longer[0] = 0;
	memcpy(longer + 1, a->m, n * sizeof *longer);
	limbs_divide(longer, n + 1, m);
	a->exponent += 53 - e;
	zeros = 64 * (n + 1) - limbs_bits(longer, n + 1);
	limbs_left(longer, n + 1, zeros);
	a->exponent -= (int64_t)zeros;
	memcpy(a->m, longer + 1, n * sizeof *longer);
}

static bool less(const struct floating *a, const struct floating *b, size_t n)
{
	return a->exponent != b->exponent ? a->exponent < b->exponent
		: limbs_compare(a->m, b->m, n) < 0;
}

void floating_add(struct floating *a, double x, size_t n)
{
	struct floating b = floating_from(fabs(x), n);
	struct floating swap;

	if (!b.m[n - 1])
		return;
	if (!a->m[n - 1] || less(a, &b, n)) {
		swap = *a;
		*a = b;
		b = swap;
	}
	limbs_right(b.m, n, (uint64_t)(a->exponent - b.exponent));
	if (x < 0) {
		limbs_sub(a->m, b.m, n);
		normalize(a, n);
	} else if (limbs_add(a->m, b.m, n)) {
		limbs_right(a->m, n, 1);
		a->m[n - 1] |= 1ull << 63;
		a->exponent++;
	}
}

enum { FIXED = FLOATING_LIMBS + 1 };

/* The binary digits of ln 2, the most significant first. */
static const uint64_t log_two[FIXED] = {
	0xb17217f7d1cf79ab, 0xc9e3b39803f2f6af, 0x40f343267298b62d,
	0x8a0d175b8baafa2b, 0xe7b876206debac98, 0x559552fb4afa1b10,
	0xed2eae35c1382144, 0x27573b291169b825, 0x3e96ca16224ae8c5,
	0x1acbda11317c387e, 0xb9ea9bc3b136603b, 0x256fa0ec7657f74b,
	0x72ce87b19d6548ca, 0xf5dfa6bd38303248, 0x655fa1872f20e3a2,
	0xda2d97c50f3fd5c6, 0x07f4ca11fb5bfb90, 0x610d30f88fe551a2,
	0xee569d6dfc1efa15, 0x7d2e23de1400b396, 0x17460775db8990e5,
};

/* ln 2, of n limbs */
static void fixed_log_two(uint64_t *y, size_t n)
{
	y[n] = 0;
	for (size_t i = 0; i < n; i++)
		y[n - 1 - i] = log_two[i];
}

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
	fixed_log_two(y, n);
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

/*
 * e^y if it grows, else e^-y; y is overwritten. y = q ln 2 + remainder. q is
 * below 2^40; computed in doubles it may be off by one either way: one is
 * added, and taken off again if that is too much.
 */
static struct floating floating_exp(uint64_t *y, bool grows, size_t n)
{
	struct floating f = { 0 };
	uint64_t ln2[FIXED], whole[FIXED];
	uint64_t q;
	size_t extra;

	fixed_log_two(ln2, n);
	q = 1 + (uint64_t)(fixed_double(y, n) / fixed_double(ln2, n));
	memcpy(whole, ln2, (n + 1) * sizeof *ln2);
	limbs_scale(whole, n + 1, q);
	for (; limbs_compare(whole, y, n + 1) > 0; q--)
		limbs_sub(whole, ln2, n + 1);
	limbs_sub(y, whole, n + 1);
	f.exponent = (int64_t)q;
	if (!grows) {
		limbs_sub(ln2, y, n + 1);
		memcpy(y, ln2, (n + 1) * sizeof *y);
		f.exponent = -(int64_t)q - 1;
	}
	fixed_exp(y, n);
	extra = limbs_bits(y, n + 1) - 64 * n;
	limbs_right(y, n + 1, extra);
	f.exponent += (int64_t)extra;
	memcpy(f.m, y, n * sizeof *y);
	return f;
}

/*
 * The denominator is m * 2^(e - 53). The logarithm is shifted left first, as
 * far as there is room, so that dividing by m, 53 bits, costs no precision.
 */
struct floating floating_root(double base, double denominator, size_t n)
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

struct floating floating_power(double base, double exponent, size_t n)
{
	const bool grows = (base > 1) == (exponent > 0);
	uint64_t y[FIXED], m;
	int e;

	m = (uint64_t)ldexp(frexp(fabs(exponent), &e), 53);
	fixed_log(y, base, n);
	limbs_scale(y, n + 1, m);
	limbs_right(y, n + 1, (size_t)(53 - e));
	return floating_exp(y, grows, n);
}

struct floating floating_exponential(double x, size_t n)
{
	uint64_t y[FIXED] = { 0 };
	int e;

	y[n] = (uint64_t)ldexp(frexp(fabs(x), &e), 53);
	limbs_right(y, n + 1, (size_t)(53 - e));
	return floating_exp(y, x >= 0, n);
}

double floating_log(double x)
{
	const size_t n = 4;
	struct floating f = { 0 };
	uint64_t y[FIXED];
	size_t bits;
	double size;

	fixed_log(y, x, n);
	bits = limbs_bits(y, n + 1);
	if (!bits)
		return 0;
	limbs_left(y, n + 1, 64 * (n + 1) - bits);
	memcpy(f.m, y + 1, n * sizeof *y);
	f.exponent = (int64_t)bits - (int64_t)(64 * n);
	size = floating_double(&f, n);
	return x < 1 ? -size : size;
}
