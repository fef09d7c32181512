/* samples.h: normal samples of the generators that options name. */
#ifndef SAMPLES_H
#define SAMPLES_H

#include <stddef.h>
#include <stdint.h>

enum sample_generator { PHILOX, TORCH, NUMPY, NUMPY_LEGACY };

/* The values of --rng, in this order; ends with NULL. */
extern const char *const sample_generators[];
extern const char *const sample_generator_meanings[];

/*
 * Write the first n samples of mean 0 and that standard deviation to x [n].
 * PyTorch's depend on how many are drawn at once: total, at least n. The seed
 * of NUMPY_LEGACY has 32 bits.
 */
void sample_normal(int generator, uint64_t seed, double deviation,
		   size_t total, size_t n, double *x);

#endif
