/*
 * process.h: work in a process of its own, for libraries that may crash or
 * exit: what breaks there is an error here.
 */
#ifndef PROCESS_H
#define PROCESS_H

#include <stddef.h>
#include <sys/types.h>

/* Zeroed memory [n] that such processes share, to be unmapped, or NULL. */
void *process_share(size_t n);

/*
 * Start work(self) in a copy of this process, which ends when it returns and,
 * on Linux, when this process ends. Nothing can be written to its standard
 * output and error. -1: errno says why there is none. process_wait() must
 * follow.
 */
pid_t process_start(void (*work)(void *self), void *self);

/* Wait for its end. Returns its wait status; 0 if the system does not tell. */
int process_wait(pid_t child);

/* The address space that this process uses, in bytes; 0: unknown. */
size_t process_space(void);

#endif
