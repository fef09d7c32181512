/* run.h: make the table or report of a command and write its outputs. */
#ifndef RUN_H
#define RUN_H

#include "cli/args.h"

/*
 * Make what a asks for and write it to all its outputs, or to none of them.
 * no: whether a report's answer is negative, as of tables that differ.
 */
bool run_command(struct args *a, bool *no, struct error *err);

#endif
