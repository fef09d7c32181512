/*
 * guard.h: a second process that removes a file when its maker is gone. For
 * file systems where a file must have a name before it is whole: however its
 * maker ends, even by SIGKILL, nothing is left behind.
 */
#ifndef GUARD_H
#define GUARD_H

#include <sys/types.h>

struct guard {
	pid_t pid;  /* of the process; 0: there is none */
	int fd;     /* its end tells the process that ours has come */
};

/* Guard a file that may not be there yet; path is read at once. */
void guard_begin(struct guard *g, const char *path);

/* The file is another's affair now. */
void guard_end(struct guard *g);

#endif
