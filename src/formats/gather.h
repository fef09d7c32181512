/* gather.h: numbers of a table whose count shows while they come. */
#ifndef GATHER_H
#define GATHER_H

#include "core/table.h"
#include "formats/decimal.h"
#include "formats/in.h"

/* Begins with all but in and t being 0. */
struct gather {
	const struct in *in;  /* where they come from, for messages */
	struct table *t;      /* owns them; allocates nothing else meanwhile */
	double *at;           /* [n] */
	size_t n, room;
	bool doubles;         /* somebody said that these are float64 */
	bool broken, wide;    /* of decimals: some are not whole, some are
	                         told apart from any float32 by their digits */
	size_t lost;          /* numbers up to a whole one below 2^64 that no
	                         double holds; 0: there is none */
};

/*
 * Room for n numbers more. Memory at most doubles, so that it follows what is
 * there, up to what this machine has; what needs more than that is refused.
 */
bool gather_room(struct gather *g, size_t n, struct error *err);

/* One more, d, whose text is this. */
bool gather_decimal(struct gather *g, const struct decimal *d,
		    const char *text, struct error *err);

/*
 * The dtype of decimals that nobody said: I32, I64, F32 or F64. Fails where all
 * are whole and one is lost.
 */
bool gather_dtype(const struct gather *g, enum dtype *d, struct error *err);

#endif
