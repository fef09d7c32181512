/* letters.h: the letters of a text, and what they need. */
#ifndef LETTERS_H
#define LETTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Write the letters of text to to, which has room for strlen(text), and return
 * their number. Hangul jamo become syllables.
 */
size_t letters_read(const char *text, uint32_t *to);

/* Whether a character is as wide as it is high (East Asian Wide). */
bool letter_wide(uint32_t c);

/*
 * Whether a character is shaped by its neighbours, runs to the left or stands
 * on another: of Arabic, Hebrew, Indic and like scripts, and combining marks.
 */
bool letter_shaped(uint32_t c);

/* The first such character of a text, or 0. */
uint32_t letters_shaped(const char *text);

/* Whether it only shapes its neighbours: a joiner or variation selector. */
bool letter_joins(uint32_t c);

#endif
