/*
 * seccomp.h: refuses system calls that neither readers nor outputs need: those
 * for sockets, new processes, other processes, permissions and the system.
 */
#ifndef SECCOMP_H
#define SECCOMP_H

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
