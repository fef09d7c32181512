/* library.c: functions of shared libraries, loaded by dlopen(). */
#include <dlfcn.h>
#include <errno.h>
#include <string.h>

#include "table/library.h"

/*
 * Note why a library or a function was not found, unless there is no file of
 * that name: "No such", macOS "no such". Memory that ran out is told by errno
 * only where the C library allocated it. What glibc maps has an errno of its
 * own; its messages are "cannot map ..." and "failed to map ...". Where memory
 * is short for the message, it has no name of the library and no colon. Where
 * it is short for the path, glibc calls the library absent.
 */
static void note(struct error *err)
{
	const int number = errno;  /* which dlerror() may change */
	const char *said = dlerror();

	if (number == ENOMEM || strstr(said, " map ") || !strchr(said, ':'))
		fail_memory(err);
	else if (!strstr(said, "o such file"))
		fail(err, "cannot be loaded: %s", said);
}

/* The library by the first of its names that can be opened, or NULL. */
static void *open_library(const char *const *names, struct error *err)
{
	void *library = NULL;

	for (; !library && !err->memory && *names; names++) {
		errno = 0;
		library = dlopen(*names, RTLD_NOW | RTLD_LOCAL);
		if (!library)
			note(err);
	}
	return library;
}

static bool find_all(void *library, const struct library_function *f, void *to,
		     struct error *err)
{
	errno = 0;
	for (; f->name; f++) {
		void *at = dlsym(library, f->name);

		if (!at && f->other)
			at = dlsym(library, f->other);
		if (!at) {
			note(err);
			return false;
		}
		memcpy((char *)to + f->at, &at, sizeof at);
	}
	return true;
}

bool library_load(const struct library *l, void *to, struct error *err)
{
	struct error why = { 0 };  /* also of names before the one it has */
	void *library = open_library(l->names, &why);

	if (library && find_all(library, l->functions, to, &why))
		return true;
	fail(&why, "not found (Debian: %s)", l->package);
	*err = why;
	return false;
}
