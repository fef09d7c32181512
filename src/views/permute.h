/*
 * permute.h: the two orders of the dimensions of a rotary head: the halves of a
 * pair at k and k + R/2 ("half": transformers), or at 2k and 2k + 1
 * ("interleaved": Meta's Llama, GGUF).
 */
#ifndef PERMUTE_H
#define PERMUTE_H

#include <stddef.h>

enum head_order { HEAD_HALF, HEAD_INTERLEAVED };

/* Heads of dim rows or columns; the first rotary of each are reordered. */
struct head_layout {
	size_t dim, rotary;     /* rotary is even and at most dim */
	enum head_order to;     /* the order of the result */
};

/* The index before the reordering of what is at index i after it. */
size_t head_source(const struct head_layout *l, size_t i);

#endif
