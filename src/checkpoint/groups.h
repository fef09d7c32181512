/* groups.h: tensors of layers that are alike, as one. */
#ifndef GROUPS_H
#define GROUPS_H

#include "containers/tensors.h"

/* Tensors of one dtype and shape whose names differ in numbers only. */
struct group {
	size_t first;          /* the index of its first tensor */
	size_t n;
};

/*
 * Put tensors at [n] into groups, in the order of the first tensors; their
 * number. owner owns *groups; 0: out of memory, or n is 0.
 */
size_t groups_find(const struct tensor *const *at, size_t n,
		   struct group **groups, struct table *owner,
		   struct error *err);

/*
 * Write the name of t to to [t->length + 1], with '*' for numbers that stand
 * between dots: "h.*.attn.weight".
 */
void group_name(const struct tensor *t, char *to);

#endif
