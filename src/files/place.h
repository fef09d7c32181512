/* place.h: a directory, held open, and the name of a file in it. */
#ifndef PLACE_H
#define PLACE_H

#include <limits.h>
#include <stdbool.h>
#include <sys/stat.h>

#ifndef NAME_MAX
#define NAME_MAX 255
#endif

struct place {
	int folder;               /* descriptor; negative: none */
	char name[NAME_MAX + 1];  /* in folder; no symbolic link */
	const char *why;          /* it can't be opened; NULL: see errno */
};

/*
 * Open the place that path leads to. Links are followed here, each relative to
 * the directory that holds it, so that *is is what has this name in this
 * directory, whoever renames what meanwhile. A file that does not exist yet has
 * mode 0. On failure errno is set; place_close() must follow in any case.
 */
bool place_open(struct place *p, const char *path, struct stat *is);

void place_close(struct place *p);

#endif
