/* npy.h: what the header of an NPY file says. */
#ifndef NPY_H
#define NPY_H

#include "formats/values.h"

enum { NPY_DTYPE = 16 };

/*
 * Read the header of any array: its dtype as NumPy writes it, "<f4", with the
 * element, of kind 0 if posenc does not read it, and the shape [*rank], of up
 * to RANK_MOST dimensions. Fails where the dtype is longer, or a structure.
 */
bool npy_describe(struct input_file *in, char dtype[NPY_DTYPE],
		  struct element *element, size_t shape[RANK_MOST],
		  size_t *rank, struct error *err);

#endif
