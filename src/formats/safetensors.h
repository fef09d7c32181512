/* safetensors.h: the tensors that a file's header lists, checked. */
#ifndef SAFETENSORS_H
#define SAFETENSORS_H

#include "formats/binary.h"

/* One tensor, as the header says. */
struct tensor {
	const char *name;      /* [length] */
	size_t length;
	char dtype[12];        /* "BF16" */
	size_t rank;
	size_t shape[RANK_MOST];  /* of the first dimensions */
	size_t begin, end;     /* bytes, from the end of the header on */
};

struct tensors {
	struct tensor *at;     /* [n], in the order of the file; owned */
	size_t n, room;
	size_t data;           /* where in the file the header ends */
};

/*
 * Read the header at the window's begin, and check all that it says against
 * itself and the file's size. Names lie in the window. all is to be freed in
 * any case.
 */
bool tensors_read(struct tensors *all, struct in *in, struct error *err);

/* How a tensor's numbers lie; kind 0 where posenc has no such numbers. */
struct layout tensor_layout(const char *dtype);

#endif
