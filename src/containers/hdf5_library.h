/*
 * hdf5_library.h: functions of libhdf5, loaded at run time. Included where
 * they are called: in a process of its own (hdf5_process.h).
 */
#ifndef HDF5_LIBRARY_H
#define HDF5_LIBRARY_H

#include <stdint.h>

#include "table/error.h"

typedef int64_t hid;   /* of objects; since version 1.10 */
typedef uint64_t hsize;

enum {
	EXTERNAL = 64,         /* a link to another file */
	RANK_OF_HDF5 = 32,
};

struct cause {
	hid class, major, minor;
	unsigned line;
	const char *function, *file, *text;
};

struct link {
	int type;
	/* and more, by version */
};

typedef int visit(hid group, const char *name, const struct link *link,
		  void *self);
typedef int explain(unsigned n, const struct cause *cause, void *self);

/* F(result, name, arguments) of libhdf5's functions; they return < 0 if they
   fail, and fail for a hid that is < 0. */
#define FUNCTIONS                                                             \
F(int, get_libversion, (unsigned *, unsigned *, unsigned *))                  \
F(int, Eset_auto2, (hid, void *, void *))                                     \
F(int, Ewalk2, (hid, int, explain *, void *))                                 \
F(int, PLset_loading_state, (unsigned))                                       \
F(int, Lunregister, (int))                                                    \
F(int, Lvisit, (hid, int, int, visit *, void *))                              \
F(int, Idec_ref, (hid))                                                       \
F(int, Iget_type, (hid))                                                      \
F(hid, Fopen, (const char *, unsigned, hid))                                  \
F(hid, Oopen, (hid, const char *, hid))                                       \
F(hid, Dget_type, (hid))                                                      \
F(hid, Dget_space, (hid))                                                     \
F(hid, Dget_create_plist, (hid))                                              \
F(hsize, Dget_storage_size, (hid))                                            \
F(int, Dread, (hid, hid, hid, hid, hid, void *))                              \
F(int, Sget_simple_extent_ndims, (hid))                                       \
F(int, Sget_simple_extent_dims, (hid, hsize *, hsize *))                      \
F(int, Sselect_hyperslab, (hid, int, const hsize *, const hsize *,            \
			   const hsize *, const hsize *))                     \
F(hid, Screate_simple, (int, const hsize *, const hsize *))                   \
F(int, Tget_class, (hid))                                                     \
F(size_t, Tget_size, (hid))                                                   \
F(size_t, Tget_precision, (hid))                                              \
F(int, Tget_order, (hid))                                                     \
F(int, Tget_sign, (hid))                                                      \
F(int, Tget_norm, (hid))                                                      \
F(size_t, Tget_ebias, (hid))                                                  \
F(int, Tget_fields, (hid, size_t *, size_t *, size_t *, size_t *, size_t *))  \
F(int, Tget_nmembers, (hid))                                                  \
F(int, Tget_member_index, (hid, const char *))                                \
F(int, Tget_member_value, (hid, unsigned, void *))                            \
F(int, Pget_layout, (hid))                                                    \
F(int, Pget_chunk, (hid, int, hsize *))                                       \
F(int, Pget_external_count, (hid))                                            \
F(int, Pget_nfilters, (hid))                                                  \
F(int, Pget_filter2, (hid, unsigned, unsigned *, size_t *, unsigned *,        \
		      size_t, char *, unsigned *))

/* libhdf5 and the file that it reads. */
struct hdf5 {
#define F(result, name, arguments) result (*name) arguments;
	FUNCTIONS
#undef F
	unsigned version[3];
	const struct hdf5_request *r;
	struct error *err;     /* of the request */
	hid file;
};

/*
 * Load the functions; files can have no plugins loaded. The error goes after
 * libhdf5's name.
 */
bool hdf5_load(struct hdf5 *h, struct error *err);

/*
 * Open a file of these bytes by its descriptor. From here on no other can be
 * opened, and memory and processor time are limited: a fault in libhdf5 may
 * ask for both without end. -1: an error.
 */
hid hdf5_open(const struct hdf5 *h, int descriptor, size_t bytes);

/* Why the last call of libhdf5 failed: its first cause. */
const char *hdf5_cause(const struct hdf5 *h);

/* Whether that was a call of the system, such as a read, not the file. */
bool hdf5_call_failed(const struct hdf5 *h);

#endif
