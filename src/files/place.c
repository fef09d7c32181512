/* place.c: follows a path to the directory and the name where it ends. */
#define _GNU_SOURCE  /* O_PATH */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "files/path.h"
#include "files/place.h"

#ifndef O_PATH
#define O_PATH O_RDONLY
#endif

static bool fail_with(int why)
{
	errno = why;
	return false;
}

/* Open the directory part of at, relative to the last one; keep the name. */
static bool enter(struct place *p, char at[PATH_MAX])
{
	char *name = at + path_folder_length(at);
	const size_t n = strlen(name);
	int folder;

	if (!n)
		return fail_with(at[0] ? EISDIR : ENOENT);
	if (n > NAME_MAX)
		return fail_with(ENAMETOOLONG);
	memcpy(p->name, name, n + 1);
	*name = '\0';
	folder = openat(p->folder, at[0] ? at : ".",
			O_PATH | O_DIRECTORY | O_CLOEXEC);
	place_close(p);
	p->folder = folder;
	return folder >= 0;
}

/*
 * Whether to follow the link. Where all may write to a sticky directory,
 * somebody else's link could lead to any file of ours. Linux can refuse the
 * same (fs.protected_symlinks), but does not see who follows a link here.
 */
static bool is_trusted(struct place *p, const struct stat *link)
{
	const mode_t shared = S_ISVTX | S_IWOTH;
	struct stat in;

	if (fstat(p->folder, &in) != 0)
		return false;
	if ((in.st_mode & shared) == shared && link->st_uid != in.st_uid &&
	    link->st_uid != geteuid()) {
		p->why = "not followed, as it is somebody else's symbolic link "
			 "in a sticky directory";
		return fail_with(EACCES);
	}
	return true;
}

/* Replace at by what the link contains. */
static bool read_link(struct place *p, char at[PATH_MAX])
{
	const ssize_t n = readlinkat(p->folder, p->name, at, PATH_MAX - 1);

	if (n < 0) {
		p->why = "readlink";
		return false;
	}
	at[n] = '\0';
	return true;
}

bool place_open(struct place *p, const char *path, struct stat *is)
{
	char at[PATH_MAX];

	*p = (struct place){ .folder = AT_FDCWD };
	if (!path_copy(at, path))
		return false;
	for (int links = 0; links <= LINKS_MOST; links++) {
		if (!enter(p, at))
			return false;
		if (fstatat(p->folder, p->name, is, AT_SYMLINK_NOFOLLOW) != 0) {
			is->st_mode = 0;
			return errno == ENOENT;
		}
		if (!S_ISLNK(is->st_mode))
			return true;
		if (!is_trusted(p, is) || !read_link(p, at))
			return false;
	}
	return fail_with(ELOOP);
}

void place_close(struct place *p)
{
	if (p->folder >= 0)
		close(p->folder);
	p->folder = -1;
}
