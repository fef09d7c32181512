/* guard.c: a second process that removes a file when its maker is gone. */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "formats/guard.h"

/*
 * Wait for the maker's end, which nothing but SIGKILL keeps us from; and what
 * kills the maker's group is not meant for us.
 */
static void stand_guard(int fd, const char *path)
{
	char none;

	setsid();
	if (read(fd, &none, 1) == 0)
		unlink(path);
	_exit(0);
}

void guard_begin(struct guard *g, const char *path)
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
		stand_guard(ends[0], path);
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	close(ends[0]);
	g->fd = ends[1];
	if (g->pid < 0) {
		/* The file will do without, as long as nobody is killed. */
		close(g->fd);
		g->pid = 0;
	}
}

void guard_end(struct guard *g)
{
	if (!g->pid)
		return;
	kill(g->pid, SIGKILL);
	waitpid(g->pid, NULL, 0);
	close(g->fd);
	g->pid = 0;
}
