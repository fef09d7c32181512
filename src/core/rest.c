/* rest.c: what is left of an angle when whole quarter turns are taken away. */
#include <math.h>
#include <string.h>

#include "core/limbs.h"
#include "core/rest.h"

enum { LIMBS_MOST = 24 };

void rest_exactly(const struct turns *t, size_t k, double position,
		  struct rest *r)
{
	const size_t n = t->limbs + 1;
	uint64_t p[LIMBS_MOST + 1], zero[LIMBS_MOST + 1] = { 0 };
	size_t bits;
	long shift;
	int e;

	/* The angle is p [n] * 2^(shift - 64 n) turns. */
	memcpy(p, t->mantissa + k * t->limbs, t->limbs * sizeof *p);
	p[n - 1] = limbs_scale(p, t->limbs,
			       (uint64_t)ldexp(frexp(position, &e), 53));
	shift = t->exponent[k] + (e - 53) + 64;
	*r = (struct rest){ 0 };
	if (shift >= -2) {
		/* The point comes to the top, what is before it falls off. */
		if (shift >= 0)
			limbs_left(p, n, (size_t)shift);
		else
			limbs_right(p, n, (size_t)-shift);
		shift = 0;
		r->quarters = rest_quarters(&p[n - 1], &r->negative);
	}
	if (r->negative) {
		limbs_sub(zero, p, n);
		memcpy(p, zero, n * sizeof *p);
	}
	bits = limbs_bits(p, n);
	if (!bits)
		return;
	limbs_left(p, n, 64 * n - bits);
	r->exponent = shift - (long)(64 * n - bits);
	memcpy(r->m, p + n - REST_LIMBS, sizeof r->m);
}
