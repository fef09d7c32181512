/* rotary.h: the frequencies and positions of a RoPE table, from any form. */
#ifndef ROTARY_H
#define ROTARY_H

#include "identify/hunt.h"

enum rotary_form { FORM_ANGLES, FORM_COS, FORM_SIN, FORM_BOTH };

/* How columns are read, and what was read off them. */
struct rotary {
	const struct sight *s;
	const char *out;       /* rope's --out */
	enum rotary_form form;
	bool interleaved;      /* --pairs of the -full forms */
	size_t pairs;
	size_t stride, apart;  /* pair k: column k stride, its sine apart */
	double amp;            /* of sines and cosines */
	double *w, *error;     /* [pairs] */
	double *at;            /* [n] positions, or NULL where there are none */
	char *where;           /* room for them as options */
	bool even;             /* which are as far from one another */
};

/* Room for what is read; false if there is none. */
bool rotary_open(struct rotary *r, struct hunt *h);

/* How many pairs, the fastest, are enough to tell positions by. */
size_t rotary_some(const struct rotary *r);

/*
 * Frequencies, taking row 1 for position 1; false if none can be read. Sines
 * alone don't tell their amplitude: it is 1, or that which makes the first
 * frequency 1.
 */
bool rotary_measure(struct rotary *r, bool first_is_one);

/* Take the frequencies of a base for true, unscaled. */
void rotary_suppose(struct rotary *r, double base);

/*
 * The whole positions of all rows, where w has the frequencies of the first
 * known pairs. False where a row has none.
 */
bool rotary_locate(struct rotary *r, size_t known);

/* Whether all pairs of all rows are what frequency and position say. */
bool rotary_holds(const struct rotary *r);

#endif
