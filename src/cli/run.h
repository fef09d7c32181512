/* run.h: what is done with a command line whose words have been read. */
#ifndef RUN_H
#define RUN_H

#include "cli/args.h"

/*
 * Make what a asks for and write it to all its outputs, or to none of them.
 * no: whether a report's answer is negative, as of tables that differ.
 */
bool run_command(struct args *a, bool *no, struct error *err);

#endif
