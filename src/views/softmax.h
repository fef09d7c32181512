/* softmax.h: e^x / sum e^x of a row, the same on every machine. */
#ifndef SOFTMAX_H
#define SOFTMAX_H

#include <stddef.h>

/*
 * x [n] becomes e^x / sum e^x; -inf becomes 0. At least one x must be finite,
 * none NaN or inf. The weights are within 3 ulp; their exact sum is within
 * 2^-52 of 1.
 */
void softmax(double *x, size_t n);

/* A sum and the rounding error of its additions (Knuth's two-sum). */
struct sum {
	double value, error;
};

static inline void sum_add(struct sum *s, double x)
{
	const double value = s->value + x, part = value - s->value;

	s->error += (s->value - (value - part)) + (x - part);
	s->value = value;
}

#endif
