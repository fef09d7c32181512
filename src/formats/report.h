/* report.h: reports of views as aligned text and as JSON. */
#ifndef FORMATS_REPORT_H
#define FORMATS_REPORT_H

#include "recipe/report.h"
#include "files/output.h"

/* Aligned text: one fact per line, a blank line between groups. */
void report_show(const struct report *r, struct output_file *o);

/* One object: the command line, the headline, and an object per group. */
void report_json(const struct table *t, const struct report *r,
		 struct output_file *o);

#endif
