/*
 * torch.h: the samples that PyTorch draws on a CPU after torch.manual_seed(),
 * bit for bit: torch.randn(), torch.rand(), the weights of torch.nn.Embedding.
 */
#ifndef TORCH_H
#define TORCH_H

#include <stddef.h>
#include <stdint.h>

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
