/*
 * numpy.h: the samples of numpy.random.default_rng(seed), and of the older
 * numpy.random.RandomState(seed), bit for bit.
 */
#ifndef NUMPY_H
#define NUMPY_H

#include <stddef.h>
#include <stdint.h>

/* Upper bound of |x| for normal samples, torch's too: it is 11.95. */
#define NUMPY_NORMAL_MAX 14

/* Write standard_normal(n) or random(n) of a new generator to x [n]. */
void numpy_normal(uint64_t seed, size_t n, double *x);
void numpy_uniform(uint64_t seed, size_t n, double *x);

/* Write randn(n) or rand(n) of a new RandomState to x [n]. */
void numpy_legacy_normal(uint32_t seed, size_t n, double *x);
void numpy_legacy_uniform(uint32_t seed, size_t n, double *x);

#endif
