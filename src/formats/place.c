/* place.c: where a file lands. */
#define _GNU_SOURCE  /* O_TMPFILE */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formats/place.h"

#ifndef O_TMPFILE
#define O_TMPFILE 0  /* opening a folder to write fails: a named file then */
#endif

/* The length of the folder's part of a path, its last slash included. */
static size_t folder_length(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? (size_t)(slash - path) + 1 : 0;
}

/* name in the folder of path; to be freed, NULL for want of memory. */
static char *beside(const char *path, const char *name)
{
	const size_t n = folder_length(path), m = strlen(name);
	char *joined = malloc(n + m + 1);

	if (joined) {
		memcpy(joined, path, n);
		memcpy(joined + n, name, m + 1);
	}
	return joined;
}

/* The file that links at path lead to, whether it is there yet or not. */
static char *resolve(const char *path)
{
	char *at = strdup(path), *next;
	char to[PATH_MAX];
	ssize_t n;

	for (int links = 0; links < 40; links++) {
		if (!at || (n = readlink(at, to, sizeof to - 1)) < 0)
			return at;
		to[n] = '\0';
		next = to[0] == '/' ? strdup(to) : beside(at, to);
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

/* The descriptor that path stands for, itself or as a link, or -1. */
static int open_already(const char *path)
{
	char to[PATH_MAX];
	const ssize_t n = readlink(path, to, sizeof to - 1);

	if (strcmp(path, "-") == 0)
		return STDOUT_FILENO;
	to[n > 0 ? n : 0] = '\0';
	return descriptor(path) >= 0 ? descriptor(path) : descriptor(to);
}

/*
 * Try names in the folder of the target until use() takes one; that becomes
 * the temporary name. The names are short, so that any target may be long.
 */
static bool take_name(struct place *p, bool (*use)(struct place *p))
{
	for (int i = 0; i < 1000; i++) {
		char name[48];

		snprintf(name, sizeof name, ".posenc-%ld-%d", (long)getpid(),
			 i);
		p->temporary = beside(p->target, name);
		if (!p->temporary)
			return false;
		if (use(p))
			return true;
		free(p->temporary);
		p->temporary = NULL;
		if (errno != EEXIST)
			return false;
	}
	return false;
}

static bool create_temporary(struct place *p)
{
	p->fd = open(p->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
		     0600);
	return p->fd >= 0;
}

static bool link_temporary(struct place *p)
{
	char self[40];

	snprintf(self, sizeof self, "/proc/self/fd/%d", p->fd);
	return linkat(AT_FDCWD, self, AT_FDCWD, p->temporary,
		      AT_SYMLINK_FOLLOW) == 0;
}

/* The rights and owner of the file replaced, or those of any new file. */
static bool adopt_rights(int fd, const struct stat *old)
{
	if (!old) {
		const mode_t mask = umask(0);

		umask(mask);
		return fchmod(fd, 0666 & ~mask) == 0;
	}
	/* Only root may give a file away; otherwise it is ours. */
	if (fchown(fd, old->st_uid, old->st_gid) != 0 && errno != EPERM)
		return false;
	return fchmod(fd, old->st_mode & 07777) == 0;
}

static bool open_regular(struct place *p, const char *path,
			 const struct stat *old)
{
	char *here;

	p->target = resolve(path);
	if (!p->target)
		return false;
	p->regular = true;
	here = beside(p->target, ".");
	if (!here)
		return false;
	/* A nameless file can be named later only by way of /proc. */
	p->fd = access("/proc/self/fd", X_OK) == 0
		? open(here, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600) : -1;
	free(here);
	if (p->fd < 0 && !take_name(p, create_temporary))
		return false;
	return adopt_rights(p->fd, old);
}

static bool refuse(int why)
{
	errno = why;
	return false;
}

bool place_open(struct place *p, const char *path)
{
	const size_t n = strlen(path);
	struct stat old;

	*p = (struct place){ .fd = open_already(path) };
	if (p->fd >= 0) {
		/* What is open is written where it stands, whatever it is. */
		if (p->fd != STDOUT_FILENO)
			p->fd = dup(p->fd);
		return p->fd >= 0;
	}
	if (stat(path, &old) != 0) {
		if (errno != ENOENT || !n)
			return refuse(n ? errno : ENOENT);
		return path[n - 1] == '/' ? refuse(EISDIR)
					  : open_regular(p, path, NULL);
	}
	if (S_ISDIR(old.st_mode))
		return refuse(EISDIR);
	if (S_ISREG(old.st_mode))
		return access(path, W_OK) == 0 && open_regular(p, path, &old);
	p->fd = open(path, O_WRONLY | O_CLOEXEC);
	return p->fd >= 0;
}

bool place_sync(const struct place *p)
{
	int failed;

	if (!p->regular)
		return true;
	do
		failed = fsync(p->fd);
	while (failed && errno == EINTR);
	return !failed || errno == EINVAL;
}

static bool publish(struct place *p)
{
	if (!p->temporary && !take_name(p, link_temporary))
		return false;
	if (rename(p->temporary, p->target) != 0)
		return false;
	free(p->temporary);
	p->temporary = NULL;
	return true;
}

bool place_publish(struct place *p)
{
	sigset_t all, before;
	bool done;

	if (!p->regular)
		return true;
	/* Between its two names the file would be left behind. */
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	done = publish(p);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return done;
}

void place_close(struct place *p)
{
	if (p->temporary)
		unlink(p->temporary);
	if (p->fd >= 0 && p->fd != STDOUT_FILENO)
		close(p->fd);
	free(p->temporary);
	free(p->target);
	*p = (struct place){ .fd = -1 };
}

/* Whether two files that are not there yet will be one. */
static bool same_name(const char *a, const char *b)
{
	char *in_a = beside(a, "."), *in_b = beside(b, ".");
	struct stat x, y;
	const bool same = in_a && in_b && stat(in_a, &x) == 0 &&
		stat(in_b, &y) == 0 && x.st_dev == y.st_dev &&
		x.st_ino == y.st_ino &&
		strcmp(a + folder_length(a), b + folder_length(b)) == 0;

	free(in_a);
	free(in_b);
	return same;
}

/* What a place is now: the file it will replace, or what is open. */
static bool identify(const struct place *p, struct stat *st)
{
	return p->regular ? stat(p->target, st) == 0 : fstat(p->fd, st) == 0;
}

bool place_same(const struct place *a, const struct place *b)
{
	struct stat x, y;

	if (identify(a, &x) && identify(b, &y))
		return x.st_dev == y.st_dev && x.st_ino == y.st_ino &&
		       (!S_ISCHR(x.st_mode) || a->fd == b->fd);
	return a->regular && b->regular && same_name(a->target, b->target);
}
