/* tables.h: tables of positions, and frequencies, of both models. */
#ifndef TABLES_H
#define TABLES_H

#include "conversions/pairs.h"
#include "model/rotary.h"

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

/*
 * frequencies.c: whether y [n] differs from x by at most tolerance times the
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

/* Check frequencies that one side alone stores with those it rotates by. */
void frequencies_check(struct conversion *c, struct side *s,
		       const struct pair *p, struct error *err);

#endif
