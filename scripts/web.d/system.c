/*
 * system.c: what the C library and posenc ask of a system, for a page that has
 * none: memory grows, there are no files, threads or libraries.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>
#include <wasi/api.h>

enum { PAGE = 1 << 16 };  /* of WebAssembly's memory */

int emscripten_resize_heap(size_t size);
void *emscripten_memcpy_big(void *to, const void *from, size_t n);

/* Called by sbrk(). WebAssembly refuses more than the maximum of scripts/web. */
int emscripten_resize_heap(size_t size)
{
	const size_t pages = (size + PAGE - 1) / PAGE;
	const size_t now = __builtin_wasm_memory_size(0);

	return size <= UINT32_MAX &&
	       __builtin_wasm_memory_grow(0, pages - now) != SIZE_MAX;
}

/* Called by memcpy() for more than 512 bytes: one instruction. */
__attribute__((target("bulk-memory")))
void *emscripten_memcpy_big(void *to, const void *from, size_t n)
{
	return __builtin_memcpy(to, from, n);
}

/* No descriptor is open, not even the standard ones. */
__wasi_errno_t __wasi_fd_close(__wasi_fd_t fd)
{
	(void)fd;
	return __WASI_ERRNO_BADF;
}

__wasi_errno_t __wasi_fd_read(__wasi_fd_t fd, const __wasi_iovec_t *to,
			      size_t n, __wasi_size_t *read)
{
	(void)to;
	(void)n;
	(void)read;
	return __wasi_fd_close(fd);
}

__wasi_errno_t __wasi_fd_seek(__wasi_fd_t fd, __wasi_filedelta_t by,
			      __wasi_whence_t from, __wasi_filesize_t *at)
{
	(void)by;
	(void)from;
	(void)at;
	return __wasi_fd_close(fd);
}

FILE *fopen(const char *path, const char *mode)
{
	(void)path;
	(void)mode;
	errno = ENOENT;
	return NULL;
}

int poll(struct pollfd *files, nfds_t n, int milliseconds)
{
	(void)files;
	(void)n;
	(void)milliseconds;
	return 0;
}

int sched_getaffinity(pid_t process, size_t size, cpu_set_t *set)
{
	(void)process;
	(void)size;
	(void)set;
	return -1;
}

int madvise(void *first, size_t size, int advice)
{
	(void)first;
	(void)size;
	(void)advice;
	return -1;
}

/* How many processors there are. */
long sysconf(int name)
{
	(void)name;
	return 1;
}

/* There are no libraries. */
void *dlopen(const char *path, int mode)
{
	(void)path;
	(void)mode;
	return NULL;
}

void *dlsym(void *restrict library, const char *restrict name)
{
	(void)library;
	(void)name;
	return NULL;
}

char *dlerror(void)
{
	static char said[] = "there are no libraries";

	return said;
}
