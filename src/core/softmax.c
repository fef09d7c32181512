/* softmax.c: logits to weights, by + - * / alone. */
#include <math.h>

#include "core/softmax.h"

#define LEAST (-746.0)  /* e^x is 0 from here on down */

/*
 * e^x, x at most 0, within an ulp: x = k ln 2 + r, where |r| < 0.35, and the
 * series of e^r up to r^13 / 13!. The first part of ln 2 is short, so that k
 * times it is exact.
 */
static double exponential(double x)
{
	const double high = 0x1.62e42fee00000p-1, low = 0x1.a39ef35793c76p-33;
	const double k = rint(x * 0x1.71547652b82fep+0);
	const double a = x - k * high, b = k * low, r = a - b;
	const double lost = (a - r) - b;
	double rest = 0;

	for (int n = 13; n > 2; n--)
		rest = (1 + rest) * r / n;
	return ldexp(1 + (r + (lost + (1 + rest) * r * r / 2)), (int)k);
}

/* What is added, and what rounding took from it. */
struct sum {
	double all, lost;
};

static void add(struct sum *s, double x)
{
	const double all = s->all + x, part = all - s->all;

	s->lost += (s->all - (all - part)) + (x - part);
	s->all = all;
}

void softmax(double *x, size_t n)
{
	struct sum s = { 0 };
	double most = -HUGE_VAL;

	for (size_t j = 0; j < n; j++)
		most = fmax(most, x[j]);
	for (size_t j = 0; j < n; j++) {
		const double below = x[j] - most;

		x[j] = below > LEAST ? exponential(below) : 0;
		add(&s, x[j]);
	}
	for (size_t j = 0; j < n; j++)
		x[j] /= s.all + s.lost;
}
