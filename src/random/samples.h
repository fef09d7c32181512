/* samples.h: samples of the generators that options name. */
#ifndef SAMPLES_H
#define SAMPLES_H

#include <stddef.h>
#include <stdint.h>

enum sample_generator { PHILOX, TORCH, NUMPY, NUMPY_LEGACY };

/* The values of --rng, in this order; ends with NULL. */
extern const char *const sample_generators[];
extern const char *const sample_generator_meanings[];

/*
 * A sequence of samples. Those of PyTorch depend on how many are drawn at once.
 * The seed of NUMPY_LEGACY has 32 bits.
 */
struct samples {
	int generator;
	uint64_t seed;
	size_t total;    /* number of samples; unused but for TORCH */
};

/*
 * Write samples first to first + n - 1 of mean 0 and that standard deviation to
 * x [n]. Only PHILOX can begin elsewhere than at 0.
 */
void sample_normal(const struct samples *s, double deviation, size_t first,
		   size_t n, double *x);

/* The same, uniform in [from, to). */
void sample_uniform(const struct samples *s, double from, double to,
		    size_t first, size_t n, double *x);

#endif
