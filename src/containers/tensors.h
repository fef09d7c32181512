/*
 * src/containers/: formats of files that hold many named tensors. Each is a
 * struct format with .container = true; its reader lists the tensors of a file
 * as struct tensors, and reads the one that "FILE:NAME" chooses.
 *
 *   tensors.h      struct tensors: the list, and the choice by name or pattern
 *   safetensors.c  the format of Hugging Face's safetensors
 *
 * This folder includes what formats/ includes, and formats/.
 */
#ifndef TENSORS_H
#define TENSORS_H

#include "formats/values.h"

/* One tensor, as the header describes it. */
struct tensor {
	const char *name;      /* [length] */
	size_t length;
	char dtype[12];        /* "BF16" */
	size_t rank;
	size_t shape[RANK_MOST];  /* the first dimensions */
	size_t begin, end;     /* offsets in bytes from the end of the header */
};

struct tensors {
	struct tensor *at;     /* [n], in the order of the file; owned */
	size_t n, room;
	size_t data;           /* offset of the end of the header in the file */
};

/* Append a tensor of zeros. NULL: out of memory. */
struct tensor *tensors_add(struct tensors *all, struct error *err);

/* The order of two names [n] and [m], as qsort() asks for it. */
int names_order(const char *a, size_t n, const char *b, size_t m);

/* The order of two tensors by name, for qsort(). */
int tensors_by_name(const void *left, const void *right);

/* Sort by name. Fails if two have the same name. */
bool tensors_check_names(struct tensors *all, const struct input_file *in,
			 struct error *err);

/*
 * The tensor whose name is or matches pattern, in which '*' is any text; if
 * pattern is NULL, the only one. NULL: none or several; err lists names.
 */
const struct tensor *tensors_choose(const struct tensors *all,
				    const struct input_file *in,
				    const char *pattern, struct error *err);

#endif
