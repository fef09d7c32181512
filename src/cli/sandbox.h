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
 * outputs by Landlock, other system calls by seccomp. processes: the command
 * runs parts of itself in other processes.
 */
void sandbox_enter(const struct output *outputs, size_t n, bool processes);

/*
 * seccomp refuses system calls that neither readers nor outputs need: those for
 * sockets, new processes, other processes, permissions and the system.
 */

/* What a run needs all the same. */
enum seccomp_need {
	NEEDS_FILES = 1,      /* to set the permissions of its outputs */
	NEEDS_PROCESSES = 2,  /* to start copies of itself, and to end them */
};

/*
 * Refuse them, for this process and all it starts, on Linux for x86-64 and
 * arm64; elsewhere do nothing. The process must have given up new privileges.
 */
void seccomp_enter(unsigned needs);

#endif
