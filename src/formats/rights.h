/* rights.h: who may read and write a file that is made or replaced. */
#ifndef RIGHTS_H
#define RIGHTS_H

#include <stdbool.h>
#include <sys/stat.h>

/*
 * Give the file open as fd, made with 0666, the rights of any new file in the
 * folder: what umask leaves, or the folder's default ACL.
 */
bool rights_of_new(int fd, const char *folder);

/*
 * Give the file open as fd, made with 0600, the owner, mode and access ACL of
 * the older file, which is as *is. What it cannot be given makes the rights
 * fewer, never more. errno says why it can't be done.
 */
bool rights_of_older(int fd, const char *older, const struct stat *is);

#endif
