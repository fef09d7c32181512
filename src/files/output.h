/*
 * src/files/: where bytes come from and go.
 *
 *   output.h  struct output_file: buffered writing, names for finished files
 *   target.h  the file written to, which appears whole or not at all
 *   rights.h  permissions, ACL and attributes of the new file
 *   place.h   the directory and the name that a path leads to
 *   path.h    /dev/fd/N and paths like it
 *   input.h   struct input_file: reading files and pipes through a window
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

#include "files/target.h"
#include "table/error.h"

enum { OUT_BUFFER = 1 << 16, OUT_NOTE = 240, OUT_EXTENT = 48 };  /* bytes */

struct output_file {
	const char *path;     /* as given; "-" is standard output */
	struct target target;
	struct error err;       /* the first failure, if any */
	unsigned char *buffer;  /* [OUT_BUFFER], owned */
	size_t used;            /* bytes in buffer */
	char note[OUT_NOTE];    /* on what it shows, for the user */
	char extent[OUT_EXTENT]; /* its size, "640 x 480 pixels"; "": that of
				    the table */
	size_t expected;        /* size of the file in bytes; 0: unknown */

	/* Sees all bytes as they go out, for a checksum; or NULL */
	void (*see)(void *self, const void *bytes, size_t n);
	void *self;             /* of see() */
};

/* Its path for messages. */
const char *out_shown(const struct output_file *o);

/* Fail with errno, and what the target says about it. Returns false. */
bool out_fail_target(const struct output_file *o, struct error *err);

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
 * as far as older files can be restored (target_keep()), none. Only SIGKILL
 * ends the process meanwhile: then some files may be new and others old.
 */
bool out_publish(struct output_file *outs, size_t n, struct error *err);

/* Close an output; if it was not published, no file remains. */
void out_close(struct output_file *o);

/*
 * Write all bytes [n], also after interruptions and to non-blocking pipes;
 * false: errno says why not.
 */
bool out_write_all(int fd, const void *bytes, size_t n);

#endif
