/* apart.h: from which position on cosines of two series of pairs differ. */
#ifndef APART_H
#define APART_H

#include "recipe/report.h"

/* Limits of a difference: what float32 rounds to, what bfloat16 does, and what
   may be seen. */
enum { APART_LIMITS = 3 };
struct apart_limit {
	double most;
	const char *key, *words;   /* "more_than_0.01", "0.01" */
};
extern const struct apart_limit apart_limits[APART_LIMITS];

/* Cosines of frequencies [n], multiplied by a factor. */
struct apart_cosines {
	const double *frequency;
	double factor;
};

/*
 * The first position before end at which cosines of a pair of a and of b [n]
 * differ by more than most; end: there is none.
 */
double apart_first(const struct apart_cosines *a,
		   const struct apart_cosines *b, size_t n, double most,
		   double end);

/* Add the first position of each limit; end: there is none before it. */
void apart_report(const double first[APART_LIMITS], double end,
		  struct report *r);

#endif
