/* npy_header.h: what a NumPy array file says of its numbers. */
#ifndef NPY_HEADER_H
#define NPY_HEADER_H

#include "formats/binary.h"

/* A file's header, and where its parser stands. */
struct npy_header {
	const struct in *in;
	const char *at, *end;
	struct layout layout;
	bool fortran;
	size_t rank, shape[RANK_MOST];
};

/*
 * Read the header, of version 1.0 to 3.0; in moves to where the numbers begin.
 * Fails with what is wrong with it.
 */
bool npy_header_read(struct npy_header *h, struct in *in, struct error *err);

#endif
