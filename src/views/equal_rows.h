/* equal_rows.h: which rows of a table are equal to an earlier one. */
#ifndef EQUAL_ROWS_H
#define EQUAL_ROWS_H

#include "table/table.h"

/*
 * Set first [rows] to the index of the first row equal to each; a row with a
 * NaN is equal to none. Takes 16 bytes per row until it returns. False: memory
 * ran out.
 */
bool equal_rows(const struct table *x, size_t *first, struct error *err);

#endif
