/* binary.h: numbers as files lay them, into tables. */
#ifndef BINARY_H
#define BINARY_H

#include "core/table.h"
#include "formats/in.h"

/* One number in a file. */
struct layout {
	char kind;     /* 'f', 'B' bfloat16, 'i', 'u', 'b' bool */
	size_t size;   /* in bytes */
	bool big;      /* the most significant byte comes first */
};

/* That of one of our own dtypes. */
struct layout layout_of(enum dtype d);

/*
 * The shape of a file's numbers, 1 to RANK_MOST dimensions, to t; fails, naming
 * what, where those are none or more than can be.
 */
bool binary_shape(const struct in *in, struct layout y, const size_t *shape,
		  size_t rank, struct table *t, struct error *err);

/* Lay t's numbers, which come next in the file, into t. */
bool binary_read(struct in *in, struct layout y, struct table *t,
		 struct error *err);

/* Rows of t->cols numbers up to the end of the file. */
bool binary_read_rows(struct in *in, struct layout y, struct table *t,
		      struct error *err);

#endif
