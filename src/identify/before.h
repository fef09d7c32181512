/*
 * before.h: identify --before: the rotary embedding that turned one table into
 * another. before_pairs.c finds which columns rotate together, before_heads.c
 * which of them are heads, before_turns.c frequencies, before_laws.c their base
 * and scaling, before_positions.c positions; before_check.c runs the command,
 * and before.c writes the report.
 */
#ifndef BEFORE_H
#define BEFORE_H

#include "identify/identify.h"

/* Two columns that rotate together. */
struct column_pair {
	size_t a, b;
};

enum pairing { PAIRING_HALF, PAIRING_INTERLEAVED, PAIRING_OTHER };

/* The sum of conj(z) z' of pairs z before and z' after, and of |z|^2. */
struct turn {
	double re, im, weight;
};

/* Options of rope that set frequencies: "base=10000 scaling=linear:4". */
struct law {
	const char *text;
	size_t rotary;         /* dimensions of a head that rotate */
	double *w;             /* [rotary / 2] frequencies */
	double slack;          /* relative error of angles */
	bool rounds;           /* positions are rounded to bfloat16 */
	char rounded[200];     /* the text if they are */
};

/* Arithmetic in float32 moves an angle by less than this part of it. */
#define LAW_ERROR 0x1p-21

enum { MAX_LAWS = 48 };

/* Heads of the result whose columns are in the order of the other pairs. */
struct order {
	size_t dim;  /* 0: they are not */
	bool halves; /* in halves, while 2k and 2k + 1 rotate; or inversely */
};

struct before {
	struct table *owner;   /* of all memory */
	struct search budget;  /* of processor time (budget.h) */
	struct error *err;
	const struct table *x, *y; /* before and after: dense, of one shape */
	size_t rows, cols;     /* rows of all planes together */

	/* Columns: before_pairs.c. */
	enum pairing pairing;
	size_t dim, heads;     /* dimensions of a head; heads side by side */
	size_t offset, rotary; /* dimensions of a head that rotate */
	size_t pairs;          /* of a head */
	struct column_pair *column_pairs; /* [heads, pairs] */
	double amp;            /* by which lengths are multiplied */
	double length;         /* of pairs, root mean square */
	double noise;          /* of lengths, relative, root mean square */

	struct order order;    /* that y had; it is undone in y */

	/* Rows: positions run along planes, or along rows. */
	bool planes;
	size_t n;              /* positions */

	/* Angles: before_turns.c. */
	bool reversed;
	double *w, *error;     /* [pairs] measured frequencies, bounds */
	double step;           /* of positions, where they are evenly spaced */
	size_t first, last;    /* rows that are */
	struct law *laws;      /* [MAX_LAWS] what may have these frequencies */
	size_t law_count;
	size_t trying;         /* rotary dimensions of laws that are tried */
	bool only_usual;       /* accept only usual bases */
	double *at;            /* [n] positions */
	struct turn *turns;    /* [4 pairs] scratch, */
	double *scratch;       /* [2 pairs] and more */
	bool even;             /* evenly spaced */
};

/* Row i of a dense table. */
const double *before_row(const struct table *t, size_t i);

/* Row k of a sample of n, spread over all. */
size_t before_spread(size_t k, size_t n, size_t all);

/*
 * Find the pairs of columns whose lengths change by one factor. False, with a
 * reason for the headline in why, if there are none.
 */
bool before_pairs(struct before *b, const char **why);

/* Whether lengths agree in more bits than the search for pairs has. */
bool before_is_rotation(const struct before *b);

/*
 * The same as before_pairs() with y's columns in another order: y, reordered,
 * is written to to and becomes b->y.
 */
bool before_order(struct before *b, struct table *to);

/*
 * Find heads side by side and the axis of positions by equal angles; make room
 * for the search of laws.
 */
bool before_heads(struct before *b, const char **why);

/* The turn of pair k at position j, of all heads together. */
struct turn before_turn(const struct before *b, size_t j, size_t k);

/* The bound of a phase's error where pairs have this weight. */
double before_phase_error(const struct before *b, double weight);

/* Measure frequencies; false if no positions are evenly spaced. */
bool before_measure(struct before *b);

/* Whether a law is a usual base without scaling. */
bool law_is_usual(const char *text);

/*
 * Measure frequencies; list usual laws that have them. False if there are
 * none.
 */
bool before_laws(struct before *b);

/* List laws of any base that have the measured frequencies, too. */
bool before_any_laws(struct before *b);

/* List usual laws instead, for positions that follow no rule. */
bool before_usual(struct before *b);

/* List usual laws of low precision instead; false if there are none. */
bool before_low_precision(struct before *b);

/*
 * Find the positions of all rows by the frequencies of a law, to which it may
 * add how they were rounded; false if they disagree, or if too few bits of the
 * angles are explained.
 */
bool before_positions(struct before *b, struct law *law);

/* A command's table beside the one that was given. */
struct check {
	const struct before *b;
	enum dtype dtype;      /* of the table that was given */
	enum dtype stored;     /* dtype_smallest() of its values */
	bool integers;         /* all its values are */
	int digits;            /* of its text, or MAX_DIGITS */
	bool equal[BF16 + 1];  /* all values, with the made ones rounded so */
	bool printed;          /* all values, with the digits of the text */
	bool adjacent;         /* all values, up to a unit in the last place */
	double largest;
	size_t row, col;       /* where it is */
	double squares, fourth; /* sums of powers of residuals */
	size_t differ;         /* values */
};

/* Run the command of a law and compare; whether it makes the table. */
bool before_check(struct before *b, const struct law *law, struct table *made,
		  struct check *c);

/* The root mean square of the residuals. */
double check_rms(const struct check *c);

/* The largest magnitude of a position. */
double before_farthest(const struct before *b);

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
