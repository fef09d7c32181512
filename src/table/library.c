/* library.c: functions of shared libraries, loaded by dlopen(). */
#include <dlfcn.h>
#include <string.h>

#include "table/library.h"

/* Whether there was no memory for a library, in the words of C libraries. */
static bool memory_ran_out(const char *said)
{
	return strstr(said, "memory") || strstr(said, "cannot create") ||
	       strstr(said, "cannot map") || strstr(said, "failed to map");
}

/* The library by the first of its names that exists; NULL: there is none. */
static void *open_first(const char *const *names, bool *memory)
{
	void *library = NULL;

	for (*memory = false; !library && !*memory && *names; names++) {
		library = dlopen(*names, RTLD_NOW | RTLD_LOCAL);
		*memory = !library && memory_ran_out(dlerror());
	}
	return library;
}

enum library_result library_load(const char *const *names,
				 const struct library_function *functions,
				 void *to)
{
	bool memory;
	void *library = open_first(names, &memory);

	for (; library && functions->name; functions++) {
		void *at = dlsym(library, functions->name);

		memcpy((char *)to + functions->at, &at, sizeof at);
		library = at ? library : NULL;
	}
	return library ? LIBRARY_LOADED :
	       memory ? LIBRARY_NO_MEMORY : LIBRARY_ABSENT;
}
