/* softmax.h: logits to weights, the same on every machine. */
#ifndef SOFTMAX_H
#define SOFTMAX_H

#include <stddef.h>

/*
 * x [n] becomes e^x over the sum of all e^x; -inf becomes 0. One x at least
 * must be finite, none NaN or inf. The weights are within 3 ulp, and their
 * exact sum is within 2^-52 of 1.
 */
void softmax(double *x, size_t n);

#endif
