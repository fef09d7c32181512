/* path.h: symbolic links, /dev/fd/N and directories of paths. */
#ifndef PATH_H
#define PATH_H

#include <stdbool.h>

/* The path of name in the directory of path; to be freed. NULL: no memory. */
char *path_beside(const char *path, const char *name);

/*
 * path with symbolic links resolved; the file need not exist. To be freed.
 * NULL: errno is set.
 */
char *path_resolve(const char *path);

/* The open descriptor that path names ("-", /dev/fd/N, a link to it), or -1. */
int path_descriptor(const char *path);

/* Whether two paths have the same last component. */
bool path_same_base(const char *a, const char *b);

#endif
