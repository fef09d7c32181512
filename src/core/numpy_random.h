/*
 * numpy_random.h: what NumPy draws: numpy.random.default_rng(seed) and, before
 * it, numpy.random.RandomState(seed).
 */
#ifndef NUMPY_RANDOM_H
#define NUMPY_RANDOM_H

#include <stddef.h>
#include <stdint.h>

/* No number is larger, nor one of torch's: sqrt(-2 log 2^-103) is 11.95. */
#define NUMPY_NORMAL_MOST 14

/* The first n numbers to x [n]: standard_normal(n) and random(n). */
void numpy_normal(uint64_t seed, size_t n, double *x);
void numpy_uniform(uint64_t seed, size_t n, double *x);

/* randn(n) and rand(n) of a RandomState. */
void numpy_legacy_normal(uint32_t seed, size_t n, double *x);
void numpy_legacy_uniform(uint32_t seed, size_t n, double *x);

#endif
