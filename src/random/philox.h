/*
 * philox.h: random samples that are a function of a seed and an index.
 *
 * The folder random/ is generators of random numbers and the samples that
 * posenc, NumPy and PyTorch draw from them, bit for bit the same on every
 * machine. A sequence is named by its seed; no state is kept between calls. It
 * includes exact/ and table/.
 *
 *   philox.h   posenc's own samples: any slice of a sequence by itself
 *   numpy.h    numpy.random.default_rng() and RandomState
 *   torch.h    torch.manual_seed()
 *   samples.h  any of these, as options name them
 *   mt19937.h, pcg64.h  the generators of PyTorch and NumPy
 *
 * The generator is Philox 4x32-10 (Salmon et al. 2011, "Parallel random
 * numbers: as easy as 1, 2, 3") with the index as its counter.
 */
#ifndef PHILOX_H
#define PHILOX_H

#include <stddef.h>
#include <stdint.h>

/*
 * Write elements first to first + n - 1 of a seed's sequence to x [n]: uniform
 * in [0, 1), multiples of 2^-53.
 */
void random_uniform(uint64_t seed, uint64_t first, size_t n, double *x);

/* Upper bound of |x| for normal samples: sqrt(-2 log 2^-53) is 8.57. */
#define RANDOM_NORMAL_MAX 8.6

/*
 * The same, normal with mean 0 and standard deviation 1 (Box and Muller 1958):
 * two elements from each counter.
 */
void random_normal(uint64_t seed, uint64_t first, size_t n, double *x);

/*
 * Two normal samples by the Box-Muller method: sqrt(-2 log(1 - a)) times cosine
 * and sine of b turns. a and b are fractions of 2^64; their upper 53 bits are
 * used.
 */
void random_box_muller(uint64_t a, uint64_t b, double *cosine, double *sine);

#endif
