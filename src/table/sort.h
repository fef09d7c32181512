/* sort.h: values in ascending order. */
#ifndef SORT_H
#define SORT_H

#include <stddef.h>

/* Sort x [n], none of which is NaN. */
void sort_doubles(double *x, size_t n);

#endif
