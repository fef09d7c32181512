/* checks.h: outputs are refused before anything is written. */
#ifndef CHECKS_H
#define CHECKS_H

#include "cli/args.h"

/* Refuse options of outputs that are not written. */
bool check_style(const struct args *a, struct error *err);

/* Refuse what a format cannot hold, before any file is opened. */
bool check_output(const struct args *a, const struct output *p,
		  const struct report *report, struct error *err);

/* Refuse an open output, the last of n, that is known to fail. */
bool check_open(const struct args *a, const struct report *report,
		struct output_file *outs, size_t n, struct error *err);

#endif
