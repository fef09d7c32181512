/*
 * before.h: identify --before: the rotary embedding that turned one table into
 * another. Pairs of columns that keep their lengths are read as complex
 * numbers; the quotients of both tables turn as a table of rope does
 * (before_pairs.c). Their frequencies are given to the search for rope's
 * tables, which proposes bases and scalings (before_laws.c). The command of
 * each, rope --apply, is compared as any candidate is, and reported so
 * (before.c).
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
 * A sum of quotients, each of pairs of columns z before and z' after, as
 * complex numbers: conj(z) z', |z|^2 and |z'|^2.
 */
struct turn {
	double re, im, weight, after;
};

/* Positions of rows, or of planes. */
struct placed {
	double *at;            /* [n] */
	bool even;             /* they are evenly spaced */
	bool reversed;         /* rotations are by minus these */
};

struct before {
	struct search search;  /* of y, whose candidates are compared */
	struct search budget;  /* of processor time (budget.h) */
	const struct table *x, *y; /* before and after: dense, of one shape */
	size_t rows, cols;     /* rows of all planes together */

	/* Columns and rows: before_pairs.c */
	struct head head;
	size_t order;          /* dim of heads whose columns y has in the order
				  of other pairs, undone in y; 0: it has not */
	bool halves;           /* in halves though 2k and 2k + 1 rotate */
	bool uneven;           /* heads turn by different angles */
	size_t group;          /* heads that are read as one */
	size_t pairs;          /* of them */
	bool planes;           /* positions run along planes, or along rows */
	size_t n;              /* positions */

	/* Angles: before_laws.c */
	double *w, *error;     /* [pairs] measured frequencies, and bounds */
	double *phase, *phase_error; /* [pairs] of a row */
	double *law_w;         /* [dim] frequencies of a law */
	size_t first, last;    /* positions that are evenly spaced, */
	double step;           /* by this */
	struct placed now, best; /* of the law that is tried, and of the best */
	size_t trying;         /* rotary dimensions of measured laws */
	bool tried;            /* a law was compared */
	struct match match;    /* of the best law; recipe NULL: none */
	const char *law;       /* its options for a row */
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
bool before_is_rotation(const struct before *b);

/*
 * Find the axis of positions, and heads side by side, by equal angles; false if
 * neither rows of all planes nor all rows of a plane turn alike.
 */
bool before_heads(struct before *b);

/* The quotient of pair k at position j, summed over heads and other rows. */
struct turn before_turn(const struct before *b, size_t j, size_t k);

/* Search for the law of the angles; whether there is one, b->match. */
bool before_laws(struct before *b);

/* Options of rope that set frequencies: "base=10000 scaling=linear:4". */
struct law {
	const char *text;
	size_t rotary;         /* dimensions of a head that rotate */
	double *w;             /* [rotary / 2] frequencies */
	double slack;          /* relative error of angles */
	bool rounds;           /* positions are rounded to bfloat16 */
};

/* Write the only row of rope's table "out=..." of a law; false if it has none */
bool before_row(struct before *b, const struct law *law, const char *out,
		double *to);

/*
 * Compare the command of a law, for positions b->now. Whether its residuals are
 * as small as those of lengths; b->match and b->best are set if it is better.
 */
bool before_compare(struct before *b, const struct law *law);

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
