/* blocks.h: work on blocks of rows, by threads where there is enough of it. */
#ifndef BLOCKS_H
#define BLOCKS_H

#include <stddef.h>

#include "core/error.h"

/* Blocks of rows that are made in any order and taken in theirs. */
struct blocks {
	size_t begin, end;   /* rows */
	size_t rows;         /* of a block; the last may have fewer */
	size_t bytes;        /* room that a block needs */
	size_t scratch;      /* room that its making needs */
	size_t work;         /* bytes that it is made of, if more than those */

	/* Rows first to first + n - 1 into to; the number of bytes. */
	size_t (*make)(const void *self, size_t first, size_t n,
		       void *scratch, unsigned char *to);
	const void *self;

	/* The next block's bytes; false stops the work. */
	bool (*take)(void *taker, const unsigned char *bytes, size_t n);
	void *taker;
};

/*
 * Make and take all blocks. Up to so many threads make them (0: as many as
 * there are processors for this process); taking is the caller's thread's.
 * What is taken does not depend on their number. Fails for want of memory.
 */
bool blocks_run(const struct blocks *b, size_t threads, struct error *err);

#endif
