/*
 * src/files/: where bytes come from and go.
 *
 *   output.h   struct output_file: buffered writing (output.c), into a file
 *              that appears whole or not at all (target.c)
 *   input.h    struct input_file: reading files and pipes through a window
 *   path.h     symbolic links, /dev/fd/N, directories
 *
 * This folder includes table/ only.
 *
 * output.h: functions that write return no error. The first failure is
 * remembered, all later output is dropped, and out_finish() reports it.
 * A regular file is written without a name (O_TMPFILE), or under a temporary
 * name where the file system can't do that, and gets its name in
 * out_publish(). Until then an older file of that name stays as it is. Pipes
 * and devices are written directly.
 */
#ifndef OUTPUT_H
#define OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "table/error.h"

/*
 * A second process that removes a file when this one ends, even by SIGKILL:
 * for file systems where a file needs a name while it is written.
 */
struct guard {
	pid_t pid;  /* of the second process; 0: none */
	int fd;     /* write end of a pipe that closes with this process */
};

/* A temporary name in the target's directory. */
struct temporary_name {
	char *path;          /* owned; NULL: none */
	struct guard guard;
};

/* The file that an output goes to. */
struct target {
	int fd;            /* open for writing; -1: closed */
	bool regular;      /* a regular file, published as path */
	bool replaces;     /* path was a file when this was opened */
	bool published;
	struct stat is;    /* of the file written to or replaced; of the
			      directory if the file is new */
	char *path;        /* with symbolic links resolved; owned */
	int lock;          /* descriptor that locks the older file; 0: none */
	struct temporary_name temporary;  /* of the new file */
	struct temporary_name older;      /* second name of the older file,
					     until all are published */
};

/*
 * Open path for writing; "-" is standard output. On failure errno is set.
 * target_close() must follow in any case.
 */
bool target_open(struct target *t, const char *path);

/*
 * End writing: the bytes are on disk (fsync), or have reached the pipe or
 * device. On failure errno is set.
 */
bool target_finish(struct target *t);

/*
 * target_publish() gives the new file its name. target_keep() before it gives
 * the older file a second name, from which target_retract() restores it, so
 * that several files are replaced or none. Where an older file can't have a
 * second name, the new one stays. On failure errno is set.
 */
void target_keep(struct target *t);
bool target_publish(struct target *t);
void target_retract(struct target *t);

/* Close, and remove temporary names and files that were not published. */
void target_close(struct target *t);

/* Whether two targets are the same file. */
bool target_same(const struct target *a, const struct target *b);

enum { OUT_BUFFER = 1 << 16 };  /* bytes */

struct output_file {
	const char *path;     /* as given; "-" is standard output */
	struct target target;
	struct error err;       /* the first failure, if any */
	unsigned char *buffer;  /* [OUT_BUFFER], owned */
	size_t used;            /* bytes in buffer */
	size_t expected;        /* size of the file in bytes; 0: unknown */
};

/* Open an output. After a failure there is nothing to close. */
bool out_open(struct output_file *o, const char *path, struct error *err);

/*
 * Fail if the last of n outputs can't hold this many bytes: more than the limit
 * of file sizes, or than the disk has left after the other outputs. To be
 * called before the first byte is written.
 */
bool out_expect(struct output_file *outs, size_t n, size_t bytes,
		struct error *err);

void out_bytes(struct output_file *o, const void *bytes, size_t n);
void out_text(struct output_file *o, const char *text);

/* Like printf(), up to 1,000 bytes. */
void out_format(struct output_file *o, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Record a failure from elsewhere, such as a library. */
void out_fail(struct output_file *o, const char *why);

/* Write what is in the buffer, and sync; the file has no name yet. */
bool out_finish(struct output_file *o, struct error *err);

/*
 * Give n finished files their names and replace older files: all of them or,
 * as far as older files can be restored (target_keep()), none.
 */
bool out_publish(struct output_file *outs, size_t n, struct error *err);

/* Close an output; if it was not published, no file remains. */
void out_close(struct output_file *o);

#endif
