/* target.c: files that appear whole, or replace others as a whole. */
#define _GNU_SOURCE  /* O_TMPFILE, statx() */
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "files/path.h"
#include "files/rights.h"
#include "files/target.h"

#ifndef O_TMPFILE
#define O_TMPFILE 0  /* opening a directory for writing fails */
#endif

enum { NAMES_MOST = 100 };  /* temporary names that are tried */

/* Of the targets whose files need a name while they are written, the last: the
   handler of a signal has no argument. */
static struct target *_Atomic named;

/* Refuse for this reason, where no call has failed. */
static bool refuse(struct target *t, int error, const char *why)
{
	errno = error;
	t->why = why;
	return false;
}

#ifdef STATX_ATTR_APPEND  /* musl before 1.2.4 has none, macOS neither */
/* Whether files can only be added to the directory (chattr +a). */
static bool only_grows(int folder)
{
	struct statx more = { 0 };

	statx(folder, "", AT_EMPTY_PATH, 0, &more);  /* may be unknown */
	return more.stx_attributes & STATX_ATTR_APPEND;
}
#else
static bool only_grows(int folder)
{
	(void)folder;
	return false;
}
#endif

/*
 * In a sticky directory such as /tmp only root and the owners of the file and
 * the directory may replace a file; in an append-only one none may.
 */
static bool may_replace(struct target *t, const struct stat *folder)
{
	const uid_t us = geteuid();

	if (faccessat(t->place.folder, t->place.name, W_OK, 0) != 0)
		return false;
	if (only_grows(t->place.folder))
		return refuse(t, EPERM, "cannot be replaced, as its directory "
			      "is append-only");
	if (folder->st_mode & S_ISVTX && us != 0 && us != folder->st_uid &&
	    us != t->is.st_uid)
		return refuse(t, EPERM, "cannot be replaced, as it and its "
			      "sticky directory belong to others");
	return true;
}

/* What gives a file a name; on failure errno is set. */
typedef bool naming(struct target *t, const char *name);

/* Give a file a temporary name in the target's directory; errno: why none. */
static bool name_file(struct target *t, char name[TEMPORARY], naming *use)
{
	struct timespec now;
	bool good = false;

	for (int i = 0; i < NAMES_MOST && !good; i++) {
		/* Names of other processes differ, and of other machines */
		clock_gettime(CLOCK_REALTIME, &now);
		snprintf(name, TEMPORARY, ".posenc-%ld-%lld-%ld",
			 (long)getpid(), (long long)now.tv_sec, now.tv_nsec);
		good = use(t, name);
		if (!good && errno != EEXIST)
			break;
	}
	if (!good)
		name[0] = '\0';
	return good;
}

/* The mode of a new file until it has the permissions of the older one. */
static mode_t first_mode(const struct target *t)
{
	return t->replaces ? 0600 : 0666;
}

/* A nameless file can get a name only by /proc. */
static bool open_nameless(struct target *t)
{
	if (access("/proc/self/fd", X_OK) == 0)
		t->fd = openat(t->place.folder, ".",
			       O_TMPFILE | O_WRONLY | O_CLOEXEC, first_mode(t));
	return t->fd >= 0;
}

static bool create(struct target *t, const char *name)
{
	t->fd = openat(t->place.folder, name,
		       O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, first_mode(t));
	return t->fd >= 0;
}

static bool link_new(struct target *t, const char *name)
{
	return linkat(AT_FDCWD, path_of(t->fd).text, t->place.folder, name,
		      AT_SYMLINK_FOLLOW) == 0;
}

static bool link_older(struct target *t, const char *name)
{
	const int folder = t->place.folder;

	return linkat(folder, t->place.name, folder, name, 0) == 0;
}

/* From before its file exists, a signal removes it. */
static bool open_named(struct target *t)
{
	t->next = named;
	named = t;
	return name_file(t, t->name, create);
}

void target_remove_named(void)
{
	for (struct target *t = named; t; t = t->next)
		unlinkat(t->place.folder, t->name, 0);
}

static void forget_named(struct target *t)
{
	struct target *after = named;

	if (after == t)
		named = t->next;
	for (; after; after = after->next)
		if (after->next == t)
			after->next = t->next;
}

static bool open_new(struct target *t)
{
	if (open_nameless(t) || open_named(t))
		return true;
	if (t->replaces && errno == EACCES)
		t->why = "cannot be replaced, as no new file can be made in "
			 "its directory";
	return false;
}

