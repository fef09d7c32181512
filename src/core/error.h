/* error.h: what went wrong, in one sentence. */
#ifndef ERROR_H
#define ERROR_H

#include <stdbool.h>
#include <stddef.h>

/* These write past buffers or misread numbers; nothing here may call them. */
#undef sprintf  /* a macro where clang fortifies */
#pragma GCC poison sprintf vsprintf strcpy strcat strtok gets atoi atof

/*
 * The first cause of a failure. The text is lower case, has no full stop and
 * names what was wanted and what was given.
 *
 * What may go on after another failure, since it was but a guess, ends with
 * one of memory.
 */
struct error {
	bool about_file;  /* text starts with a path, not with an option */
	bool memory;      /* it was memory that was wanting */
	char text[480];
};

/* Note the sentence, unless one is noted already. Always false. */
bool fail(struct error *err, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* The same for a file: the text becomes "path: sentence". Always false. */
bool fail_file(struct error *err, const char *path, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * The same for a name that no such thing has; near is the name that was most
 * likely meant, or NULL, and then rest ends the sentence. Always false.
 */
bool fail_unknown(struct error *err, const char *thing, const char *name,
		  const char *near, const char *rest);

/* The same where memory was wanting: a little; for n things of size bytes. */
bool fail_memory(struct error *err);
bool fail_room(struct error *err, size_t n, size_t size);

#endif
