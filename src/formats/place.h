/*
 * place.h: where a file lands. A regular file appears whole or not at all: it
 * is written without a name, or under a name of its own where the file system
 * knows no nameless files, and takes its name when it is published. Until then
 * an older file is untouched. Pipes and devices are written in place.
 */
#ifndef PLACE_H
#define PLACE_H

#include <stdbool.h>

#include "formats/guard.h"

struct place {
	int fd;            /* to write to; -1 when closed */
	bool regular;      /* to be published under the name target */
	bool replaces;     /* a file that was there when it was opened */
	bool published;
	char *target;      /* where symbolic links lead; owned */
	char *temporary;   /* the name the file has meanwhile, or NULL; owned */
	char *older;       /* another name of the file replaced, until the
			      last place is published; or NULL; owned */
	struct guard guard; /* of the temporary */
};

/* Open path for writing; "-" is standard output. On failure errno says why. */
bool place_open(struct place *p, const char *path);

/*
 * The end of writing: what was written is safe against a power cut, or has
 * reached the pipe or device. errno says why not.
 */
bool place_finish(struct place *p);

/*
 * Publishing, in two steps, so that several files appear or none: all that can
 * be foreseen to fail is done by place_prepare(). With keep, place_retract()
 * will bring an older file back. errno says why not.
 */
bool place_prepare(struct place *p, bool keep);
bool place_publish(struct place *p);
void place_retract(struct place *p);

/* Close; what was not published leaves nothing behind. */
void place_close(struct place *p);

/* Whether two places are one file. */
bool place_same(const struct place *a, const struct place *b);

#endif