static bool open_regular(struct target *t, const char *path)
{
	struct stat folder;

	if (!place_open(&t->place, path, &t->is)) {
		t->why = t->place.why;
		return false;
	}
	t->regular = true;
	t->replaces = S_ISREG(t->is.st_mode);
	if (fstat(t->place.folder, &folder) != 0 ||
	    (t->replaces && !may_replace(t, &folder)) || !open_new(t))
		return false;
	t->why = t->replaces ? rights_copy(t->fd, &t->place, &t->is)
			     : rights_new(t->fd, t->place.folder);
	if (!t->replaces)
		t->is = folder;
	return !t->why;
}

/* Write to a descriptor that is open already, of any kind. */
static bool open_descriptor(struct target *t)
{
	if (t->fd != STDOUT_FILENO)
		t->fd = dup(t->fd);
	if (t->fd < 0 || fstat(t->fd, &t->is) != 0)
		return false;
	if (S_ISDIR(t->is.st_mode))
		return refuse(t, EISDIR, NULL);
	return true;
}

/* Write to a pipe or device. */
static bool open_stream(struct target *t, const char *path)
{
	t->fd = open(path, O_WRONLY | O_CLOEXEC);
	if (t->fd < 0 || fstat(t->fd, &t->is) != 0)
		return false;
	/* Somebody has renamed what was there. */
	if (S_ISREG(t->is.st_mode))
		return refuse(t, EBUSY, "became a regular file while it was "
			      "opened");
	return true;
}

/*
 * Ask for a pipe that holds four blocks of a table: reader and writer then wait
 * for each other a seventh as often as with the usual 64 KiB. A user may have
 * no more such pipes; that one works all the same.
 */
static void use_large_pipe(const struct target *t)
{
#ifdef F_SETPIPE_SZ
	enum { PIPE = 1 << 20 };

	if (fcntl(t->fd, F_GETPIPE_SZ) < PIPE)  /* no pipe: both fail */
		fcntl(t->fd, F_SETPIPE_SZ, PIPE);
#else
	(void)t;
#endif
}

bool target_open(struct target *t, const char *path)
{
	bool good;

	*t = (struct target){ .fd = path_descriptor(path),
			      .place.folder = -1 };
	if (t->fd < 0 && (stat(path, &t->is) != 0 || S_ISREG(t->is.st_mode)))
		return open_regular(t, path);
	good = t->fd >= 0 ? open_descriptor(t) : open_stream(t, path);
	if (good)
		use_large_pipe(t);
	return good;
}

/* EINVAL: the file system has no fsync(). */
static bool sync_file(int fd)
{
	int failed;

	do
		failed = fsync(fd);
	while (failed && errno == EINTR);
	return !failed || errno == EINVAL;
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
	t->why = "fsync";
	return sync_file(t->fd);
}

void target_keep(struct target *t)
{
	/* If this fails, the new file will stay. */
	if (t->replaces)
		name_file(t, t->older, link_older);
}

/*
 * A nameless file gets a free name by one call. To replace an older file it
 * needs a temporary name, as only rename() replaces.
 */
bool target_publish(struct target *t)
{
	const struct place *p = &t->place;

	if (!t->regular)
		return true;
	t->why = "link";
	if (!t->name[0] && !t->replaces) {
		t->published = link_new(t, p->name);
		if (t->published || errno != EEXIST)
			return t->published;
	}
	if (!t->name[0] && !name_file(t, t->name, link_new))
		return false;
	t->why = "rename";
	t->published = renameat(p->folder, t->name, p->folder, p->name) == 0;
	return t->published;
}

bool target_sync(struct target *t)
{
	bool good;
	int fd;

	if (!t->sync || !t->regular)
		return true;
	t->why = "cannot sync its directory";
	fd = openat(t->place.folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return false;
	good = sync_file(fd);
	close(fd);
	return good;
}

void target_retract(struct target *t)
{
	const struct place *p = &t->place;

	if (!t->published)
		return;
	if (!t->replaces)
		unlinkat(p->folder, p->name, 0);
	else if (t->older[0])
		renameat(p->folder, t->older, p->folder, p->name);
}

void target_close(struct target *t)
{
	if (t->name[0] && !t->published)
		unlinkat(t->place.folder, t->name, 0);
	if (t->older[0])
		unlinkat(t->place.folder, t->older, 0);
	forget_named(t);
	if (t->fd >= 0 && t->fd != STDOUT_FILENO)
		close(t->fd);
	place_close(&t->place);
	*t = (struct target){ .fd = -1, .place.folder = -1 };
}

bool target_same(const struct target *a, const struct target *b)
{
	if (!same_file(&a->is, &b->is))
		return false;
	if (S_ISDIR(a->is.st_mode))
		return strcmp(a->place.name, b->place.name) == 0;
	return !S_ISCHR(a->is.st_mode) || a->fd == b->fd;
}
