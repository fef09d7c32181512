/*
 * quantized.h: types of which values share a scale in blocks, as ggml stores
 * weights; and what rounding to few bits may have changed.
 */
#ifndef QUANTIZED_H
#define QUANTIZED_H

#include "containers/tensors.h"

enum { BLOCK_VALUES = 256 };   /* the most of one block; others divide it */

/* A type of blocks, by its number in ggml.h; NULL: none of that number. */
const struct quantization *quantization_of(uint64_t type);

/* Its name; and the bytes of count values, SIZE_MAX: too many. */
const char *quantization_name(const struct quantization *q);
size_t quantization_bytes(const struct quantization *q, size_t count);

/* Whether its values are read. */
bool quantization_known(const struct quantization *q);

/* Read a tensor of blocks as float32, compact if t is so. */
bool quantized_read(struct input_file *in, const struct tensor *one,
		    struct table *t, struct error *err);

/* Whether values of a tensor are read. */
bool tensor_readable(const struct tensor *t);

/* Whether its values were rounded to few bits: blocks, or FP8. */
bool tensor_is_coarse(const struct tensor *t);

/*
 * Add to error [n] what such rounding of t may have changed of each value: x
 * and y are the values before and after, in any order, n at most BLOCK_VALUES
 * of whole blocks.
 */
void tensor_add_error(const struct tensor *t, const double *x, const double *y,
		      size_t n, double *error);

#endif
