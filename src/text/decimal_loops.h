/*
 * decimal_loops.h: the loops of decimals_read() for each instruction set, which
 * find where the numbers in a piece of text end, and read their digits.
 */
#ifndef DECIMAL_LOOPS_H
#define DECIMAL_LOOPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "exact/simd.h"

enum {
	PIECE_NUMBERS = 64,
	PIECE_BYTES = 2048,  /* that are searched for separators */
	PIECE_BLOCK = 64,    /* bytes that are searched at once */
	PIECE_BEFORE = 40,   /* bytes before an end that are looked at */
};

/*
 * Text, of which PIECE_BEFORE bytes before and PIECE_BLOCK after can be read,
 * and the offsets at which its numbers end; there is room for one block more.
 */
struct piece {
	const char *text;
	uint16_t end[PIECE_NUMBERS + PIECE_BLOCK];
	size_t n;
};

/* The digits of numbers: short ones of 15, and any of up to 19. */
struct digits {
	size_t n;
	bool fractions;   /* one has a point or an exponent */
	uint64_t all[PIECE_NUMBERS];  /* short: the first 8 in the lower half */
	union {
		double power[PIECE_NUMBERS];   /* short: of ten, to divide by;
						  with the number's sign */
		int8_t exponent[PIECE_NUMBERS];  /* any: of ten */
	};
	uint64_t sign[PIECE_NUMBERS];  /* any: the highest bit */
};

struct decimal_loops {
	/*
	 * Find where numbers of the text [n] end: at a separator, or at the
	 * character that the last number is followed by, after which none is
	 * looked for.
	 */
	void (*find)(struct piece *p, size_t n, char separator, char last);

	/* Read numbers of p, the first ones, as long as they are short. */
	void (*read_short)(const struct piece *p, struct digits *d,
			   size_t most);

	/* Read any numbers of p that are written as most are, from one on. */
	void (*read_any)(const struct piece *p, struct digits *d, size_t from,
			 size_t to);
};

extern const struct decimal_loops decimal_loops[SIMD_SETS];

#endif
