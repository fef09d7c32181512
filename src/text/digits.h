/*
 * digits.h: shortest decimal text of float32 values, many at a time. The text
 * is that of number_text(), which is the reference.
 */
#ifndef DIGITS_H
#define DIGITS_H

#include <stddef.h>

/*
 * Write x [n], separated by commas, to text [n * NUMBER_ROOM] and return the
 * length. Bytes after it may be overwritten.
 */
size_t digits_text(char *text, const float *x, size_t n);

#endif
