/*
 * place.h: where a file lands. A regular file appears whole or not at all: it
 * is written without a name, or under a name of its own where the file system
 * knows no nameless files, and takes its name when it is published. Until then
 * an older file is untouched. Pipes and devices are written in place.
 */
#ifndef PLACE_H
#define PLACE_H

#include <stdbool.h>
#include <sys/stat.h>

#include "formats/guard.h"

/* A name beside the target, which is not there when we are not. */
struct spare {
	char *path;          /* owned; NULL: there is none */
	struct guard guard;
};

struct place {
	int fd;            /* to write to; -1 when closed */
	bool regular;      /* to be published under the name target */
	bool replaces;     /* a file that was there when it was opened */
	bool published;
	struct stat is;    /* what is written or replaced; the folder of what
			      is new */
	char *target;      /* where symbolic links lead; owned */
	struct spare temporary;  /* that the file has meanwhile */
	struct spare older;      /* of the file replaced, until the last place
				    is published */
};

/*
 * Open path for writing; "-" is standard output. On failure errno says why.
 * To be closed in any case.
 */
bool place_open(struct place *p, const char *path);

/*
 * The end of writing: what was written is safe against a power cut, or has
 * reached the pipe or device. errno says why not.
 */
bool place_finish(struct place *p);

/*
 * Give a file its name. What place_keep() was told of, place_retract() brings
 * back, so that several files appear or none; but where an older file can't
 * have a second name meanwhile, the new one stays. errno says why not.
 */
void place_keep(struct place *p);
bool place_publish(struct place *p);
void place_retract(struct place *p);

/* Close; what was not published leaves nothing behind. */
void place_close(struct place *p);

/* Whether two places are one file. */
bool place_same(const struct place *a, const struct place *b);

#endif
