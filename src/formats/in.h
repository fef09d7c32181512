/*
 * in.h: the bytes of a file, from front to back through a window. Nothing is
 * mapped, so that a file which shrinks is told and does not crash us, and
 * pipes are read as files are.
 */
#ifndef IN_H
#define IN_H

#include <stddef.h>

#include "core/error.h"

struct in {
	const char *path;      /* as messages show it */
	int fd;
	bool seeks;            /* a regular file, */
	size_t size;           /* of so many bytes; SIZE_MAX elsewhere */
	size_t most;           /* bytes that are read at most; see in_open() */
	size_t least;          /* room that a window has at first */
	size_t at;             /* where in the file the window begins */
	unsigned char *bytes;  /* [n], the window, then a 0; owned */
	size_t n, room;
	bool ended;            /* the file ends where the window does */
};

/*
 * Begin with path; "-" is standard input. To be closed if it is true. What
 * has no size may have no end either: of a device we read 64 MB, of a pipe no
 * more than this machine's memory.
 */
bool in_open(struct in *in, const char *path, struct error *err);

/* Begin with bytes [n] that a caller keeps, as fuzzers do. */
void in_memory(struct in *in, const char *path, unsigned char *bytes,
	       size_t n);

/*
 * Read until the window has n bytes or the file ends. Memory grows with what
 * is there, not with n: a header may claim anything.
 */
bool in_read(struct in *in, size_t n, struct error *err);

/* Read on, at least one byte more unless the file ends. */
bool in_more(struct in *in, struct error *err);

/* Let the window begin n bytes later. */
void in_drop(struct in *in, size_t n);

/* Move to place at of the file, not before the window. */
bool in_skip(struct in *in, size_t at, struct error *err);

/* Bytes from the window's begin to the file's end; SIZE_MAX: nobody knows. */
size_t in_left(const struct in *in);

/* The memory of this machine in bytes. */
size_t in_memory_size(void);

void in_close(struct in *in);

#endif
