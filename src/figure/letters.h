/* letters.h: the letters of a text in the order in which they are drawn. */
#ifndef LETTERS_H
#define LETTERS_H

#include <stdbool.h>
#include <stddef.h>

struct letter {
	unsigned long character;
	unsigned long shown; /* its form in the word */
	bool mark;           /* it stands on the letter before it */
	bool unjoined;       /* with the letter after it, by U+200C */
	unsigned char level; /* even: it runs to the right; odd: to the left */
};

/*
 * Write the letters of text from left to right to to, which has room for
 * strlen(text), and return their number. Hangul jamo become syllables, Arabic
 * letters are joined, and joiners and variation selectors are left out. Words
 * that run from right to left are turned, within a text that runs from left to
 * right, as in SVG (Unicode's UAX #9, without its embeddings).
 */
size_t letters_read(const char *text, struct letter *to);

/* Whether a character is as wide as it is high (East Asian Wide). */
bool letter_wide(unsigned long c);

#endif
