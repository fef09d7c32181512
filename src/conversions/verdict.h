/* verdict.h: the answer to a comparison of two models, and its report. */
#ifndef VERDICT_H
#define VERDICT_H

#include "conversions/conversions.h"

/* Report what was found. */
void verdict_report(struct conversion *c, struct report *r);

#endif
