/*
 * Notes what a program reaches: linked into a build with -fsanitize-coverage=trace-pc, which
 * calls __sanitizer_cov_trace_pc() in each block. The note, $REACH/PROGRAM, has a byte for
 * each byte of the program, 1 behind a call that was made; processes of one program share it.
 */
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

extern const char __ehdr_start[] __attribute__((visibility("hidden"))),
	etext[] __attribute__((visibility("hidden")));
void __sanitizer_cov_trace_pc(void);

static char *note;

__attribute__((constructor(101))) static void begin(void)
{
	const char *folder = getenv("REACH");
	char program[PATH_MAX] = "", path[2 * PATH_MAX];
	if (!folder || readlink("/proc/self/exe", program, sizeof program - 1) < 0)
		return;
	snprintf(path, sizeof path, "%s/%s", folder, basename(program));
	const size_t size = (size_t)(etext - __ehdr_start);
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	if (fd < 0)
		return;
	if (lseek(fd, 0, SEEK_END) >= (off_t)size || ftruncate(fd, (off_t)size) == 0) {
		void *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
		note = at == MAP_FAILED ? NULL : at;
	}
	close(fd);
}

void __sanitizer_cov_trace_pc(void)
{
	if (note)
		note[(const char *)__builtin_return_address(0) - __ehdr_start] = 1;
}
