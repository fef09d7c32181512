/* path.h: paths of open descriptors, such as /dev/fd/N. */
#ifndef PATH_H
#define PATH_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#ifndef PATH_MAX
#define PATH_MAX 4096
#endif

enum { LINKS_MOST = 40 };  /* symbolic links of a chain; limit of Linux */

/* The length of the directory part of path, with its last slash. */
size_t path_folder_length(const char *path);

/* Copy path; false: it is too long (errno is set). */
bool path_copy(char at[PATH_MAX], const char *path);

/* The open descriptor that path names ("-", /dev/fd/N, a link to it), or -1. */
int path_descriptor(const char *path);

#endif
