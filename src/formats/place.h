/*
 * place.h: where a file lands. A regular file appears whole or not at all: it
 * is written without a name, or under a name of its own where the file system
 * knows no nameless files, and takes its name when it is published. Until then
 * an older file is untouched. Pipes and devices are written in place.
 */
#ifndef PLACE_H
#define PLACE_H

#include <stdbool.h>

struct place {
	int fd;            /* to write to; -1 when closed */
	bool regular;      /* to be published under the name target */
	char *target;      /* where symbolic links lead; owned */
	char *temporary;   /* the name the file has meanwhile, or NULL; owned */
};

/* Open path for writing; "-" is standard output. On failure errno says why. */
bool place_open(struct place *p, const char *path);

/* Make what was written safe against a power cut. errno says why not. */
bool place_sync(const struct place *p);

/* Give the file its name, in place of what had it. errno says why not. */
bool place_publish(struct place *p);

/* Close; what was not published leaves nothing behind. */
void place_close(struct place *p);

/* Whether two places are one file. */
bool place_same(const struct place *a, const struct place *b);

#endif
