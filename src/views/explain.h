/* explain.h: what may have been done to a table to make another of it. */
#ifndef EXPLAIN_H
#define EXPLAIN_H

#include "views/couple.h"

/*
 * How B comes from A, one sentence to text, the simplest that holds: other
 * columns, other rows, a sign, a scale, a rounding. False: nothing was found.
 */
bool explain(const struct couple *c, char *text, size_t size);

#endif
