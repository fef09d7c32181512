/* error.c: one sentence about the first failure. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "table/error.h"

bool (fail)(struct error *err, const char *fmt, ...)
{
	va_list args;

	if (err->text[0])
		return false;
	va_start(args, fmt);
	vsnprintf(err->text, sizeof err->text, fmt, args);
	va_end(args);
	return false;
}

bool (fail_file)(struct error *err, const char *path, const char *fmt, ...)
{
	va_list args;
	int n;

	if (err->text[0])
		return false;
	err->about_file = true;
	n = snprintf(err->text, sizeof err->text, "%.300s: ",
		     path[0] ? path : "''");
	va_start(args, fmt);
	vsnprintf(err->text + n, sizeof err->text - (size_t)n, fmt, args);
	va_end(args);
	return false;
}

bool (fail_call)(struct error *err, const char *path)
{
	if (!err->text[0])
		err->call = true;
	return fail_file(err, path, "%s", strerror(errno));
}

static void note_memory(struct error *err)
{
	if (!err->text[0])
		err->memory = true;
}

bool (fail_memory)(struct error *err)
{
	note_memory(err);
	return fail(err, "out of memory");
}

bool (fail_room)(struct error *err, size_t n, size_t size)
{
	note_memory(err);
	if (size == 1)
		return fail(err, "out of memory (for %zu bytes)", n);
	return fail(err, "out of memory (for %zu times %zu bytes)", n, size);
}

void pass_call(struct error *err, const struct error *part)
{
	if ((part->memory || part->call) && !err->text[0])
		*err = *part;
}

void pass_memory(struct error *err, const struct error *part)
{
	if (part->memory && !err->text[0])
		*err = *part;
}
