/* path.h: paths of open descriptors and of files beside others. */
#ifndef PATH_H
#define PATH_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

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

/* A path of the file or folder open as fd, also by O_PATH. */
struct descriptor_path {
	char text[40];
};

struct descriptor_path path_of(int fd);

/*
 * Whether path, a file in the folder of the file from, stays there if it is a
 * symbolic link, or leads to the folder of the file that from is a link to, as
 * in the cache of a hub.
 */
bool path_is_beside(const char *path, const char *from);

/* Whether path is the file open as fd. */
bool path_is_open(const char *path, int fd);

/* Whether both are of the same file. */
bool same_file(const struct stat *a, const struct stat *b);

#endif
