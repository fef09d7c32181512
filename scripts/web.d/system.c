/*
 * system.c: what the C library and posenc ask of a system, for a page that has
 * none: there are no files, and the module imports nothing.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <wasi/api.h>

/* What the C library imports; no descriptor is open. */
int32_t __imported_wasi_snapshot_preview1_fd_close(int32_t fd);
int32_t __imported_wasi_snapshot_preview1_fd_read(int32_t fd, int32_t to,
						  int32_t n, int32_t read);
int32_t __imported_wasi_snapshot_preview1_fd_seek(int32_t fd, int64_t by,
						  int32_t from, int32_t at);

int32_t __imported_wasi_snapshot_preview1_fd_close(int32_t fd)
{
	(void)fd;
	return __WASI_ERRNO_BADF;
}

int32_t __imported_wasi_snapshot_preview1_fd_read(int32_t fd, int32_t to,
						  int32_t n, int32_t read)
{
	(void)fd;
	(void)to;
	(void)n;
	(void)read;
	return __WASI_ERRNO_BADF;
}

int32_t __imported_wasi_snapshot_preview1_fd_seek(int32_t fd, int64_t by,
						  int32_t from, int32_t at)
{
	(void)fd;
	(void)by;
	(void)from;
	(void)at;
	return __WASI_ERRNO_BADF;
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

int madvise(void *first, size_t size, int advice)
{
	(void)first;
	(void)size;
	(void)advice;
	return -1;
}
