/* rights.c: permissions, ACL and attributes, also of replaced files. */
#define _GNU_SOURCE  /* O_PATH */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/xattr.h>
#endif

#include "files/rights.h"

enum { ACL_MOST = 4096 };  /* bytes; 500 users and groups */

/* The result of copying an ACL. */
enum acl { ACL_NONE, ACL_COPIED, ACL_LOST, ACL_FAILED };

#ifdef __linux__

/* The file or folder open as fd, also by O_PATH, as a path. */
struct name {
	char path[40];
};

static struct name name_of(int fd)
{
	struct name s;

	snprintf(s.path, sizeof s.path, "/proc/self/fd/%d", fd);
	return s;
}

static bool has_default_acl(int folder)
{
	return getxattr(name_of(folder).path, "system.posix_acl_default", NULL,
			0) > 0;
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

/* Copy the ACL of the older file, if it still has its name. */
static enum acl copy_extended(int fd, const struct place *p,
			      const struct stat *is, bool may)
{
	const int older = openat(p->folder, p->name,
				 O_PATH | O_NOFOLLOW | O_CLOEXEC);
	enum acl result = ACL_LOST;
	struct stat now;

	if (older < 0)
		return ACL_LOST;
	if (fstat(older, &now) == 0 &&
	    ((now.st_dev ^ is->st_dev) | (now.st_ino ^ is->st_ino)) == 0)
		result = copy_acl(fd, name_of(older).path, may);
	close(older);
	return result;
}

#else

static bool has_default_acl(int folder)
{
	(void)folder;
	return false;
}

static enum acl copy_extended(int fd, const struct place *p,
			      const struct stat *is, bool may)
{
	(void)fd;
	(void)p;
	(void)is;
	(void)may;
	return ACL_NONE;
}

#endif

const char *rights_new(int fd, int folder)
{
	struct stat is;
	mode_t mask;

	if (has_default_acl(folder))
		return NULL;
	if (fstat(fd, &is) != 0)
		return "fstat";
	/* Some file systems don't apply umask to files without a name. */
	mask = umask(0);
	umask(mask);
	return fchmod(fd, is.st_mode & 0666 & ~mask) == 0 ? NULL : "fchmod";
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

const char *rights_copy(int fd, const struct place *p, const struct stat *is)
{
	mode_t mode = is->st_mode & 0777;
	bool group;

	if (!adopt_owner(fd, is, &group))
		return "fchown";
	switch (copy_extended(fd, p, is, group)) {
	case ACL_COPIED:
		return NULL;
	case ACL_NONE:
		mode = group ? mode : mode_for_others(mode);
		break;
	case ACL_LOST:
		mode &= 0700;
		break;
	case ACL_FAILED:
	default:
		return "fremovexattr";
	}
	return fchmod(fd, mode) == 0 ? NULL : "fchmod";
}
