/* error.c: what went wrong, in one sentence. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/error.h"

bool fail(struct error *err, const char *fmt, ...)
{
	va_list args;

	if (err->text[0])
		return false;
	va_start(args, fmt);
	vsnprintf(err->text, sizeof err->text, fmt, args);
	va_end(args);
	return false;
}

bool fail_file(struct error *err, const char *path, const char *fmt, ...)
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

bool error_of_memory(const struct error *err)
{
	static const char words[] = "out of memory";

	return strncmp(err->text, words, sizeof words - 1) == 0;
}
