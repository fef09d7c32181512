/* rows.h: rows of a table as numbers of its dtype, shared by binary formats. */
#ifndef ROWS_H
#define ROWS_H

#include "core/table.h"
#include "formats/out.h"

/* The rows of t that were asked for, little-endian, one after another. */
void rows_binary(const struct table *t, double *scratch, struct out *o);

#endif
