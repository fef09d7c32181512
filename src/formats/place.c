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
#include "formats/rights.h"

#ifndef O_TMPFILE
#define O_TMPFILE 0  /* opening a folder to write fails: a named file then */
#endif

/* A name that is not needed any more: its file is gone, or has another. */
static void drop_name(struct spare *s)
{
	guard_end(&s->guard);
	free(s->path);
	s->path = NULL;
}

/*
 * Try names in the folder of the target until use() takes one. They are short,
 * so that any target may be long. false: errno says why.
 */
static bool take_name(struct place *p, struct spare *s,
		      bool (*use)(struct place *p, const char *name))
{
	int why = EEXIST;

	for (int i = 0; i < 100 && why == EEXIST; i++) {
		char name[60];

		snprintf(name, sizeof name, ".posenc-%ld-%d-%d",
			 (long)getpid(), 2 * p->fd + (s == &p->older), i);
		s->path = path_beside(p->target, name);
		if (!s->path)
			return false;
		guard_begin(&s->guard, s->path);
		if (use(p, s->path))
			return true;
		why = errno;
		drop_name(s);
	}
	errno = why;
	return false;
}

/* Until it has the rights of an older file, nobody else has any. */
static mode_t first_mode(const struct place *p)
{
	return p->replaces ? 0600 : 0666;
}

static bool create(struct place *p, const char *name)
{
	p->fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
		     first_mode(p));
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

/* A nameless file can be named later only by way of /proc. */
static int open_nameless(const struct place *p, const char *folder)
{
	return access("/proc/self/fd", X_OK) == 0
		? open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC,
		       first_mode(p)) : -1;
}

static bool refuse(int why)
{
	errno = why;
	return false;
}

/*
 * In a sticky folder, /tmp for one, a file gives way to its owner, the
 * folder's and root alone; in one that only grows (chattr +a), to nobody.
 */
static bool gives_way(const struct place *p, const char *folder,
		      const struct stat *is)
{
	const uid_t us = geteuid();
	struct statx more = { 0 };

	statx(AT_FDCWD, folder, 0, 0, &more);  /* a kernel may not know it */
	if (more.stx_attributes & STATX_ATTR_APPEND)
		return refuse(EPERM);
	if (is->st_mode & S_ISVTX && us != 0 && us != is->st_uid &&
	    us != p->is.st_uid)
		return refuse(EPERM);
	return true;
}

static bool open_beside(struct place *p, const char *folder)
{
	struct stat in;

	if (stat(folder, &in) != 0 ||
	    (p->replaces && !gives_way(p, folder, &in)))
		return false;
	if (!p->replaces)
		p->is = in;
	p->fd = open_nameless(p, folder);
	p->regular = true;
	if (p->fd < 0 && !take_name(p, &p->temporary, create))
		return false;
	return p->replaces ? rights_of_older(p->fd, p->target, &p->is)
			   : rights_of_new(p->fd, folder);
}

static bool open_regular(struct place *p, const char *path)
{
	char *folder;
	bool good;

	p->target = path_resolve(path);
	folder = p->target ? path_beside(p->target, ".") : NULL;
	good = folder && open_beside(p, folder);
	free(folder);
	return good;
}

/* What is open is written where it stands, whatever it is. */
static bool open_again(struct place *p)
{
	if (p->fd != STDOUT_FILENO)
		p->fd = dup(p->fd);
	if (p->fd < 0 || fstat(p->fd, &p->is) != 0)
		return false;
	if (S_ISDIR(p->is.st_mode))
		return refuse(EISDIR);
	return true;
}

bool place_open(struct place *p, const char *path)
{
	const size_t n = strlen(path);

	*p = (struct place){ .fd = path_descriptor(path) };
	if (p->fd >= 0)
		return open_again(p);
	if (stat(path, &p->is) != 0) {
		if (errno != ENOENT || !n)
			return false;
		return path[n - 1] == '/' ? refuse(EISDIR)
					  : open_regular(p, path);
	}
	if (S_ISDIR(p->is.st_mode))
		return refuse(EISDIR);
	p->replaces = S_ISREG(p->is.st_mode);
	if (p->replaces)
		return access(path, W_OK) == 0 && open_regular(p, path);
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

void place_keep(struct place *p)
{
	/* Where this cannot be done, the new one will stay. */
	if (p->replaces)
		take_name(p, &p->older, link_old);
}

/*
 * A nameless file takes a free name in one step. No call gives it a name that
 * is taken, so there it has a second one for an instant.
 */
bool place_publish(struct place *p)
{
	if (!p->regular)
		return true;
	if (!p->temporary.path && !p->replaces) {
		p->published = link_new(p, p->target);
		if (p->published || errno != EEXIST)
			return p->published;
	}
	if (!p->temporary.path && !take_name(p, &p->temporary, link_new))
		return false;
	p->published = rename(p->temporary.path, p->target) == 0;
	return p->published;
}

void place_retract(struct place *p)
{
	if (!p->published)
		return;
	if (!p->replaces)
		unlink(p->target);
	else if (p->older.path)
		rename(p->older.path, p->target);
}

void place_close(struct place *p)
{
	if (p->temporary.path && !p->published)
		unlink(p->temporary.path);
	if (p->older.path)
		unlink(p->older.path);
	drop_name(&p->temporary);
	drop_name(&p->older);
	if (p->fd >= 0 && p->fd != STDOUT_FILENO)
		close(p->fd);
	free(p->target);
	*p = (struct place){ .fd = -1 };
}

bool place_same(const struct place *a, const struct place *b)
{
	if (a->is.st_dev != b->is.st_dev || a->is.st_ino != b->is.st_ino)
		return false;
	if (S_ISDIR(a->is.st_mode))
		return path_same_base(a->target, b->target);
	return !S_ISCHR(a->is.st_mode) || a->fd == b->fd;
}
