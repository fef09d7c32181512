/* ticks.h: where an axis has ticks, and what they say. */
#ifndef TICKS_H
#define TICKS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/table.h"

enum { TICKS_MOST = 64, TICK_TEXT = 64, TICK_PLAIN = 40 };

struct tick {
	double at;             /* an index, or a number */
	char text[TICK_TEXT];
};

struct ticks {
	struct tick tick[TICKS_MOST];
	size_t n;
};

/*
 * x, no further from 0 than 2^53, in at most six digits, or in full where it is
 * whole, with a true minus.
 */
void tick_text(char text[TICK_TEXT], double x);

/* The digits of plain [TICK_PLAIN], its hyphens, no more than two, as minus. */
void tick_minus(char text[TICK_TEXT], const char *plain);

/* At most so many round numbers from lo to hi; from 2 to TICKS_MOST. */
void ticks_numbers(struct ticks *ticks, double lo, double hi, size_t most);

/*
 * Labels of indices first to first + n - 1 of an axis, every 1, 2, 5, 10, ...
 * (of dimensions: 1, 2, 4, 8, ...) of them, so that there are at most so many
 * (1 or more).
 */
void ticks_labels(struct ticks *ticks, const struct axis *a, size_t first,
		  size_t n, size_t most);

/* All indices, labelled with words; every so many of them. */
void ticks_words(struct ticks *ticks, const char *words, size_t n,
		 size_t most);

#endif
