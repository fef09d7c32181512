/* temporary.h: temporary names in a target's directory. */
#ifndef TEMPORARY_H
#define TEMPORARY_H

#include "files/target.h"

/* The mode of a new file until it has the permissions of the older one. */
mode_t temporary_mode(const struct target *t);

/* Open the new file under a temporary name. On failure errno is set. */
bool temporary_create(struct target *t);

/*
 * Give a temporary name to the new file, which is complete and has none, or a
 * second one to the older file. On failure errno is set.
 */
bool temporary_link_new(struct target *t);
bool temporary_link_older(struct target *t);

/* Give the new file, which has no name, this one. On failure errno is set. */
bool temporary_link(const struct target *t, const char *name);

/* Forget a name: the file was removed or renamed. */
void temporary_drop(struct temporary *s);

#endif
