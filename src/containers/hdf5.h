/* hdf5.h: what the format shows of itself: libhdf5's version, its list. */
#ifndef HDF5_H
#define HDF5_H

#include "containers/tensors.h"

enum { HDF5_VERSION = 480 };

/* The version of libhdf5, or why there is none: "not found (Debian: ...)". */
void hdf5_version(char text[HDF5_VERSION]);

/* List the datasets that another process sends (hdf5_process.h). */
bool hdf5_read_list(struct tensors *all, struct input_file *sent,
		    struct error *err);

#endif
