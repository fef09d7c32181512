/* parse.h: the numbers and words that people type. */
#ifndef PARSE_H
#define PARSE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * A decimal number, whole of text: "512", "-0.5", "1e6". Nothing else: no
 * blanks, no hexadecimal, no "inf".
 */
bool parse_real(const char *text, double *x);

/*
 * A whole number, without a point, as above or "4k": 4096, k, M and G being
 * powers of 1024. It may be out of any range; past 2^53 it is not exact.
 */
bool parse_whole(const char *text, double *x);

/* Whether x is the whole number that text begins with, to the last digit. */
bool parse_held(const char *text, double x);

/*
 * "A:B" in whole numbers as above within 2^53; an end left out, as in "A:" or
 * ":", is LONG_MIN or LONG_MAX.
 */
bool parse_range(const char *text, long *first, long *last);

/*
 * Whole numbers from 1 to 2^53 parted by "x", "2x3" or "2x3x4": how many, 1 to
 * 3, or 0 where text is no such.
 */
size_t parse_extents(const char *text, double at[3]);

/*
 * The word of words (ends with NULL) that text most likely meant, or NULL when
 * none is near: at most a third of its letters mistyped.
 */
const char *nearest_word(const char *text, const char *const *words);

/* As above, told one word at a time; *best holds the least distance so far. */
bool nearer_word(const char *text, const char *word, size_t *best);

#endif
