/* temporary.c: temporary names, and what removes them after a kill. */
#define _GNU_SOURCE  /* flock() */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "files/path.h"
#include "files/temporary.h"

enum {
	NAMES_MOST = 100,
	KEPT_MOST = 16,  /* names in succession that are no leftovers */
};

/* The temporary name of a locked file: "new" or "old", and an index. */
#define LOCKED_NAME ".posenc-%s-%d"

/* What gives a file its temporary name; on failure errno is set. */
typedef bool naming(struct target *t, const char *name);

void temporary_drop(struct temporary *s)
{
	guard_end(&s->guard);
	s->name[0] = '\0';
}

/*
 * Try short names in the target's directory until use() succeeds; errno says
 * why none does. A file that isn't locked has a guard, and a name that no other
 * process takes, also of another machine or container.
 */
static bool try_names(struct target *t, struct temporary *s, naming *use,
		      bool locked)
{
	const char *kind = s == &t->older ? "old" : "new";
	struct timespec now;
	int why = EEXIST;

	clock_gettime(CLOCK_REALTIME, &now);
	for (int i = 0; i < NAMES_MOST && why == EEXIST; i++) {
		if (locked)
			snprintf(s->name, sizeof s->name, LOCKED_NAME, kind, i);
		else
			snprintf(s->name, sizeof s->name,
				 ".posenc-%ld-%09ld-%s-%d", (long)getpid(),
				 now.tv_nsec, kind, i);
		if (!locked)
			guard_begin(&s->guard, t->place.folder, s->name);
		if (use(t, s->name))
			return true;
		why = errno;
		temporary_drop(s);
	}
	errno = why;
	return false;
}

/* Whether fd is a regular file that still has this name. */
static bool is_named(int fd, int folder, const char *name)
{
	struct stat is, named;

	return fstat(fd, &is) == 0 && S_ISREG(is.st_mode) &&
	       fstatat(folder, name, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
	       same_file(&is, &named);
}

/* Remove a file that a killed run has left, which no process locks. */
static bool remove_leftover(int folder, const char *name)
{
	const int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK |
			      O_CLOEXEC);
	bool removed;

	if (fd < 0)
		return false;
	removed = flock(fd, LOCK_EX | LOCK_NB) == 0 &&
		  is_named(fd, folder, name) && unlinkat(folder, name, 0) == 0;
	close(fd);
	return removed;
}

/*
 * The same for all names of a kind in the target's directory: 0, 1, ... Of runs
 * at the same time some end well, so that names before a leftover are free.
 */
static void remove_leftovers(const struct target *t, const char *kind)
{
	int kept = 0;

	for (int i = 0; i < NAMES_MOST && kept < KEPT_MOST; i++) {
		char name[60];

		snprintf(name, sizeof name, LOCKED_NAME, kind, i);
		kept = remove_leftover(t->place.folder, name) ? 0 : kept + 1;
	}
}

/* Lock the file to name: the new one, or the older one, opened here. */
static bool lock_file(struct target *t, const struct temporary *s)
{
	if (s == &t->older)
		t->lock = openat(t->place.folder, t->place.name, O_RDONLY |
				 O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	return flock(s == &t->older ? t->lock : t->fd, LOCK_EX | LOCK_NB) == 0;
}

/*
 * Give a complete file a temporary name. If this process is killed, its lock is
 * gone, and the next run that replaces a file in the directory removes the
 * name. If the file can't be locked, a guard does.
 */
static bool name_file(struct target *t, struct temporary *s, naming *use)
{
	remove_leftovers(t, "new");
	remove_leftovers(t, "old");
	if (lock_file(t, s) &&
	    (try_names(t, s, use, true) || errno != EEXIST))
		return s->name[0];
	return try_names(t, s, use, false);
}

mode_t temporary_mode(const struct target *t)
{
	return t->replaces ? 0600 : 0666;
}

static bool create(struct target *t, const char *name)
{
	t->fd = openat(t->place.folder, name,
		       O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
		       temporary_mode(t));
	return t->fd >= 0;
}

static bool link_new(struct target *t, const char *name)
{
	return temporary_link(t, name);
}

static bool link_older(struct target *t, const char *name)
{
	return linkat(t->place.folder, t->place.name, t->place.folder, name,
		      0) == 0;
}

bool temporary_create(struct target *t)
{
	return try_names(t, &t->temporary, create, false);
}

bool temporary_link_new(struct target *t)
{
	return name_file(t, &t->temporary, link_new);
}

bool temporary_link_older(struct target *t)
{
	return name_file(t, &t->older, link_older);
}

bool temporary_link(const struct target *t, const char *name)
{
	return linkat(AT_FDCWD, path_of(t->fd).text, t->place.folder, name,
		      AT_SYMLINK_FOLLOW) == 0;
}
