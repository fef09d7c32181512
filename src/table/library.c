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

/* The library of this name, or NULL. */
static void *open_library(const char *name, struct error *err)
{
	void *library;

	errno = 0;
	library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
	if (!library)
		note(err);
	return library;
}

/* The library by the first of its names that can be opened, or NULL. */
static void *open_first(const char *const *names, struct error *err)
{
	void *library = NULL;

	for (; !library && !err->memory && *names; names++)
		library = open_library(*names, err);
	return library;
}

/* The address of a function by one of its names, or NULL. */
static void *find(void *library, const struct library_function *f)
{
	void *at = dlsym(library, f->name);

	return at || !f->other ? at : dlsym(library, f->other);
}

static bool find_all(void *library, const struct library_function *f, void *to,
		     struct error *err)
{
	errno = 0;
	for (; f->name; f++) {
		void *at = find(library, f);

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
	void *library = open_first(l->names, &why);

	if (library && find_all(library, l->functions, to, &why))
		return true;
	fail(&why, "not found (Debian: %s)", l->package);
	*err = why;
	return false;
}
