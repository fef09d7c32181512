/* powers.h: comparing powers of fractions, exactly. */
#ifndef POWERS_H
#define POWERS_H

#include <stddef.h>

/*
 * Whether (n / e)^l >= (m / e)^j: 1 or 0, or -1 for want of memory. All are
 * below 2^53, and all but j positive. Integers decide where logarithms are too
 * near to each other.
 */
int power_reaches(size_t n, size_t m, size_t e, size_t l, size_t j);

#endif
