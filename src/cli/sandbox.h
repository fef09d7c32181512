/*
 * sandbox.h: before a run reads its first file, it gives up privileges that it
 * does not need, so that a file that took over a reader could do little harm.
 * posenc(1), "Untrusted files", says what remains.
 */
#ifndef SANDBOX_H
#define SANDBOX_H

#include "cli/args.h"

/*
 * Give them up, as far as the kernel can (Linux): access to files but those of
 * outputs by Landlock, other system calls by seccomp.h. processes: the command
 * runs parts of itself in other processes.
 */
void sandbox_enter(const struct output *outputs, size_t n, bool processes);

#endif
