/* sort.h: ascending order. */
#ifndef SORT_H
#define SORT_H

#include <stddef.h>
#include <stdint.h>

/* Sort x [n], none of which is NaN. */
void sort_doubles(double *x, size_t n);

/* Below 0, 0 or above 0, as a is less than b, equal or greater. */
int integers_order(uint64_t a, uint64_t b);

#endif
