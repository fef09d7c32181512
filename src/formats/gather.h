/* gather.h: numbers of a table whose count shows while they come. */
#ifndef GATHER_H
#define GATHER_H

#include "core/table.h"
#include "formats/in.h"

/* Begins with all but in and t being 0. */
struct gather {
	const struct in *in;  /* where they come from, for messages */
	struct table *t;      /* owns them; allocates nothing else meanwhile */
	double *at;           /* [n] */
	size_t n, room;
};

/*
 * Room for n numbers more. Memory is at most doubled, so that it follows what
 * is there; what this machine has no memory for is refused.
 */
bool gather_room(struct gather *g, size_t n, struct error *err);

#endif
