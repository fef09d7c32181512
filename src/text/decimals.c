/*
 * decimals.c: rows of decimals, many at a time. What is not written as most
 * numbers are is left to decimal_read().
 */
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "exact/bits.h"
#include "exact/tens.h"
#include "text/decimal.h"
#include "text/decimal_loops.h"

enum { LANES = 8 };  /* numbers that are divided at once */

enum { DIGITS = 1, ODD = 2, FRACTION = 4 };

/* Whether x >= 0 is a number that other digits may round to a float32. */
static inline bool is_odd(double x)
{
	return is_float_tie(x) | (x > (double)FLT_MAX) |
	       ((x < 0x1p-126) & (x > 0));
}

/*
 * Divide digits [n] by powers of ten. DIGITS: a number is not a float32 of as
 * many digits as it has; ODD: see is_odd(); FRACTION: one is -0.
 */
SIMD_LOOP unsigned divide_loop(const uint64_t *restrict digits,
			       const double *restrict power, size_t n,
			       double *restrict x)
{
	const uint64_t unit = bits_of(0x1p52);
	uint64_t more = 0, ties = 0, zeros = 0;

	for (size_t i = 0; i < n; i++) {
		const double high = double_of((digits[i] & UINT32_MAX) | unit);
		const double low = double_of(digits[i] >> 32 | unit);
		const double all = (high - 0x1p52) * 1e8 + (low - 0x1p52);
		const double y = all / power[i];
		const double off = fabs((double)(float)y - y) -
				   half_step(y);

		x[i] = y;
		more |= off * fabs(power[i]) >= 0.5;
		ties |= (bits_of(y) & 0x1fffffff) == 0x10000000;
		zeros |= bits_of(y) == (uint64_t)1 << 63;
	}
	return (more ? DIGITS : 0) | (ties ? ODD : 0) | (zeros ? FRACTION : 0);
}
SIMD_EACH(unsigned, divide,
	  (const uint64_t *restrict digits, const double *restrict power,
	   size_t n, double *restrict x),
	  return divide_loop(digits, power, n, x))

/* Give x [n] their signs; ODD and FRACTION as above. */
SIMD_LOOP unsigned sign_loop(double *restrict x, const uint64_t *restrict sign,
			     size_t n)
{
	uint64_t odd = 0, zeros = 0;

	for (size_t i = 0; i < n; i++) {
		odd |= is_odd(x[i]);
		zeros |= (bits_of(x[i]) | sign[i]) == (uint64_t)1 << 63;
		x[i] = double_of(bits_of(x[i]) | sign[i]);
	}
	return (odd ? ODD : 0) | (zeros ? FRACTION : 0);
}
SIMD_EACH(unsigned, give_signs,
	  (double *restrict x, const uint64_t *restrict sign, size_t n),
	  return sign_loop(x, sign, n))

static void append(struct decimals *all, const double *x, size_t n)
{
	memcpy(all->x + all->n, x, n * sizeof *x);
	all->n += n;
}

/* How many of x [n] come before the first that is odd. */
static size_t until_odd(const double *x, size_t n)
{
	size_t first = n;

	for (size_t i = n; i-- > 0;)
		if (is_odd(fabs(x[i])))
			first = i;
	return first;
}

/* Append short numbers of p. Returns how many were appended. */
static size_t append_short(struct decimals *all, const struct piece *p,
			   size_t most, enum simd simd)
{
	struct digits d;
	double x[PIECE_NUMBERS];
	unsigned found;

	decimal_loops[simd].read_short(p, &d, most);
	for (size_t i = d.n; i % LANES; i++) {
		d.all[i] = 0;
		d.power[i] = 1;
	}
	found = divide[simd](d.all, d.power,
			     (d.n + LANES - 1) / LANES * LANES, x);
	if (found & ODD)
		d.n = until_odd(x, d.n);
	all->more_digits |= found & DIGITS;
	all->fractions |= d.fractions || found & FRACTION;
	append(all, x, d.n);
	return d.n;
}

/* Append any numbers of p from one on. Returns how many were appended. */
static size_t append_any(struct decimals *all, const struct piece *p,
			 size_t from, size_t to, enum simd simd)
{
	struct digits d;
	double x[PIECE_NUMBERS];
	unsigned found;

	decimal_loops[simd].read_any(p, &d, from, to);
	for (size_t i = 0; i < d.n; i++)
		if (!d.all[i] || !tens_scale(d.all[i], d.exponent[i], &x[i]))
			x[i] = 0;
	found = give_signs[simd](x, d.sign, d.n);
	if (found & ODD)
		d.n = until_odd(x, d.n);
	for (size_t i = 0; i < d.n && !all->more_digits; i++)
		all->more_digits = !decimal_is_single(x[i], d.exponent[i]);
	all->fractions |= d.fractions || found & FRACTION;
	append(all, x, d.n);
	return d.n;
}

const char *decimals_read(struct decimals *all, const char *s,
			  const char *stop, char separator, char last)
{
	const enum simd simd = simd_best();
	const char *next = s;

	while (stop - next >= DECIMAL_AHEAD) {
		const size_t left = (size_t)(stop - next) - PIECE_BLOCK;
		const size_t room = all->most - all->n;
		const size_t bytes = left < PIECE_BYTES ? left : PIECE_BYTES;
		char copy[PIECE_BEFORE + PIECE_BYTES + PIECE_BLOCK];
		struct piece p = { .text = next };
		size_t n, most;

		if (next - all->begin < PIECE_BEFORE) {
			memset(copy, 0, PIECE_BEFORE);
			memcpy(copy + PIECE_BEFORE, next, bytes + PIECE_BLOCK);
			p.text = copy + PIECE_BEFORE;
		}
		decimal_loops[simd].find(&p, bytes, separator, last);
		most = p.n < room ? p.n : room;
		n = all->more_digits ? 0 : append_short(all, &p, most, simd);
		if (n < most)
			n += append_any(all, &p, n, most, simd);
		if (!n)
			break;
		s = next + p.end[n - 1];
		if (n < most || *s == last)
			break;
		next = s + 1;
	}
	return s;
}
