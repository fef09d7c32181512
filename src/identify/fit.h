/* fit.h: candidates judged by residuals that are not rounding. */
#ifndef FIT_H
#define FIT_H

#include "identify/identify.h"

/*
 * Run the families on the table of p, of which no candidate makes all values:
 * one may make them but for noise. rough is p with more and more noise assumed,
 * and must live as long as s. Whether there is a match.
 */
bool fit_families(struct search *s, const struct profile *p,
		  struct profile *rough);

/*
 * Compare the candidate by the root mean square of its residuals; a match is
 * added to s. Returns whether the assumed noise explains the residuals.
 */
bool fit_candidate(struct search *s, const struct candidate *c);

/*
 * Measure the residuals of a candidate on every step-th row, whatever explains
 * them; false if they are as large as the values.
 */
bool fit_measure(struct search *s, const struct candidate *c, size_t step,
		 struct match *m);

/*
 * Find columns of a table in another order, with other signs, or a part of
 * them, under noise that is no systematic residual; otherwise f is as before.
 */
bool fit_columns(struct finding *f);

/*
 * Whether the noise that is assumed, if any is, explains the residuals of a
 * match.
 */
bool fit_explained(const struct search *s);

/*
 * The negative logarithm of the likelihood of so many values if the noise is
 * normal, and of the prior probability of the options: 2 to the -bits.
 */
double match_cost(const struct profile *p, const struct match *m,
		  double values);

/* Test the residuals of the best match; sets s->residuals. */
void residuals_test(struct search *s);

/*
 * The answer about the best match, and its facts (identify.c). They are those
 * of the table as it was read.
 */
void report_answer(const struct search *s, const struct reading *reading,
		   struct report *r);
void report_match(const struct match *m, const struct reading *reading,
		  struct report *r, struct error *err);

#endif
