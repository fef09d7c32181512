/* target.c: replaces files atomically, and keeps their permissions. */
#define _GNU_SOURCE  /* O_TMPFILE */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/xattr.h>
#endif

#include "files/output.h"
#include "files/path.h"

/*
 * Remove the file when the parent has ended. Signals are blocked, and signals
 * to the parent's process group do not reach this process.
 */
static void guard_run(int fd, const char *path)
{
	char none;

	setsid();
	if (read(fd, &none, 1) == 0)
		unlink(path);
	_exit(0);
}

/* Start a process that removes path, if it then exists, when this one ends. */
static void guard_begin(struct guard *g, const char *path)
{
	sigset_t all, before;
	int ends[2];

	*g = (struct guard){ 0 };
	if (pipe(ends) != 0)
		return;
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	g->pid = fork();
	if (g->pid == 0) {
		close(ends[1]);
		guard_run(ends[0], path);
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	close(ends[0]);
	g->fd = ends[1];
	if (g->pid < 0) {
		/* Without a guard a kill leaves the file; all else works. */
		close(g->fd);
		g->pid = 0;
	}
}

/* End the guard, which removes nothing. */
static void guard_end(struct guard *g)
{
	if (!g->pid)
		return;
	kill(g->pid, SIGKILL);
	waitpid(g->pid, NULL, 0);
	close(g->fd);
	g->pid = 0;
}

enum { ACL_MOST = 4096 };  /* bytes; 500 users and groups */

/* The result of copying an ACL. */
enum acl { ACL_NONE, ACL_COPIED, ACL_LOST, ACL_FAILED };

#ifdef __linux__

static bool has_default_acl(const char *folder)
{
	return getxattr(folder, "system.posix_acl_default", NULL, 0) > 0;
}

static bool no_acl(void)
{
	return errno == ENODATA || errno == ENOTSUP;
}

/*
 * Remove the ACL that the directory's default gave, then copy the older file's
 * if allowed.
 */
static enum acl copy_acl(int fd, const char *older, bool may)
{
	static const char name[] = "system.posix_acl_access";
	char acl[ACL_MOST];
	ssize_t n;

	if (fremovexattr(fd, name) != 0 && !no_acl())
		return ACL_FAILED;
	n = getxattr(older, name, acl, sizeof acl);
	if (n < 0 && no_acl())
		return ACL_NONE;
	return may && n > 0 && fsetxattr(fd, name, acl, (size_t)n, 0) == 0
		? ACL_COPIED : ACL_LOST;
}

#else

static bool has_default_acl(const char *folder)
{
	(void)folder;
	return false;
}

static enum acl copy_acl(int fd, const char *older, bool may)
{
	(void)fd;
	(void)older;
	(void)may;
	return ACL_NONE;
}

#endif

/*
 * Give the file open as fd, created with mode 0666, the permissions of any new
 * file in the directory: by umask, or by the directory's default ACL.
 */
static bool set_permissions(int fd, const char *folder)
{
	mode_t mask;

	if (has_default_acl(folder))
		return true;
	/* Some file systems don't apply umask to files without a name. */
	mask = umask(0);
	umask(mask);
	return fchmod(fd, 0666 & ~mask) == 0;
}

/* The mode for another group: what both the older group and others may. */
static mode_t mode_for_others(mode_t mode)
{
	const mode_t both = mode & mode >> 3 & 07;

	return (mode & 0700) | both << 3 | both;
}

/* Only root may change the owner. EINVAL: a container does not know it. */
static bool adopt_owner(int fd, const struct stat *is, bool *group)
{
	*group = fchown(fd, is->st_uid, is->st_gid) == 0;
	if (*group)
		return true;
	if (errno != EPERM && errno != EINVAL)
		return false;
	*group = fchown(fd, (uid_t)-1, is->st_gid) == 0;
	return true;
}

/*
 * Give the file open as fd, created with mode 0600, the owner, mode and access
 * ACL of the older file *is, or fewer permissions, never more; errno is set.
 */
static bool copy_permissions(int fd, const char *older, const struct stat *is)
{
	const mode_t mode = is->st_mode & 0777;
	bool group;

	if (!adopt_owner(fd, is, &group))
		return false;
	switch (copy_acl(fd, older, group)) {
	case ACL_COPIED:
		return true;
	case ACL_NONE:
		return fchmod(fd, group ? mode : mode_for_others(mode)) == 0;
	case ACL_LOST:
		return fchmod(fd, mode & 0700) == 0;
	case ACL_FAILED:
	default:
		return false;
	}
}

enum { NAMES_MOST = 100 };

/* The temporary name of a locked file: "new" or "old", and an index. */
#define LOCKED_NAME ".posenc-%s-%d"

#ifndef O_TMPFILE
#define O_TMPFILE 0  /* opening a directory for writing fails */
#endif

/* Forget a name: the file was removed or renamed. */
static void drop_name(struct temporary_name *s)
{
	guard_end(&s->guard);
	free(s->path);
	s->path = NULL;
}

/*
 * Try short names in the target's directory until use() succeeds; errno says
 * why none does. A file that isn't locked has a guard.
 */
static bool try_names(struct target *t, struct temporary_name *s,
		      bool (*use)(struct target *t, const char *name),
		      bool locked)
{
	const char *kind = s == &t->older ? "old" : "new";
	int why = EEXIST;

	for (int i = 0; i < NAMES_MOST && why == EEXIST; i++) {
		char name[60];

		if (locked)
			snprintf(name, sizeof name, LOCKED_NAME, kind, i);
		else
			snprintf(name, sizeof name, ".posenc-%ld-%d-%s-%d",
				 (long)getpid(), t->fd, kind, i);
		s->path = path_beside(t->path, name);
		if (!s->path)
			return false;
		if (!locked)
			guard_begin(&s->guard, s->path);
		if (use(t, s->path))
			return true;
		why = errno;
		drop_name(s);
	}
	errno = why;
	return false;
}

/* Whether fd is a regular file that still has this name. */
static bool is_named(int fd, const char *name)
{
	struct stat is, named;

	return fstat(fd, &is) == 0 && S_ISREG(is.st_mode) &&
	       lstat(name, &named) == 0 &&
	       ((is.st_dev ^ named.st_dev) | (is.st_ino ^ named.st_ino)) == 0;
}

/* Remove a file that a killed run has left, which no process locks. */
static bool remove_leftover(const char *name)
{
	const int fd = open(name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK |
			    O_CLOEXEC);
	bool removed;

	if (fd < 0)
		return false;
	removed = flock(fd, LOCK_EX | LOCK_NB) == 0 && is_named(fd, name) &&
		  unlink(name) == 0;
	close(fd);
	return removed;
}

/* The same for all names of a kind in the target's directory: 0, 1, ... */
static void remove_leftovers(const struct target *t, const char *kind)
{
	bool removed = true;

	for (int i = 0; i < NAMES_MOST && removed; i++) {
		char name[60], *path;

		snprintf(name, sizeof name, LOCKED_NAME, kind, i);
		path = path_beside(t->path, name);
		removed = path && remove_leftover(path);
		free(path);
	}
}

/* Lock the file to name: the new one, or the older one, opened here. */
static bool lock_file(struct target *t, const struct temporary_name *s)
{
	if (s == &t->older)
		t->lock = open(t->path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	return flock(s == &t->older ? t->lock : t->fd, LOCK_EX | LOCK_NB) == 0;
}

/*
 * Give a complete file a temporary name. If this process is killed, its lock is
 * gone, and the next run that replaces a file in the directory removes the
 * name. If the file can't be locked, a guard does.
 */
static bool name_file(struct target *t, struct temporary_name *s,
		      bool (*use)(struct target *t, const char *name))
{
	remove_leftovers(t, "new");
	remove_leftovers(t, "old");
	if (lock_file(t, s) &&
	    (try_names(t, s, use, true) || errno != EEXIST))
		return s->path;
	return try_names(t, s, use, false);
}

/* Only for its owner, until it has the permissions of the older file. */
static mode_t first_mode(const struct target *t)
{
	return t->replaces ? 0600 : 0666;
}

static bool create(struct target *t, const char *name)
{
	t->fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
		     first_mode(t));
	return t->fd >= 0;
}

static bool link_new(struct target *t, const char *name)
{
	char self[40];

	snprintf(self, sizeof self, "/proc/self/fd/%d", t->fd);
	return linkat(AT_FDCWD, self, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0;
}

static bool link_old(struct target *t, const char *name)
{
	return link(t->path, name) == 0;
}

/* A nameless file can get a name only by /proc. */
static int open_nameless(const struct target *t, const char *folder)
{
	return access("/proc/self/fd", X_OK) == 0
		? open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC,
		       first_mode(t)) : -1;
}

static bool fail_with(int why)
{
	errno = why;
	return false;
}

/*
 * In a sticky directory such as /tmp only root and the owners of the file and
 * the directory may replace a file; in an append-only one (chattr +a) none may.
 */
static bool may_replace(const struct target *t, const char *folder,
			const struct stat *is)
{
	const uid_t us = geteuid();
#ifdef STATX_ATTR_APPEND  /* musl before 1.2.4 has none, macOS neither */
	struct statx more = { 0 };

	statx(AT_FDCWD, folder, 0, 0, &more);  /* may be unknown */
	if (more.stx_attributes & STATX_ATTR_APPEND)
		return fail_with(EPERM);
#else
	(void)folder;
#endif
	if (is->st_mode & S_ISVTX && us != 0 && us != is->st_uid &&
	    us != t->is.st_uid)
		return fail_with(EPERM);
	return true;
}

static bool open_beside(struct target *t, const char *folder)
{
	struct stat in;

	if (stat(folder, &in) != 0 ||
	    (t->replaces && !may_replace(t, folder, &in)))
		return false;
	if (!t->replaces)
		t->is = in;
	t->fd = open_nameless(t, folder);
	t->regular = true;
	if (t->fd < 0 && !try_names(t, &t->temporary, create, false))
		return false;
	return t->replaces ? copy_permissions(t->fd, t->path, &t->is)
			   : set_permissions(t->fd, folder);
}

static bool open_regular(struct target *t, const char *path)
{
	char *folder;
	bool good;

	t->path = path_resolve(path);
	folder = t->path ? path_beside(t->path, ".") : NULL;
	good = folder && open_beside(t, folder);
	free(folder);
	return good;
}

/* Write to a descriptor that is open already, of any kind. */
static bool open_descriptor(struct target *t)
{
	if (t->fd != STDOUT_FILENO)
		t->fd = dup(t->fd);
	if (t->fd < 0 || fstat(t->fd, &t->is) != 0)
		return false;
	if (S_ISDIR(t->is.st_mode))
		return fail_with(EISDIR);
	return true;
}

bool target_open(struct target *t, const char *path)
{
	const size_t n = strlen(path);

	*t = (struct target){ .fd = path_descriptor(path) };
	if (t->fd >= 0)
		return open_descriptor(t);
	if (stat(path, &t->is) != 0) {
		if (errno != ENOENT || !n)
			return false;
		return path[n - 1] == '/' ? fail_with(EISDIR)
					  : open_regular(t, path);
	}
	if (S_ISDIR(t->is.st_mode))
		return fail_with(EISDIR);
	t->replaces = S_ISREG(t->is.st_mode);
	if (t->replaces)
		return access(path, W_OK) == 0 && open_regular(t, path);
	t->fd = open(path, O_WRONLY | O_CLOEXEC);
	return t->fd >= 0;
}

bool target_finish(struct target *t)
{
	int failed;

	if (!t->regular) {
		/* A network file system may report errors only here. */
		failed = close(t->fd);
		t->fd = -1;
		return !failed || errno == EINTR;
	}
	do
		failed = fsync(t->fd);
	while (failed && errno == EINTR);
	return !failed || errno == EINVAL;
}

void target_keep(struct target *t)
{
	/* If this fails, the new file will stay. */
	if (t->replaces)
		name_file(t, &t->older, link_old);
}

/*
 * A nameless file gets a free name by one call. To replace an older file it
 * needs a temporary name, as only rename() replaces.
 */
bool target_publish(struct target *t)
{
	if (!t->regular)
		return true;
	if (!t->temporary.path && !t->replaces) {
		t->published = link_new(t, t->path);
		if (t->published || errno != EEXIST)
			return t->published;
	}
	if (!t->temporary.path && !name_file(t, &t->temporary, link_new))
		return false;
	t->published = rename(t->temporary.path, t->path) == 0;
	return t->published;
}

void target_retract(struct target *t)
{
	if (!t->published)
		return;
	if (!t->replaces)
		unlink(t->path);
	else if (t->older.path)
		rename(t->older.path, t->path);
}

void target_close(struct target *t)
{
	if (t->temporary.path && !t->published)
		unlink(t->temporary.path);
	if (t->older.path)
		unlink(t->older.path);
	drop_name(&t->temporary);
	drop_name(&t->older);
	if (t->lock > 0)
		close(t->lock);
	if (t->fd >= 0 && t->fd != STDOUT_FILENO)
		close(t->fd);
	free(t->path);
	*t = (struct target){ .fd = -1 };
}

bool target_same(const struct target *a, const struct target *b)
{
	if (a->is.st_dev != b->is.st_dev || a->is.st_ino != b->is.st_ino)
		return false;
	if (S_ISDIR(a->is.st_mode))
		return path_same_base(a->path, b->path);
	return !S_ISCHR(a->is.st_mode) || a->fd == b->fd;
}
