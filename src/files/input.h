/*
 * input.h: reads a file or pipe from front to back through a window in memory.
 * Nothing is mapped, so that a file that shrinks meanwhile is an error and not
 * a crash.
 */
#ifndef INPUT_H
#define INPUT_H

#include <stddef.h>
#include <sys/types.h>
#include <time.h>

#include "table/error.h"

/* Where bytes come from that are no file's: a member of an archive. */
struct source {
	/* Give up to n of the next bytes; 0: the end, -1: an error. */
	ssize_t (*read)(struct source *s, unsigned char *to, size_t n,
			struct error *err);
};

struct input_file {
	const char *path;      /* for messages */
	int fd;
	struct source *source; /* instead of fd, or NULL */
	bool seeks;            /* a regular file */
	size_t size;           /* of the file; SIZE_MAX: unknown, but */
	size_t expected;       /* so many are likely to come; 0: unknown */
	struct timespec modified;  /* its last change, if it seeks */
	size_t most;           /* maximum of bytes to read; see in_open() */
	size_t least;          /* first capacity of the window */
	size_t at;             /* offset of the window in the file */
	unsigned char *bytes;  /* [n], the window, then a NUL */
	size_t n, room;        /* its length and capacity */
	size_t before;         /* bytes before it in the memory, owned */
	bool ended;            /* the window reaches the end of the file */
	bool whole;            /* bytes [0, size) stay, the window moves */
};

/*
 * Open path; "-" is standard input. On success in_close() must follow. At most
 * 64 MB are read from a device, and from a pipe as much as this machine has
 * memory: they may be endless.
 */
bool in_open(struct input_file *in, const char *path, struct error *err);

/* Read from the pipe fd, which in_close() closes. */
void in_pipe(struct input_file *in, const char *path, int fd);

/* Read from bytes [n], which the caller keeps, instead of a file (fuzzers). */
void in_memory(struct input_file *in, const char *path, unsigned char *bytes,
	       size_t n);

/* Read from a source. in_close() must follow; path and s must outlive in. */
void in_source(struct input_file *in, const char *path, struct source *s);

/*
 * Let in_skip() move the window to any offset, also back: what comes from a
 * pipe is read to its end, into memory, up to 1 GB.
 */
bool in_random(struct input_file *in, struct error *err);

/*
 * Read until the window has n bytes or the file ends. Memory grows with the
 * bytes that are there, not with n, which may come from a broken header.
 */
bool in_read(struct input_file *in, size_t n, struct error *err);

/* Read at least one more byte, unless the file ends. */
bool in_more(struct input_file *in, struct error *err);

/*
 * Move the window's bytes, n or fewer, and those that follow in the file to
 * to [n]; *got: how many, fewer than n where the file ends. They do not pass
 * through the window, which is empty then.
 */
bool in_move(struct input_file *in, unsigned char *to, size_t n, size_t *got,
	     struct error *err);

/* Make the last n bytes that were moved the window, which has room for them. */
void in_put_back(struct input_file *in, const unsigned char *bytes, size_t n);

/* Remove the first n bytes from the window. */
void in_drop(struct input_file *in, size_t n);

/* Move the window to offset at of the file, not before its own, or to any
   after in_random(). */
bool in_skip(struct input_file *in, size_t at, struct error *err);

/*
 * Make the window reach n bytes beyond *at in it, unless the file ends; it may
 * move as far as *at, which is then 0.
 */
bool in_reach(struct input_file *in, size_t *at, size_t n, struct error *err);

/*
 * The n bytes from *at in the window on, valid until the window moves, and *at
 * behind them. NULL: an error; the file may end within what is read.
 */
const unsigned char *in_take(struct input_file *in, size_t *at, size_t n,
			     const char *within, struct error *err);

/*
 * Move *at in the window n bytes on, which the file must have; the window may
 * move. Fails if the file ends before them or within them.
 */
bool in_pass(struct input_file *in, size_t *at, size_t n, const char *within,
	     struct error *err);

/* Bytes from the start of the window to the end of the file, or SIZE_MAX. */
size_t in_left(const struct input_file *in);

/* Fail if a regular file has changed since it was opened; or say so. */
bool in_unchanged(const struct input_file *in, struct error *err);
bool in_changed(const struct input_file *in, struct error *err);

/* Physical memory of this machine in bytes; SIZE_MAX if unknown. */
size_t physical_memory(void);

/* What of it is not in use, if the system tells, and may be used by the groups
   in which this process is. */
size_t available_memory(void);

/* Values of so many bytes that a table may have, of which a quarter stays. */
size_t memory_for(size_t size);

/*
 * Let this process allocate little more than these groups leave now, so that it
 * tells that memory ran out where the system would kill it.
 */
void limit_memory(void);

void in_close(struct input_file *in);

#endif
