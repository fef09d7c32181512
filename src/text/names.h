/* names.h: names in lists: their order, and whether one comes twice. */
#ifndef NAMES_H
#define NAMES_H

#include <stddef.h>
#include <stdint.h>

#include "table/error.h"

/* What an item of a list begins with. */
struct name {
	const char *text;      /* [length] */
	size_t length;
};

/* The order of two names [n] and [m], as qsort() asks for it. */
int names_order(const char *a, size_t n, const char *b, size_t m);

/* A hash of a name [n]. */
uint64_t name_hash(const char *name, size_t n);

/*
 * The first of n items, of size bytes each, whose name one before it has. NULL:
 * all differ, or out of memory, as err says.
 */
const struct name *name_twice(const void *items, size_t n, size_t size,
			      struct error *err);

#endif
