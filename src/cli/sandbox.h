/*
 * sandbox.h: what a run that reads files has no need for, it gives up before
 * it reads the first: to run programs, to connect, to signal others, to write
 * anywhere but beside its outputs.
 */
#ifndef SANDBOX_H
#define SANDBOX_H

#include "cli/args.h"

/* Give it up, where the kernel offers that (Linux, by Landlock). */
void sandbox_enter(const struct output *outputs, size_t n);

#endif
