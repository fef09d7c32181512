/* pairs.h: tensors of both models that are the same one. */
#ifndef PAIRS_H
#define PAIRS_H

#include "conversions/names.h"
#include "conversions/orders.h"

/* A tensor of each model; NULL where one has none. */
struct pair {
	const struct tensor *of[2];
	enum content content;
	struct split split;
};

/* Find the pairs, in the order of A's names: c->pairs. */
bool pairs_find(struct conversion *c);

/* A tensor's name, of either model; that of a part, not of the whole. */
const char *pair_name(const struct pair *p);

/* missing.c: what it means that a tensor is in one model alone. */
void note_missing(struct conversion *c, const struct pair *p);

#endif
