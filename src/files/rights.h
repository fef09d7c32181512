/* rights.h: owner, mode, ACL and attributes of new files. */
#ifndef RIGHTS_H
#define RIGHTS_H

#include "files/place.h"

/*
 * Give the file open as fd the permissions of any new file in the folder: by
 * umask, or by the folder's default ACL. NULL, or the call that failed (errno
 * is set).
 */
const char *rights_new(int fd, int folder);

/*
 * Give the file open as fd, created with mode 0600, the owner, mode and access
 * ACL of the older file *is at p, or fewer permissions, never more; and its
 * extended attributes, as far as that is allowed. NULL, or the call that failed
 * (errno is set).
 */
const char *rights_copy(int fd, const struct place *p, const struct stat *is);

#endif
