/* memory.h: bytes in memory as a file that has a path. */
#ifndef FUZZ_MEMORY_H
#define FUZZ_MEMORY_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MEMORY_PATH = 40 };

/* A file of these bytes, to be closed, and its path. */
static inline int memory_file(const uint8_t *data, size_t n,
			      char path[MEMORY_PATH])
{
	const int fd = memfd_create("fuzz", MFD_CLOEXEC);

	if (fd < 0 || write(fd, data, n) != (ssize_t)n)
		abort();
	snprintf(path, MEMORY_PATH, "/proc/self/fd/%d", fd);
	return fd;
}

#endif
