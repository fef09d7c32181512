/* floating.c: arithmetic on positive numbers of some hundred bits. */
#include <math.h>
#include <string.h>

#include "core/bits.h"
#include "core/floating.h"
#include "core/limbs.h"

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
	long exponent = a->exponent;
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
	/* A tie of a shorter format, to which what was cut made no tie. */
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
	a->exponent -= (long)zeros;
}

void floating_multiply(struct floating *a, const struct floating *b, size_t n)
{
	uint64_t p[2 * FLOATING_MOST];
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
	uint64_t longer[FLOATING_MOST + 1];
	int e;
	const uint64_t m = (uint64_t)ldexp(frexp(x, &e), 53);
	size_t zeros;

	/* A limb more keeps the bits that dividing by 53 of them takes. */
	longer[0] = 0;
	memcpy(longer + 1, a->m, n * sizeof *longer);
	limbs_divide(longer, n + 1, m);
	a->exponent += 53 - e;
	zeros = 64 * (n + 1) - limbs_bits(longer, n + 1);
	limbs_left(longer, n + 1, zeros);
	a->exponent -= (long)zeros;
	memcpy(a->m, longer + 1, n * sizeof *longer);
}

/* Whether a is less than b. */
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
	limbs_right(b.m, n, (size_t)(a->exponent - b.exponent));
	if (x < 0) {
		limbs_sub(a->m, b.m, n);
		normalize(a, n);
	} else if (limbs_add(a->m, b.m, n)) {
		limbs_right(a->m, n, 1);
		a->m[n - 1] |= 1ull << 63;
		a->exponent++;
	}
}
