/*
 * ladder.h: frequencies of a table's pairs of sines and cosines, the geometric
 * ladder they make, and the positions of rows on it.
 */
#ifndef LADDER_H
#define LADDER_H

#include "identify/sight.h"

/* How columns are read as pairs. */
struct reading {
	size_t pairs;          /* of a sine and a cosine each */
	size_t stride, apart;  /* pair k: columns k stride, k stride + apart */
	bool cosine_first;
	bool negated;
	double amp;            /* of all pairs */
};

/* The angle of pair k in row i, and how far rounding may have moved it. */
double reading_angle(const struct reading *r, const struct sight *s, size_t i,
		     size_t k, double *error);

/*
 * Measure the turn of each pair from a row to the next, to w and error
 * [pairs], by rows ever further from first. May lack whole turns.
 */
void reading_turns(const struct reading *r, const struct sight *s,
		   size_t first, double *w, double *error);

/* What a fall or a unit may be off for want of digits of its own. */
#define LADDER_ERROR 0x1p-44

/* w_k = unit e^(-k fall) */
struct ladder {
	double unit, unit_error;
	double fall, fall_error;
	double share;          /* relative error that every w has besides */
};

/* The share that arithmetic before the table's rounding leaves. */
double ladder_share(const struct sight *s);

/*
 * Fit a ladder, its share given, to w [n], some of which may lack whole turns;
 * these are added. Fails where it is none. One w is a ladder that does not
 * fall.
 */
bool ladder_fit(struct ladder *l, double *w, const double *error, size_t n);

/*
 * The position p where p unit e^(-k fall) is angle [n], each but for whole
 * turns, of which the slowest lacks so many. p_error is how far p may be off,
 * by those of the ladder, too. Fails where the angles disagree.
 */
bool ladder_position(const struct ladder *l, const double *angle,
		     const double *error, size_t n, double turns, double *p,
		     double *p_error);

#endif
