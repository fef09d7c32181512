/* rights.c: who may read and write a file that is made or replaced. */
#include <errno.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/xattr.h>
#endif

#include "formats/rights.h"

enum { ACL_MOST = 4096 };  /* bytes; 500 people and groups */

/* What became of an older file's ACL. */
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

/* Copied where it may; what the folder's default gave the file goes first. */
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

bool rights_of_new(int fd, const char *folder)
{
	mode_t mask;

	if (has_default_acl(folder))
		return true;
	/* Once more, as some systems forget it for files without a name. */
	mask = umask(0);
	umask(mask);
	return fchmod(fd, 0666 & ~mask) == 0;
}

/* For another group: what its own and all others were allowed. */
static mode_t for_strangers(mode_t mode)
{
	const mode_t both = mode & mode >> 3 & 07;

	return (mode & 0700) | both << 3 | both;
}

/*
 * Only root may give a file away; to one's own groups anybody may. EINVAL is
 * for owners that a container does not know.
 */
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

bool rights_of_older(int fd, const char *older, const struct stat *is)
{
	const mode_t mode = is->st_mode & 0777;
	bool group;

	if (!adopt_owner(fd, is, &group))
		return false;
	switch (copy_acl(fd, older, group)) {
	case ACL_COPIED:
		return true;
	case ACL_NONE:
		return fchmod(fd, group ? mode : for_strangers(mode)) == 0;
	case ACL_LOST:
		return fchmod(fd, mode & 0700) == 0;
	case ACL_FAILED:
	default:
		return false;
	}
}
