/* tables.h: tables of positions, and frequencies, of both models. */
#ifndef TABLES_H
#define TABLES_H

#include "conversions/pairs.h"
#include "model/rotary.h"
#include "waves/apart.h"

struct conversion;
struct report;
struct side;

/* Compare tables of positions, or frequencies. */
void tables_compare(struct conversion *c, const struct pair *p,
		    struct error *err);

/*
 * What posenc compare finds that one tensor of a pair is of the other; NULL:
 * nothing, or some pairs were explained already.
 */
const char *tables_explained(struct conversion *c, const struct pair *p,
			     struct error *err);

/* Frequencies that differ by less, relatively, are equal: they are float32. */
#define SAME_FREQUENCY 1e-6

/* frequencies.c: the first row of a table of rope; NULL: rope refuses it. */
double *rope_values(struct conversion *c, const struct rotary_positions *r,
		    double length, const char *out, size_t *n);

/*
 * Whether y [n] differs from x by at most tolerance times the
 * absolute value of x.
 */
bool frequencies_near(const double *x, const double *y, size_t n,
		      double tolerance);

/*
 * Whether both rotate by the same frequencies (out "freqs") in a context of
 * that length; or multiply by the same factor, which cosines of position 0 are
 * (out "cos"). False where posenc rope refuses one of them.
 */
bool frequencies_same(struct conversion *c, const struct rotary_positions *a,
		      const struct rotary_positions *b, double length,
		      const char *out);

/* cosines.c: the first positions at which cosines differ by more than each of
   apart_limits. */
struct cosines {
	bool known;
	double first[APART_LIMITS];  /* end: none before it */
	double end;            /* of the positions that were compared */
	double length;         /* of the context, on which scalings depend */
	double factor[2];      /* by which cosines are multiplied */
};

/*
 * Note in c->cosines where cosines of two rotations of the same pairs differ:
 * in the longer context, or where only shorter or longer ones differ, there.
 */
void cosines_compare(struct conversion *c, const struct rotary_positions *a,
		     const struct rotary_positions *b);

/* Say that, and report it. */
void cosines_say(struct conversion *c);
void cosines_report(const struct conversion *c, struct report *r);

/* Check frequencies that one side alone stores with those it rotates by. */
void frequencies_check(struct conversion *c, struct side *s,
		       const struct pair *p, struct error *err);

#endif
