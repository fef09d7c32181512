/* in.h: a file's first bytes, as many as its reader finds worth having. */
#ifndef IN_H
#define IN_H

#include <stddef.h>

#include "core/error.h"

struct in {
	const char *path;      /* as messages show it */
	int fd;
	unsigned char *bytes;  /* [n], what was read so far; owned */
	size_t n, room;
	bool ended;            /* bytes are the whole file */
};

/* Begin with path; "-" is standard input. To be closed if it is true. */
bool in_open(struct in *in, const char *path, struct error *err);

/*
 * Read until bytes has n bytes or the file ends. Memory grows with what is
 * there, not with n: a header may claim anything.
 */
bool in_read(struct in *in, size_t n, struct error *err);

void in_close(struct in *in);

#endif
