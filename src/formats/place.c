/* place.c: where a file lands. */
#define _GNU_SOURCE  /* O_TMPFILE */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formats/path.h"
#include "formats/place.h"

#ifndef O_TMPFILE
#define O_TMPFILE 0  /* opening a folder to write fails: a named file then */
#endif

/*
 * Try names in the folder of the target until use() takes one: that name, to
 * be freed. They are short, so that any target may be long. NULL: errno says
 * why.
 */
static char *take_name(struct place *p,
		       bool (*use)(struct place *p, const char *name))
{
	for (int i = 0; i < 1000; i++) {
		char name[60], *path;

		snprintf(name, sizeof name, ".posenc-%ld-%d-%d",
			 (long)getpid(), p->fd, i);
		path = path_beside(p->target, name);
		if (!path || use(p, path))
			return path;
		free(path);
		if (errno != EEXIST)
			return NULL;
	}
	return NULL;
}

static bool create(struct place *p, const char *name)
{
	guard_begin(&p->guard, name);
	p->fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (p->fd < 0) {
		const int why = errno;

		guard_end(&p->guard);
		errno = why;
	}
	return p->fd >= 0;
}

static bool link_new(struct place *p, const char *name)
{
	char self[40];

	snprintf(self, sizeof self, "/proc/self/fd/%d", p->fd);
	return linkat(AT_FDCWD, self, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0;
}

static bool link_old(struct place *p, const char *name)
{
	return link(p->target, name) == 0;
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
	return fchmod(fd, old->st_mode & 0777) == 0;
}

static bool open_regular(struct place *p, const char *path,
			 const struct stat *old)
{
	char *here;

	p->target = path_resolve(path);
	if (!p->target)
		return false;
	p->regular = true;
	p->replaces = old;
	here = path_beside(p->target, ".");
	if (!here)
		return false;
	/* A nameless file can be named later only by way of /proc. */
	p->fd = access("/proc/self/fd", X_OK) == 0
		? open(here, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600) : -1;
	free(here);
	if (p->fd < 0 && !(p->temporary = take_name(p, create)))
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

	*p = (struct place){ .fd = path_descriptor(path) };
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

bool place_finish(struct place *p)
{
	int failed;

	if (!p->regular) {
		/* A file system far away may tell only now what went wrong. */
		failed = close(p->fd);
		p->fd = -1;
		return !failed || errno == EINTR;
	}
	do
		failed = fsync(p->fd);
	while (failed && errno == EINTR);
	return !failed || errno == EINVAL;
}

bool place_prepare(struct place *p, bool keep)
{
	if (!p->regular)
		return true;
	if (!p->temporary && !(p->temporary = take_name(p, link_new)))
		return false;
	/* Where this cannot be done, the new one will stay. */
	if (keep && p->replaces)
		p->older = take_name(p, link_old);
	return true;
}

bool place_publish(struct place *p)
{
	if (!p->regular)
		return true;
	p->published = rename(p->temporary, p->target) == 0;
	return p->published;
}

void place_retract(struct place *p)
{
	if (!p->published)
		return;
	if (!p->replaces)
		unlink(p->target);
	else if (p->older)
		rename(p->older, p->target);
}

void place_close(struct place *p)
{
	if (p->temporary && !p->published)
		unlink(p->temporary);
	if (p->older)
		unlink(p->older);
	guard_end(&p->guard);
	if (p->fd >= 0 && p->fd != STDOUT_FILENO)
		close(p->fd);
	free(p->temporary);
	free(p->target);
	free(p->older);
	*p = (struct place){ .fd = -1 };
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
	return a->regular && b->regular && path_same(a->target, b->target);
}
