/* hdf5.h: what the format shows of itself: libhdf5's version, its list. */
#ifndef HDF5_H
#define HDF5_H

#include "containers/tensors.h"

/* A package of Debian that brings libhdf5, of this name in all versions. */
#define HDF5_PACKAGE "hdf5-tools"

enum { HDF5_VERSION = 40 };

/* The version of the libhdf5 that is found, or "not found (package)". */
void hdf5_version(char text[HDF5_VERSION]);

/* List the datasets that another process sends (hdf5_process.h). */
bool hdf5_read_list(struct tensors *all, struct input_file *sent,
		    struct error *err);

#endif
