/*
 * main.c: entry point; what any run needs of its streams, stack and signals.
 *
 * Folder src/cli: the command line. Its first word is a command (commands.h);
 * words become fields (args.h), a command is run and its outputs are written
 * (run.h); help, manual and completions are printed from declarations
 * (help.h). It includes any folder but those of encodings, compare and
 * identify, which it reaches through recipes.h, and web.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "cli/commands.h"
#include "files/input.h"
#include "files/target.h"

enum { FAILED = 2 };

/* What figures take, with room to spare. */
enum { STACK_KIB = 64 };

/*
 * Open the closed ones of the standard streams, so that no output file gets
 * their descriptor and receives messages. They are opened in the wrong
 * direction, so that reading or writing them still fails.
 */
static void fill_closed_streams(void)
{
	for (int fd = 0; fd < 3; fd++)
		if (fcntl(fd, F_GETFD) < 0 &&
		    open("/dev/null", fd ? O_RDONLY : O_WRONLY) != fd)
			exit(FAILED);
}

/* SIGXCPU comes at the soft limit; SIGKILL, at the hard one, is not caught. */
static void out_of_time(int signal)
{
	static const char text[] = "posenc: CPU time limit exceeded "
				   "(ulimit -t)\n";
	const ssize_t done = write(STDERR_FILENO, text, sizeof text - 1);

	(void)signal;
	(void)done;  /* failures don't matter */
	/* It only calls unlink(). NOLINTNEXTLINE(bugprone-signal-handler) */
	target_remove_named();
	_exit(FAILED);
}

/* End as the signal ends a process, without files that are not complete. */
static void ended(int number)
{
	/* It only calls unlink(). NOLINTNEXTLINE(bugprone-signal-handler) */
	target_remove_named();
	signal(number, SIG_DFL);
	if (raise(number) != 0)  /* musl's is refused by the sandbox */
		_exit(128 + number);
}

/* Read a line, or as much of it as there is room for. false: no more lines. */
static bool read_line(int fd, char *line, size_t room)
{
	size_t n = 0;
	char c = '\0';

	while (c != '\n' && read(fd, &c, 1) == 1)
		if (n + 1 < room && c != '\n')
			line[n++] = c;
	line[n] = '\0';
	return n;
}

/*
 * A page beyond the end of a mapped file was read. Nothing here maps files: the
 * loader does, of shared libraries, and others do, of fonts.
 */
static void cut_short(int number, siginfo_t *info, void *context)
{
	const uintptr_t at = (uintptr_t)info->si_addr;
	const int maps = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
	char line[4096];

	(void)context;
	/* "FROM-TO RIGHTS OFFSET DEVICE INODE PATH", addresses in base 16 */
	while (read_line(maps, line, sizeof line)) {
		char *end;
		const char *path = strchr(line, '/');

		if (strtoull(line, &end, 16) > at || !path ||
		    strtoull(end + 1, NULL, 16) <= at)
			continue;
		dprintf(STDERR_FILENO, "posenc: %s is cut short\n", path);
		target_remove_named();
		_exit(FAILED);
	}
	ended(number);
}

/* What ends a process, but a fault of its own, and is not ignored. */
static void catch_signals(void)
{
	const struct sigaction bus = { .sa_sigaction = cut_short,
				       .sa_flags = SA_SIGINFO };
	static const int ends[] = { SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGALRM,
				    SIGTERM, SIGUSR1, SIGUSR2 };

	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
		if (signal(ends[i], ended) == SIG_IGN)
			signal(ends[i], SIG_IGN);
	sigaction(SIGBUS, &bus, NULL);
	/* A file beyond the size limit becomes an error of write(). */
	signal(SIGXFSZ, SIG_IGN);
	signal(SIGXCPU, out_of_time);
	/* A parent that ignores SIGCHLD passes that on; waitpid() needs it. */
	signal(SIGCHLD, SIG_DFL);
}

/* Whether the stack has room for all commands; if not, that is said. */
static bool has_stack(void)
{
	struct rlimit stack = { RLIM_INFINITY, RLIM_INFINITY };

	getrlimit(RLIMIT_STACK, &stack);
	if (stack.rlim_cur >= STACK_KIB << 10)
		return true;
	dprintf(STDERR_FILENO, "posenc: the stack is limited to %d KiB (ulimit "
		"-s), %d are needed\n", (int)(stack.rlim_cur >> 10), STACK_KIB);
	return false;
}

int main(int argc, char **argv)
{
	fill_closed_streams();
	if (!has_stack())
		return FAILED;
	catch_signals();
	memory_first_large = limit_memory;
	return command_run(argc ? argc - 1 : 0, argv + 1);
}
