/* path.c: paths of open descriptors and of files beside others. */
#define _XOPEN_SOURCE 700  /* realpath() */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files/path.h"

size_t path_folder_length(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? (size_t)(slash - path) + 1 : 0;
}

/*
 * Replace at by the target of the symbolic link at, number *links of a chain.
 * false: at is no link, or it leads too far.
 */
static bool follow(char at[PATH_MAX], int *links)
{
	char to[PATH_MAX];
	const ssize_t n = readlink(at, to, sizeof to - 1);
	size_t kept;

	if (n < 0 || ++*links > LINKS_MOST)
		return false;
	to[n] = '\0';
	kept = to[0] == '/' ? 0 : path_folder_length(at);
	return (size_t)snprintf(at + kept, PATH_MAX - kept, "%s", to) <
	       PATH_MAX - kept;
}

bool path_copy(char at[PATH_MAX], const char *path)
{
	const size_t n = strlen(path);

	if (n >= PATH_MAX) {
		errno = ENAMETOOLONG;
		return false;
	}
	memcpy(at, path, n + 1);
	return true;
}

bool same_file(const struct stat *a, const struct stat *b)
{
	return ((a->st_dev ^ b->st_dev) | (a->st_ino ^ b->st_ino)) == 0;
}

bool path_is_open(const char *path, int fd)
{
	struct stat a, b;

	return fstat(fd, &a) == 0 && stat(path, &b) == 0 && same_file(&a, &b);
}

struct descriptor_path path_of(int fd)
{
	struct descriptor_path p;

	snprintf(p.text, sizeof p.text, "/proc/self/fd/%d", fd);
	return p;
}

/* Whether two paths are the same directory. */
static bool same_folder(const char *a, const char *b)
{
	struct stat x, y;

	return stat(a, &x) == 0 && stat(b, &y) == 0 && same_file(&x, &y);
}

/* The state of the folder of a file. */
static bool stat_folder(const char *path, struct stat *is)
{
	char folder[PATH_MAX];

	snprintf(folder, sizeof folder, "%.*s.", (int)path_folder_length(path),
		 path);
	return stat(folder, is) == 0;
}

/* The state of the folder of the file that path leads to. */
static bool stat_real_folder(const char *path, struct stat *is)
{
	char real[PATH_MAX];

	return realpath(path, real) && stat_folder(real, is);
}

bool path_is_beside(const char *path, const char *from)
{
	struct stat link, there, here;

	if (lstat(path, &link) != 0 || !S_ISLNK(link.st_mode) ||
	    !stat_real_folder(path, &there))
		return true;  /* no link, or one that leads nowhere */
	return (stat_folder(from, &here) && same_file(&here, &there)) ||
	       (stat_real_folder(from, &here) && same_file(&here, &there));
}

/* Whether folder is the directory of this process's descriptors. */
static bool holds_descriptors(const char *folder)
{
	/* These two also without /proc. */
	return strcmp(folder, "/dev/fd/.") == 0 ||
	       strcmp(folder, "/proc/self/fd/.") == 0 ||
	       same_folder(folder, "/proc/self/fd") ||
	       same_folder(folder, "/proc/thread-self/fd");
}

/* N of /dev/fd/N or a path like it, or -1. */
static int descriptor(const char *path)
{
	const size_t n = path_folder_length(path);
	const char *base = path + n;
	char folder[PATH_MAX];

	if (strcmp(path, "/dev/stdout") == 0)
		return STDOUT_FILENO;
	if (strcmp(path, "/dev/stderr") == 0)
		return STDERR_FILENO;
	if (!base[0] || base[strspn(base, "0123456789")] || strlen(base) > 5)
		return -1;
	snprintf(folder, sizeof folder, "%.*s.", (int)n, path);
	return holds_descriptors(folder) ? (int)strtol(base, NULL, 10) : -1;
}

int path_descriptor(const char *path)
{
	char at[PATH_MAX];
	int links = 0, fd = strcmp(path, "-") == 0 ? STDOUT_FILENO : -1;

	if (fd >= 0 || !path_copy(at, path))
		return fd;
	do
		fd = descriptor(at);
	while (fd < 0 && follow(at, &links));
	return fd;
}
