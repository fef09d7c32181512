/*
 * library.h: functions of shared libraries that are loaded when they are first
 * needed, so that commands which need none of them start faster.
 */
#ifndef LIBRARY_H
#define LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

/* Where the address of a function goes; the last of several has no name. */
struct library_function {
	const char *name;
	size_t at;            /* its offset, in bytes */
};

enum library_result {
	LIBRARY_LOADED,
	LIBRARY_ABSENT,       /* no library of these names, or not all
				 functions */
	LIBRARY_NO_MEMORY,
};

/*
 * Load the library by the first of its names that exists; NULL ends them. The
 * addresses of its functions are written to the struct at to. The library stays
 * loaded until the process ends.
 */
enum library_result library_load(const char *const *names,
				 const struct library_function *functions,
				 void *to);

#endif
