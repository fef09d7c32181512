/* report.h: reports for people, and as text of JSON. */
#ifndef FORMATS_REPORT_H
#define FORMATS_REPORT_H

#include "core/report.h"
#include "formats/out.h"

/* Aligned, a line a fact, a blank line between groups. */
void report_show(const struct report *r, struct out *o);

/* One object: the command, the headline, and an object a group. */
void report_json(const struct table *t, const struct report *r,
		 struct out *o);

#endif
