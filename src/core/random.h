/* random.h: numbers that depend on a seed and an index, and on nothing else. */
#ifndef RANDOM_H
#define RANDOM_H

#include <stddef.h>
#include <stdint.h>

/*
 * Numbers first to first + n - 1 of the sequence of seed, to x [n]. Philox
 * 4x32-10 (Salmon et al. 2011, "Parallel random numbers: as easy as 1, 2, 3")
 * with the index as its counter: any slice can be drawn by itself.
 */

/* Uniform in [0, 1), multiples of 2^-53. */
void random_uniform(uint64_t seed, uint64_t first, size_t n, double *x);

/* No normal number is larger: sqrt(-2 log 2^-53) is 8.57. */
#define RANDOM_NORMAL_MOST 8.6

/* Normal, mean 0, deviation 1: Box and Muller's, two from each counter. */
void random_normal(uint64_t seed, uint64_t first, size_t n, double *x);

/*
 * Two normal numbers by Box and Muller 1958: sqrt(-2 log(1 - a)) times cosine
 * and sine of b turns. a and b are fractions, of which 53 bits are taken.
 */
void random_box_muller(uint64_t a, uint64_t b, double *cosine, double *sine);

#endif
