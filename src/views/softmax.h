/* softmax.h: e^x / sum e^x and c tanh(x / c) of a row, on every machine the
   same. */
#ifndef SOFTMAX_H
#define SOFTMAX_H

#include <stddef.h>

/*
 * x [n] becomes e^x / (e^sink + sum e^x); -inf becomes 0. At least one x or
 * sink must be finite, none NaN or inf; a sink of -inf adds nothing. The
 * weights are within 3 ulp; the exact sum of theirs and the sink's is within
 * 2^-52 of 1.
 */
void softmax(double *x, size_t n, double sink);

/* x [n] becomes c tanh(x / c), c above 0, all finite: within 4 ulp. */
void softcap(double *x, size_t n, double c);

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
