/* eva.h: definitions that Frama-C's EVA lacks or analyses badly. */
#ifndef EVA_H
#define EVA_H

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

#define __builtin_mul_overflow mul_overflow
#define __builtin_add_overflow add_overflow
#define memcmp compare

#endif
