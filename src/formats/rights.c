/* rights.c: who may read and write a file that is made or replaced. */
#include <errno.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/xattr.h>
#endif

#include "formats/rights.h"

enum { ACL_MOST = 4096 };  /* bytes; 500 people and groups */

#ifdef __linux__

static bool has_default_acl(const char *folder)
{
	return getxattr(folder, "system.posix_acl_default", NULL, 0) > 0;
}

/* An access ACL, if there is any. */
static bool copy_acl(int fd, const char *older)
{
	static const char name[] = "system.posix_acl_access";
	char acl[ACL_MOST];
	const ssize_t n = getxattr(older, name, acl, sizeof acl);

	if (n < 0)
		return errno == ENODATA || errno == ENOTSUP;
	return fsetxattr(fd, name, acl, (size_t)n, 0) == 0;
}

#else

static bool has_default_acl(const char *folder)
{
	(void)folder;
	return false;
}

static bool copy_acl(int fd, const char *older)
{
	(void)fd;
	(void)older;
	return true;
}

#endif

bool rights_of_new(int fd, const char *folder)
{
	mode_t mask;

	if (has_default_acl(folder))
		return true;
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

bool rights_of_older(int fd, const char *older, const struct stat *is)
{
	mode_t mode = is->st_mode & 0777;

	/* Only root may give a file away; one's own groups anybody may give. */
	if (fchown(fd, is->st_uid, is->st_gid) != 0) {
		if (errno != EPERM)
			return false;
		if (fchown(fd, (uid_t)-1, is->st_gid) != 0)
			mode = for_strangers(mode);
	}
	if (fchmod(fd, mode) != 0)
		return false;
	return copy_acl(fd, older) || fchmod(fd, for_strangers(mode)) == 0;
}
