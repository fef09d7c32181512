/*
 * torch_random.h: what torch draws on a processor after torch.manual_seed():
 * the numbers of torch.randn(), torch.rand() and a new torch.nn.Embedding.
 */
#ifndef TORCH_RANDOM_H
#define TORCH_RANDOM_H

#include <stddef.h>
#include <stdint.h>

/*
 * The first n of total numbers, n at most total, to x [n]: float32 each. Of
 * the seed torch takes the low 32 bits.
 */

/* tensor.normal_(0, deviation) */
void torch_normal(uint64_t seed, double deviation, size_t total, size_t n,
		  double *x);

/* tensor.uniform_(from, to) */
void torch_uniform(uint64_t seed, double from, double to, size_t n, double *x);

#endif
