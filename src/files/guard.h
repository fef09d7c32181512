/* guard.h: a second process that removes a file when this one ends. */
#ifndef GUARD_H
#define GUARD_H

#include <sys/types.h>

/*
 * It does so even after SIGKILL to this process or its group: for file systems
 * where a file needs a name while it is written.
 */
struct guard {
	pid_t pid;  /* of the second process; 0 or -1: none */
	int fd;     /* write end of a pipe that closes with this process */
};

/* Start to guard name in folder, before a file of that name is made. */
void guard_begin(struct guard *g, int folder, const char *name);

/* End the guard, which removes nothing. */
void guard_end(struct guard *g);

#endif
