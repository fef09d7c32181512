/* serve.h: what was asked for, made and written. */
#ifndef SERVE_H
#define SERVE_H

#include "cli/args.h"

/*
 * Make the table or the report that a asks for and write it to all its
 * outputs, or to none of them. no: whether a report's answer is no.
 */
bool serve(struct args *a, bool *no, struct error *err);

#endif
