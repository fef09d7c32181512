/*
 * wave.h: rows of sines and cosines. One engine for every encoding that is
 * periodic in the position; they differ in frequencies, layout and amplitude.
 */
#ifndef WAVE_H
#define WAVE_H

#include "core/turns.h"

/*
 * Pair k of a row is f(p w_k) at column k * stride and g(p w_k) at column
 * k * stride + apart, where f and g are sine and cosine, or the other way
 * round. A g past the last column is left out; other columns are zero.
 */
struct wave {
	struct turns turns;
	size_t cols;
	size_t stride, apart;  /* 2, 1: interleaved; 1, pairs: split */
	bool cosine_first;
	double amplitude;
};

/* The row of a position, to x [cols]. */
void wave_row(const struct wave *w, double position, double *x);

#endif
