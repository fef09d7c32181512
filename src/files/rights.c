/* rights.c: permissions, ACL and attributes, also of replaced files. */
#define _GNU_SOURCE  /* O_PATH */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef __linux__
#include <linux/limits.h>
#include <sys/xattr.h>
#endif

#include "files/path.h"
#include "files/rights.h"

enum { ACL_MOST = 4096 };  /* bytes; 500 users and groups */

/* The result of copying an ACL. */
enum acl { ACL_NONE, ACL_COPIED, ACL_LOST };

#ifdef __linux__

static bool has_default_acl(int folder)
{
	return getxattr(path_of(folder).text, "system.posix_acl_default", NULL,
			0) > 0;
}

/*
 * Copy the attributes of users, where that is allowed, by way of value. Others
 * are about the older content, as capabilities are, or the system's to give.
 */
static void copy_named(int fd, const char *older, const char *names,
		       const char *end, char *value)
{
	for (; names < end; names += strlen(names) + 1) {
		const ssize_t n = strncmp(names, "user.", 5) != 0 ? -1
			: getxattr(older, names, value, XATTR_SIZE_MAX);

		if (n >= 0)
			fsetxattr(fd, names, value, (size_t)n, 0);
	}
}

/* Copy the extended attributes. NULL, or the call that failed. */
static const char *copy_attributes(int fd, const char *older)
{
	char *names;
	ssize_t n;

	if (listxattr(older, NULL, 0) <= 0)
		return NULL;
	names = malloc(XATTR_LIST_MAX + XATTR_SIZE_MAX);
	if (!names)
		return "listxattr";
	n = listxattr(older, names, XATTR_LIST_MAX);
	if (n > 0)
		copy_named(fd, older, names, names + n, names + XATTR_LIST_MAX);
	free(names);
	return NULL;
}

static bool no_acl(void)
{
	return errno == ENODATA || errno == ENOTSUP;
}

/*
 * Remove the ACL that the directory's default gave, then copy the older file's
 * if allowed. NULL, or the call that failed.
 */
static const char *copy_acl(int fd, const char *older, bool may,
			    enum acl *result)
{
	static const char name[] = "system.posix_acl_access";
	char acl[ACL_MOST];
	ssize_t n;

	if (fremovexattr(fd, name) != 0 && !no_acl())
		return "fremovexattr";
	n = getxattr(older, name, acl, sizeof acl);
	if (n < 0 && no_acl())
		*result = ACL_NONE;
	else if (may && n > 0 && fsetxattr(fd, name, acl, (size_t)n, 0) == 0)
		*result = ACL_COPIED;
	return NULL;
}

/*
 * Copy ACL and attributes of the older file, if it still has its name. NULL, or
 * the call that failed.
 */
static const char *copy_extended(int fd, const struct place *p,
				 const struct stat *is, bool may,
				 enum acl *result)
{
	const int older = openat(p->folder, p->name,
				 O_PATH | O_NOFOLLOW | O_CLOEXEC);
	const char *why = NULL;
	struct stat now;

	*result = ACL_LOST;
	if (older < 0)
		return NULL;
	if (fstat(older, &now) == 0 &&
	    same_file(&now, is)) {
		const struct descriptor_path path = path_of(older);

		why = copy_attributes(fd, path.text);
		if (!why)
			why = copy_acl(fd, path.text, may, result);
	}
	close(older);
	return why;
}

#else

static bool has_default_acl(int folder)
{
	(void)folder;
	return false;
}

static const char *copy_extended(int fd, const struct place *p,
				 const struct stat *is, bool may,
				 enum acl *result)
{
	(void)fd;
	(void)p;
	(void)is;
	(void)may;
	*result = ACL_NONE;
	return NULL;
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
	const char *why;
	enum acl acl;
	bool group;

	if (!adopt_owner(fd, is, &group))
		return "fchown";
	why = copy_extended(fd, p, is, group, &acl);
	if (why || acl == ACL_COPIED)
		return why;
	if (acl == ACL_LOST)
		mode &= 0700;
	else if (!group)
		mode = mode_for_others(mode);
	return fchmod(fd, mode) == 0 ? NULL : "fchmod";
}
