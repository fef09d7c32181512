/*
 * evidence.h: whether a candidate that agrees with the input explains it, or
 * merely has as many fitted digits as the input has information.
 */
#ifndef EVIDENCE_H
#define EVIDENCE_H

#include "identify/trial.h"

/*
 * Set t->cost, t->list_cost and t->rows_differ: the bits that the candidate's
 * options take if they are not the defaults or the table's shape. False if
 * memory is short.
 */
bool evidence_cost(struct trial *t, struct error *err);

/*
 * Whether the values that agree are worth more bits than that: all together
 * and, as any few frequencies agree with some base and step, the frequencies of
 * all columns; sets t->few_frequencies if only these are not.
 */
bool evidence_suffices(struct trial *t);

#endif
