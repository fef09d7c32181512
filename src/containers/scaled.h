/* scaled.h: tensors of FP8 and the scales beside them. */
#ifndef SCALED_H
#define SCALED_H

#include "containers/quantized.h"

/*
 * Read a tensor, times its scale if one of all is that. A note of t says so, or
 * that a scale stands there that is not applied: its shape does not say what it
 * is for, or the file is a pipe.
 */
bool scaled_read(struct input_file *in, const struct tensors *all,
		 const struct tensor *one, struct table *t, struct error *err);

#endif
