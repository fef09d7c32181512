/*
 * before.h: identify --before: the rotary embedding that turned one table into
 * another. Pairs of columns that keep their lengths are read as complex
 * numbers; the quotients of both tables turn as a table of rope does
 * (before_pairs.c). Their frequencies are given to the search for rope's tables
 * (rotary.h), which proposes bases and scalings. The command of each, rope
 * --apply, is compared and reported as any candidate is (before.c).
 */
#ifndef BEFORE_H
#define BEFORE_H

#include "identify/identify.h"

/* How the columns of each head rotate. */
struct head {
	size_t dim;            /* columns of a head; 0: they do not rotate */
	size_t offset, rotary; /* those that rotate */
	size_t gap;            /* between the columns of a pair: 1, interleaved,
				  or half of rotary */
	double amp;            /* by which lengths are multiplied */
	double length;         /* of pairs before, root mean square */
	double noise;          /* of lengths, relative, root mean square */
};

/*
 * A sum of pairs z before and z' after, as complex numbers: conj(z) z', whose
 * angle is that of their quotient, |z|^2 and |z'|^2.
 */
struct turn {
	double re, im, weight, after;
};

/* Two tables, of which one may be the other, rotated. */
struct before {
	struct search search;  /* of y; owner and err are set */
	const struct table *x, *y; /* before and after: dense, of one shape */
	size_t rows, cols;     /* rows of all planes together */
	struct head head;
	size_t order;          /* dim of heads whose columns y has in the order
				  of other pairs, undone in y; 0: it has not */
	bool halves;           /* in halves though 2k and 2k + 1 rotate */
	bool uneven;           /* heads turn by different angles */
	size_t group;          /* heads that turn as one */
	size_t pairs;          /* of a head */
	bool planes;           /* positions run along planes, or along rows */
	size_t n;              /* positions */

	/* Angles: before.c */
	struct search budget;  /* of processor time */
	double *w, *error;     /* [pairs] measured frequencies, and bounds */
	double *phase, *bound; /* [pairs] phases of a row, and bounds */
	size_t first, last;    /* positions that are evenly spaced, */
	double step;           /* by this */
	double *law_w;         /* [dim] frequencies of the law that is tried */
	double *at, most;      /* [n] its positions, and the largest size */
	bool even, reversed;   /* they are evenly spaced; turn the other way */
	bool firm;             /* they would tell the law under noise, too */
	size_t trying;         /* rotary dimensions of measured laws */
	size_t effort;         /* of the laws that were tried */
	bool found;            /* one is the law: no other is tried */
	struct match match;    /* of the best law; recipe NULL: none, */
	double farthest;       /* its most, */
	const char *options;   /* and options of rope without positions */
};

/*
 * Find the pairs of columns whose lengths change by one factor. False, with a
 * reason for the headline in why, if there are none.
 */
bool before_pairs(struct before *b, const char **why);

/*
 * The same with y's columns in another order: y, reordered, is written to to
 * and becomes b->y.
 */
bool before_order(struct before *b, struct table *to);

/* Whether lengths agree in more bits than the search for pairs has. */
bool before_is_rotation(const struct before *b, const struct head *h);

/*
 * Find the axis of positions, and heads side by side, by equal angles; false if
 * neither rows of all planes nor all rows of a plane turn alike.
 */
bool before_heads(struct before *b);

/* The quotients of pair k at position j, of all heads and rows there. */
struct turn before_turn(const struct before *b, size_t j, size_t k);

/*
 * Whether the values of the dense table t are finite, as are their squares, and
 * not all too small for these.
 */
bool before_measurable(const struct table *t);

/*
 * The report of identify with --before x and the table y, after so many seconds
 * at most.
 */
bool before_report(const struct table *x, const struct table *y,
		   double seconds, struct report *r, struct error *err);

#endif
