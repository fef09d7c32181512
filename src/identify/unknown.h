/* unknown.h: what can be said of a table that no formula makes. */
#ifndef UNKNOWN_H
#define UNKNOWN_H

#include "core/report.h"
#include "identify/sight.h"

/*
 * Headline and evidence: the verdict, if there is one; or learned, drawn,
 * something else.
 */
void unknown_report(const struct sight *s, const char *verdict,
		    struct report *r);

#endif
