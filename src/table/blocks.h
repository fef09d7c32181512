/* blocks.h: blocks of rows computed by threads, delivered in order. */
#ifndef BLOCKS_H
#define BLOCKS_H

#include <stddef.h>

#include "table/error.h"

/* Blocks of rows that are made in any order and taken in row order. */
struct blocks {
	size_t begin, end;   /* rows */
	size_t rows;         /* of a block; the last may have fewer */
	size_t bytes;        /* maximum size of a block */
	size_t scratch;      /* bytes of scratch for make() */
	size_t work;         /* bytes that make() reads, if more than bytes */

	/*
	 * Writes rows first to first + n - 1 to to; the number of bytes. Two
	 * threads may make the same block, each in memory of its own.
	 */
	size_t (*make)(const void *self, size_t first, size_t n,
		       void *scratch, unsigned char *to);
	const void *self;

	/*
	 * Receives the next block; false stops the work. NULL: make() puts the
	 * rows elsewhere, and makes each block once.
	 */
	bool (*take)(void *taker, const unsigned char *bytes, size_t n);
	void *taker;
};

/*
 * Make and take all blocks. Up to threads threads, the caller's included, make
 * them (0: one per CPU that this process may use), fewer where their blocks
 * would take more than 256 MB; take() is called in the caller's thread. What it
 * receives does not depend on the number of threads. Fails if memory runs out.
 */
bool blocks_run(const struct blocks *b, size_t threads, struct error *err);

#endif
