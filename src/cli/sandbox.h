/*
 * sandbox.h: before a run reads its first file, it gives up privileges: to
 * execute programs, to open TCP connections, to signal other processes, to
 * write to folders other than those of its outputs.
 */
#ifndef SANDBOX_H
#define SANDBOX_H

#include "cli/args.h"

/* Give them up, as far as the kernel can (Linux, by Landlock). */
void sandbox_enter(const struct output *outputs, size_t n);

#endif
