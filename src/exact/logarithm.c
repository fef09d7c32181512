/* logarithm.c: logarithms in double-double arithmetic (Dekker 1971). */
#include <math.h>

#include "exact/logarithm.h"

/* The unevaluated sum of two doubles, the second below an ulp of the first. */
struct pair {
	double hi, lo;
};

/* a + b where |a| >= |b|, or a is 0. */
static struct pair sum(double a, double b)
{
	const double hi = a + b;

	return (struct pair){ hi, b - (hi - a) };
}

static struct pair add(struct pair a, struct pair b)
{
	const double hi = a.hi + b.hi, part = hi - a.hi;
	const double lo = (a.hi - (hi - part)) + (b.hi - part);

	return sum(hi, lo + (a.lo + b.lo));
}

static struct pair multiply(struct pair a, struct pair b)
{
	const double hi = a.hi * b.hi;
	const double lo = fma(a.hi, b.hi, -hi);

	return sum(hi, lo + (a.hi * b.lo + a.lo * b.hi));
}

static struct pair divide(struct pair a, struct pair b)
{
	const double hi = a.hi / b.hi;
	const double left = fma(-hi, b.hi, a.hi) + (a.lo - hi * b.lo);

	return sum(hi, left / b.hi);
}

/*
 * 2 atanh(s) / s - 2 = 2 z (1/3 + z/5 + z^2/7 + ...), z = s^2 below 0.0295. The
 * first terms are pairs; after them the error of doubles is below 2^-75.
 */
static struct pair series(struct pair z)
{
	static const struct pair first[] = {
		{ 2.0 / 7, 0x1.2492492492492p-56 },
		{ 2.0 / 5, -0x1.999999999999ap-56 },
		{ 2.0 / 3, 0x1.5555555555555p-55 },
	};
	struct pair y;
	double tail = 0;

	for (int n = 33; n >= 9; n -= 2)
		tail = z.hi * (2.0 / n + tail);
	y = add(first[0], (struct pair){ tail, 0 });
	y = add(first[1], multiply(y, z));
	y = add(first[2], multiply(y, z));
	return multiply(y, z);
}

/* ln m = 2 atanh(s), s = (m - 1) / (m + 1), 1/sqrt(2) <= m <= sqrt(2). */
static struct pair log_near_one(struct pair less_one, struct pair plus_one)
{
	const struct pair s = divide(less_one, plus_one);

	return add(multiply(s, series(multiply(s, s))),
		   (struct pair){ 2 * s.hi, 2 * s.lo });
}

/* ln m, for a positive and normal m */
static double log_of(struct pair m)
{
	static const struct pair ln2 = {
		0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56
	};
	const struct pair one = { 1, 0 }, minus_one = { -1, 0 };
	int e;

	frexp(m.hi, &e);
	if (ldexp(m.hi, -e) < 0x1.6a09e667f3bcdp-1)
		e--;
	m.hi = ldexp(m.hi, -e);
	m.lo = ldexp(m.lo, -e);
	m = add(multiply(ln2, (struct pair){ e, 0 }),
		log_near_one(add(m, minus_one), add(m, one)));
	return m.hi + m.lo;
}

double log_ratio(double a, double b)
{
	return log_of(divide((struct pair){ a, 0 }, (struct pair){ b, 0 }));
}

double log_one_plus(double a, double b)
{
	const struct pair product = multiply((struct pair){ a, 0 },
					     (struct pair){ b, 0 });

	if (product.hi < 0.25) {
		const struct pair two = { 2, 0 };
		const struct pair y = log_near_one(product,
						   add(two, product));

		return y.hi + y.lo;
	}
	return log_of(add((struct pair){ 1, 0 }, product));
}
