/* keep.h: a safetensors file again, with one tensor replaced. */
#ifndef KEEP_H
#define KEEP_H

#include "formats/format.h"

/*
 * For struct format, of a table that is one tensor of a file (t->kept): fail
 * where the rows of t can't take its place; the size of the new file, at least;
 * and write it. Other tensors are copied, and "__metadata__" stays.
 */
bool keep_check(const struct table *t, struct error *err);
size_t keep_size(const struct table *t);
void keep_write(const struct style *style, const struct table *t,
		struct output_file *o);

#endif
