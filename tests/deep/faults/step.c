/*
 * step.c: kill a program at its K-th system call, before it is made.
 *
 *   step K PROGRAM ARGUMENTS...
 *
 * ends with 0 when the program was killed, with 1 when it had ended before.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

enum { KILLED = 0, ENDED = 1, FAILED = 2, SYSCALL_STOP = SIGTRAP | 0x80 };

int main(int argc, char **argv)
{
	const long at = argc > 2 ? 2 * strtol(argv[1], NULL, 10) - 1 : 0;
	const pid_t pid = at > 0 ? fork() : -1;
	int status, sent = 0;

	if (pid == 0) {
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		raise(SIGSTOP);
		execv(argv[2], argv + 2);
		_exit(FAILED);
	}
	if (pid < 0 || waitpid(pid, &status, 0) < 0 || !WIFSTOPPED(status) ||
	    ptrace(PTRACE_SETOPTIONS, pid, NULL,
		   PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL) != 0)
		return FAILED;
	/* Each call stops twice, when it begins and when it has ended. */
	for (long stop = 0; stop < at; ) {
		if (ptrace(PTRACE_SYSCALL, pid, NULL, (long)sent) != 0 ||
		    waitpid(pid, &status, 0) < 0)
			return FAILED;
		if (!WIFSTOPPED(status))
			return ENDED;
		sent = WSTOPSIG(status);
		if (sent == SYSCALL_STOP || sent == SIGTRAP) {
			stop += sent == SYSCALL_STOP;
			sent = 0;
		}
	}
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	return KILLED;
}
