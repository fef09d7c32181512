/* error.h: one sentence about the first failure. */
#ifndef ERROR_H
#define ERROR_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The first failure. The text is one lower-case sentence without a full stop
 * that says what was expected and what was given.
 *
 * A search that skips candidates which fail still ends if memory runs out.
 */
struct error {
	bool about_file;  /* text begins with a path, not with an option */
	bool memory;      /* memory ran out */
	bool call;        /* a file was not read, or it has changed: nothing
			     is said about what is in it */
	char text[480];
};

/* Set the text unless it is set already. Returns false. */
bool fail(struct error *err, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* The same for a file: the text is "path: sentence". Returns false. */
bool fail_file(struct error *err, const char *path, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* The same as fail_file() for a call that set errno: "path: sentence". */
bool fail_call(struct error *err, const char *path);

/* The same if memory runs out; for n elements of size bytes. */
bool fail_memory(struct error *err);
bool fail_room(struct error *err, size_t n, size_t size);

/*
 * Fail if memory ran out in a part of the work, whose other failures are not
 * those of the whole.
 */
void pass_memory(struct error *err, const struct error *part);

/* The same if memory ran out or a call failed in the part. */
void pass_call(struct error *err, const struct error *part);

/*
 * All return false, which clang's analyzer and make cover don't see, as the
 * definitions are in another file: there a call is a macro that says so. The
 * definitions have their names in parentheses, which no macro replaces.
 */
#if defined __clang_analyzer__ || defined COVERAGE
#define fail(...) (fail(__VA_ARGS__), false)
#define fail_file(...) (fail_file(__VA_ARGS__), false)
#define fail_call(...) (fail_call(__VA_ARGS__), false)
#define fail_memory(...) (fail_memory(__VA_ARGS__), false)
#define fail_room(...) (fail_room(__VA_ARGS__), false)
#endif

#endif
