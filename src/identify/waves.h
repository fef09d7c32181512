/* waves.h: claims that a table is sines and cosines of positions. */
#ifndef WAVES_H
#define WAVES_H

#include "identify/hunt.h"
#include "identify/ladder.h"

enum { WAVES_NUMBER = 32 };

/* A way to lay out columns, and the laws of frequency that go with it. */
struct waves {
	struct reading reading;
	bool split;
	const char *odd;       /* what an odd number of columns means, or "" */
	size_t zero, zeros;    /* a row of zeros, and how many there are */
	bool far;              /* look for positions beyond the slowest wave */
	double *angle, *error; /* [pairs], room */
	double *turn;          /* [pairs], room */
	double *at;            /* [n], room for a position of each row */
	char *list;            /* [n, WAVES_NUMBER], for them as text */
};

/* A ladder of frequencies measured from row to row from row first on. */
bool waves_by_step(struct hunt *h, const struct waves *w,
		   const struct ladder *l, size_t first);

/* A ladder of which only the fall is known; rows may stand anywhere. */
bool waves_by_row(struct hunt *h, const struct waves *w,
		  const struct ladder *l);

#endif
