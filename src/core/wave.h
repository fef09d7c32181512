/*
 * wave.h: rows of sines and cosines. One engine for every encoding that is
 * periodic in the position; they differ in frequencies, layout and amplitude.
 */
#ifndef WAVE_H
#define WAVE_H

#include "core/emulation.h"

/*
 * Pair k of a row is f(p w_k) at column k * stride and g(p w_k) at column
 * k * stride + apart, where f and g are sine and cosine, or the other way
 * round, or both the first. A g past the last column is left out; other
 * columns are zero.
 */
struct wave {
	struct turns turns;
	size_t cols;
	size_t stride, apart;  /* 2, 1: interleaved; 1, pairs: split */
	bool cosine_first;
	bool alike;            /* g is f */
	double amplitude;
	struct emulation emulation;  /* by which way; EXACT: by none */

	/* What wave_floats() needs; see there. */
	double start, step;
	size_t block;          /* rows that turn from one anchor; 0: none */
	double *turn_sine;     /* [block, pairs], of step * 0, 1, 2, ... */
	double *turn_cosine;   /* [block, pairs] */
	double *most;          /* [pairs], the greatest |sine| of the block */
};

/* The row of a position, to x [cols]. */
void wave_row(const struct wave *w, double position, double *x);

/* Pairs first to first + n - 1 of that row only. */
void wave_pairs(const struct wave *w, size_t first, size_t n, double position,
		double *x);

/*
 * Prepare for rows of positions start + i * step, i below rows. Memory is t's.
 * Where blocks are of no use, because the positions are not whole or the rows
 * few or too wide, w->block stays 0.
 */
bool wave_prepare(struct wave *w, double start, double step, size_t rows,
		  struct table *t, struct error *err);

/* Rows first to first + n - 1, correctly rounded, to out [n, cols]. */
void wave_floats(const struct wave *w, size_t first, size_t n, float *out);

#endif
