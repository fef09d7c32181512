/*
 * samples.h: random samples of the generators that options name.
 *
 * The folder random/ is generators of random numbers and the samples that
 * posenc, NumPy and PyTorch draw from them, bit for bit the same on every
 * machine. A sequence is named by its seed; no state is kept between calls. It
 * includes exact/ and table/.
 *
 *   philox.c      posenc's own samples: any slice of a sequence by itself
 *   numpy.c       numpy.random.default_rng() and RandomState
 *   torch.c       torch.manual_seed()
 *   generators.h  the generators of PyTorch and NumPy
 */
#ifndef SAMPLES_H
#define SAMPLES_H

#include <stddef.h>
#include <stdint.h>

#include "table/error.h"

enum sample_generator { PHILOX, TORCH, NUMPY, NUMPY_LEGACY };

/*
 * Upper bounds of |x| for normal samples: sqrt(-2 log 2^-53) of PHILOX is 8.57;
 * NumPy's and PyTorch's are below 11.95.
 */
#define RANDOM_NORMAL_MAX 8.6
#define NUMPY_NORMAL_MAX 14

/* The values of --rng, in this order; ends with NULL. */
extern const char *const sample_generators[];
extern const char *const sample_generator_meanings[];

/* Fail for a seed that the generator has not: NUMPY_LEGACY's have 32 bits. */
bool sample_seed_check(int generator, uint64_t seed, struct error *err);

/*
 * A sequence of samples. Those of PyTorch depend on how many are drawn at once.
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

/*
 * philox.c: Philox 4x32-10 (Salmon et al. 2011, "Parallel random numbers: as
 * easy as 1, 2, 3") with the index as its counter.
 */

/*
 * Write elements first to first + n - 1 of a seed's sequence to x [n]: uniform
 * in [0, 1), multiples of 2^-53.
 */
void random_uniform(uint64_t seed, uint64_t first, size_t n, double *x);

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

/*
 * numpy.c: bit for bit; but in float64 for those normal samples of which the
 * logarithm of NumPy's C library is not correctly rounded.
 */

/* Write standard_normal(n) or random(n) of a new generator to x [n]. */
void numpy_normal(uint64_t seed, size_t n, double *x);
void numpy_uniform(uint64_t seed, size_t n, double *x);

/* Write randn(n) or rand(n) of a new RandomState to x [n]. */
void numpy_legacy_normal(uint32_t seed, size_t n, double *x);
void numpy_legacy_uniform(uint32_t seed, size_t n, double *x);

/*
 * torch.c: the samples of a CPU after torch.manual_seed(), bit for bit:
 * torch.randn(), torch.rand(), the weights of torch.nn.Embedding.
 */

/*
 * Write the first n elements of tensor.normal_(0, deviation) to x [n], for a
 * new tensor of total >= n elements, float32. PyTorch uses the low 32 bits of
 * the seed.
 */
void torch_normal(uint64_t seed, double deviation, size_t total, size_t n,
		  double *x);

/* The same for tensor.uniform_(from, to), whose size does not matter. */
void torch_uniform(uint64_t seed, double from, double to, size_t n, double *x);

#endif
