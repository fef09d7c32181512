/* in.h: a whole file in memory, never more than there is of it. */
#ifndef IN_H
#define IN_H

#include <stddef.h>

#include "core/error.h"

struct in {
	unsigned char *bytes;  /* [n] */
	size_t n;
};

/* Read path to its end; "-" is standard input. Fails on folders, and on pipes
 * and devices that give more than 4 GiB. */
bool in_read(struct in *in, const char *path, struct error *err);

void in_close(struct in *in);

#endif
