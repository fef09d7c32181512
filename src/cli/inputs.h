/* inputs.h: the tables that a command line names. */
#ifndef INPUTS_H
#define INPUTS_H

#include "cli/args.h"

/*
 * Read those that options name, then those that the command works on. To be
 * done once all options are known, for they say how.
 */
bool inputs_read(struct args *a, struct error *err);

#endif
