/* path.h: what the name of a file stands for. */
#ifndef PATH_H
#define PATH_H

#include <stdbool.h>

/* name in the folder of path; to be freed, NULL for want of memory. */
char *path_beside(const char *path, const char *name);

/*
 * The file that links at path lead to, whether it is there yet or not; to be
 * freed. NULL: errno says why.
 */
char *path_resolve(const char *path);

/* The open descriptor that path, "-" or a link stands for, or -1. */
int path_descriptor(const char *path);

/* Whether two paths end in one name, whatever their folders. */
bool path_same_base(const char *a, const char *b);

#endif
