/*
 * digits.h: the shortest text of float32 numbers, many at a time. The same
 * text as number_text() gives, which is the plain version.
 */
#ifndef DIGITS_H
#define DIGITS_H

#include <stddef.h>

/*
 * The numbers x [n], commas between them, at text [n * NUMBER_ROOM]; the
 * length. What is written past it is of no meaning.
 */
size_t digits_text(char *text, const float *x, size_t n);

#endif
