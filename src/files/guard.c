/* guard.c: a second process that removes a file when this one ends. */
#include <signal.h>
#include <stddef.h>
#include <sys/wait.h>
#include <unistd.h>

#include "files/guard.h"

/* Remove the file when the parent has ended. Signals are blocked. */
static void guard_run(int fd, int folder, const char *name)
{
	char none;

	if (read(fd, &none, 1) == 0)
		unlinkat(folder, name, 0);
	_exit(0);
}

void guard_begin(struct guard *g, int folder, const char *name)
{
	sigset_t all, before;
	int ends[2];

	*g = (struct guard){ 0 };
	if (pipe(ends) != 0)
		return;
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	g->pid = fork();
	if (g->pid == 0) {
		close(ends[1]);
		guard_run(ends[0], folder, name);
	}
	/* Before there is a file, what kills our group spares the guard. */
	if (g->pid > 0)
		setpgid(g->pid, 0);
	sigprocmask(SIG_SETMASK, &before, NULL);
	close(ends[0]);
	g->fd = ends[1];
	if (g->pid < 0)  /* then a kill leaves the file; all else works */
		close(g->fd);
}

void guard_end(struct guard *g)
{
	if (g->pid <= 0)
		return;
	kill(g->pid, SIGKILL);
	waitpid(g->pid, NULL, 0);
	close(g->fd);
	g->pid = 0;
}
