/* process.c: work in a process of its own. */
#define _DEFAULT_SOURCE  /* MAP_ANONYMOUS */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "table/process.h"

#ifdef __linux__
#include <sys/prctl.h>
#endif

void *process_share(size_t n)
{
	void *memory = mmap(NULL, n, PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	return memory == MAP_FAILED ? NULL : memory;
}

/*
 * Discard what libraries print when they fail: both descriptors refuse writes,
 * and stay taken so that no other file gets them.
 */
static void begin_process(void)
{
	int null;

	close(STDOUT_FILENO);
	close(STDERR_FILENO);
	null = open("/dev/null", O_RDONLY);
	dup2(null, STDOUT_FILENO);
	dup2(null, STDERR_FILENO);
	signal(SIGBUS, SIG_DFL);
#ifdef __linux__
	prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
}

pid_t process_start(void (*work)(void *self), void *self)
{
	const pid_t child = fork();

	if (child == 0) {
		begin_process();
		work(self);
		_exit(0);
	}
	return child;
}

size_t process_space(void)
{
	char text[40] = "";
	const int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
	/* Without that file nothing is read. */
	const ssize_t got = read(fd, text, sizeof text - 1);

	(void)got;
	close(fd);
	return strtoul(text, NULL, 10) * (size_t)sysconf(_SC_PAGESIZE);
}

int process_wait(pid_t child)
{
	int status = 0;

	while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	return status;
}
