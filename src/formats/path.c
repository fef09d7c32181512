/* path.c: what the name of a file stands for. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "formats/path.h"

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

char *path_resolve(const char *path)
{
	char *at = strdup(path), *next;
	char to[PATH_MAX];
	ssize_t n;

	for (int links = 0; links < 40; links++) {
		if (!at || (n = readlink(at, to, sizeof to - 1)) < 0)
			return at;
		to[n] = '\0';
		next = to[0] == '/' ? strdup(to) : path_beside(at, to);
		free(at);
		at = next;
	}
	free(at);
	errno = ELOOP;
	return NULL;
}

/* N of /dev/fd/N and the like, or -1. */
static int descriptor(const char *path)
{
	static const char *const folders[] = { "/dev/fd/", "/proc/self/fd/" };

	if (strcmp(path, "/dev/stdout") == 0)
		return STDOUT_FILENO;
	if (strcmp(path, "/dev/stderr") == 0)
		return STDERR_FILENO;
	for (int i = 0; i < 2; i++) {
		const size_t n = strlen(folders[i]);

		if (strncmp(path, folders[i], n) == 0 && path[n] >= '0' &&
		    path[n] <= '9' && strlen(path) < n + 6)
			return (int)strtol(path + n, NULL, 10);
	}
	return -1;
}

int path_descriptor(const char *path)
{
	char to[PATH_MAX];
	const ssize_t n = readlink(path, to, sizeof to - 1);

	if (strcmp(path, "-") == 0)
		return STDOUT_FILENO;
	to[n > 0 ? n : 0] = '\0';
	return descriptor(path) >= 0 ? descriptor(path) : descriptor(to);
}

bool path_same_base(const char *a, const char *b)
{
	return strcmp(a + folder_length(a), b + folder_length(b)) == 0;
}
