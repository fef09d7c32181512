/*
 * library.h: functions of shared libraries that are loaded when they are first
 * needed, so that commands which need none of them start faster.
 */
#ifndef LIBRARY_H
#define LIBRARY_H

#include "table/error.h"

/* Where the address of a function goes; the last of several has no name. */
struct library_function {
	const char *name;
	size_t at;            /* its offset, in bytes */
	const char *other;    /* its name in other versions, or NULL */
};

struct library {
	const char *package;       /* of Debian, that brings it */
	const char *const *names;  /* the first that exists; NULL ends them */
	const struct library_function *functions;
};

/*
 * Load a library; the addresses of its functions are written to the struct at
 * to. It stays loaded until the process ends. The error goes after its name:
 * "not found (Debian: PACKAGE)", "out of memory", or "cannot be loaded:
 * REASON" where there is a library that is not the one, or can't be opened.
 */
bool library_load(const struct library *l, void *to, struct error *err);

#endif
