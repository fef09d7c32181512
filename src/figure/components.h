/* components.h: principal components of the rows of a table. */
#ifndef COMPONENTS_H
#define COMPONENTS_H

#include "figure/figure.h"

enum { COMPONENTS = 3 };

struct components {
	size_t n;                  /* rows */
	double (*at)[COMPONENTS];  /* [n] of each row; 0 beyond the rank */
	double share[COMPONENTS];  /* of the variance; 0 if there is none */
};

/*
 * Find the first components of the rows begin to end of t, in memory of f. The
 * same on every machine, signs included. Fails, as f tells, if memory runs out
 * or a value is not finite.
 */
bool components_find(struct components *c, struct figure *f,
		     const struct table *t);

#endif
