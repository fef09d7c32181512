/* eva.h: definitions that Frama-C's EVA lacks or analyses badly. */
#ifndef EVA_H
#define EVA_H

#include <__fc_builtin.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "table/error.h"

bool fail(struct error *err, const char *fmt, ...)
{
	(void)err;
	(void)fmt;
	return false;
}

bool fail_file(struct error *err, const char *path, const char *fmt, ...)
{
	(void)err;
	(void)path;
	(void)fmt;
	return false;
}

static bool mul_overflow(size_t a, size_t b, size_t *product)
{
	*product = 0;
	if (b && a > SIZE_MAX / b)
		return true;
	*product = a * b;
	return false;
}

static bool add_overflow(size_t a, size_t b, size_t *sum)
{
	*sum = 0;
	if (a > SIZE_MAX - b)
		return true;
	*sum = a + b;
	return false;
}

static int compare(const void *a, const void *b, size_t n)
{
	const unsigned char *x = a, *y = b;

	for (size_t i = 0; i < n; i++)
		if (x[i] != y[i])
			return 1;
	return 0;
}

static void *find_byte(const void *bytes, int c, size_t n)
{
	const char *s = bytes;

	for (size_t i = 0; i < n; i++)
		if (s[i] == (char)c)
			return (void *)(s + i);
	return NULL;
}

/* snprintf() of one text (%s): any text that has room. */
static int print_text(char *to, size_t room, const char *fmt, ...)
{
	va_list list;
	size_t length;

	va_start(list, fmt);
	length = strlen(va_arg(list, const char *));
	va_end(list);
	Frama_C_make_unknown(to, room - 1);
	to[room - 1] = '\0';
	return (int)length;
}

#define __builtin_mul_overflow mul_overflow
#define __builtin_add_overflow add_overflow
#define memcmp compare

#endif
