/* path.c: what the name of a file stands for. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formats/path.h"

enum { LINKS_MOST = 40 };  /* as many as Linux follows */

/* The length of the folder's part of a path, its last slash included. */
static size_t folder_length(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? (size_t)(slash - path) + 1 : 0;
}

char *path_beside(const char *path, const char *name)
{
	const size_t n = folder_length(path), m = strlen(name);
	char *joined = malloc(n + m + 1);

	if (joined) {
		memcpy(joined, path, n);
		memcpy(joined + n, name, m + 1);
	}
	return joined;
}

/*
 * at becomes where the link at leads, the *links-th of its chain. false: there
 * is none that can be followed, errno being 0, or errno says why not.
 */
static bool follow(char at[PATH_MAX], int *links)
{
	char to[PATH_MAX];
	const ssize_t n = readlink(at, to, sizeof to - 1);
	size_t kept;

	errno = n >= 0 && ++*links > LINKS_MOST ? ELOOP : 0;
	if (n < 0 || errno)
		return false;
	to[n] = '\0';
	kept = to[0] == '/' ? 0 : folder_length(at);
	if (kept + (size_t)n >= PATH_MAX) {
		errno = ENAMETOOLONG;
		return false;
	}
	memcpy(at + kept, to, (size_t)n + 1);
	return true;
}

static bool copy_path(char at[PATH_MAX], const char *path)
{
	const size_t n = strlen(path);

	if (n >= PATH_MAX) {
		errno = ENAMETOOLONG;
		return false;
	}
	memcpy(at, path, n + 1);
	return true;
}

char *path_resolve(const char *path)
{
	char at[PATH_MAX];
	int links = 0;

	if (!copy_path(at, path))
		return NULL;
	while (follow(at, &links))
		;
	return errno ? NULL : strdup(at);
}

/* Whether two paths lead to one folder. */
static bool same_folder(const char *a, const char *b)
{
	struct stat x, y;

	return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev &&
	       x.st_ino == y.st_ino;
}

/* Whether a folder is that of our descriptors, however it is spelled. */
static bool holds_descriptors(const char *folder)
{
	/* These two even where there is no /proc. */
	return strcmp(folder, "/dev/fd/.") == 0 ||
	       strcmp(folder, "/proc/self/fd/.") == 0 ||
	       same_folder(folder, "/proc/self/fd") ||
	       same_folder(folder, "/proc/thread-self/fd");
}

/* N of /dev/fd/N and the like, or -1. */
static int descriptor(const char *path)
{
	const size_t n = folder_length(path);
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

	if (fd >= 0 || !copy_path(at, path))
		return fd;
	do
		fd = descriptor(at);
	while (fd < 0 && follow(at, &links));
	return fd;
}

bool path_same_base(const char *a, const char *b)
{
	return strcmp(a + folder_length(a), b + folder_length(b)) == 0;
}
