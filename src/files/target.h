/*
 * target.h: the file that an output goes to. target_*() leave errno and, where
 * path itself is not what failed, target.why.
 */
#ifndef TARGET_H
#define TARGET_H

#include <stdbool.h>
#include <sys/stat.h>

#include "files/place.h"

enum { TEMPORARY = 64 };  /* bytes of a temporary name */

struct target {
	int fd;            /* open for writing; -1: closed */
	bool regular;      /* a regular file, published at place */
	bool replaces;     /* there was a file when this was opened */
	bool published;
	bool sync;         /* target_sync() is asked for */
	struct stat is;    /* of the file written to or replaced; of the
			      directory if the file is new */
	struct place place;
	const char *why;   /* what failed: a call or a sentence; NULL: to open
			      or to write the file */
	char name[TEMPORARY];   /* of the new file in its directory; or "" */
	char older[TEMPORARY];  /* second name of the older file, until all
				   are published; or "" */
	struct target *next;    /* that target_remove_named() removes */
};

/*
 * Open path for writing; "-" is standard output. target_close() must follow in
 * any case.
 */
bool target_open(struct target *t, const char *path);

/*
 * End writing: the bytes are on disk (fsync), or have reached the pipe or
 * device.
 */
bool target_finish(struct target *t);

/*
 * target_publish() gives the new file its name. target_keep() before it gives
 * the older file a second name, from which target_retract() restores it, so
 * that several files are replaced or none. Where an older file can't have a
 * second name, the new one stays.
 */
void target_keep(struct target *t);
bool target_publish(struct target *t);
void target_retract(struct target *t);

/* Where asked for, wait until the directory with the new name is on disk. */
bool target_sync(struct target *t);

/* Close, and remove temporary names and files that were not published. */
void target_close(struct target *t);

/*
 * Remove the files that have a temporary name while they are written: for the
 * handler of a signal that ends the process. The next target_publish() fails.
 */
void target_remove_named(void);

/* Whether two targets are the same file. */
bool target_same(const struct target *a, const struct target *b);

#endif
