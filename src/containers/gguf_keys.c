/*
 * gguf_keys.c: the header of a GGUF file from front to back: numbers, names and
 * keys with their values.
 */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "exact/bits.h"
#include "text/decimal.h"
#include "containers/gguf.h"

enum { NAME_MOST = 65535 };  /* bytes of a key, by the specification */

static const char header[] = "the header, whose length the file does "
			     "not say";  /* where a file ends */

const unsigned char *gguf_take(struct gguf_reader *r, size_t n)
{
	return in_take(r->in, &r->at, n, header, r->err);
}

uint64_t gguf_number(struct gguf_reader *r, size_t size)
{
	const unsigned char *bytes = gguf_take(r, size);

	return bytes ? little_endian(bytes, size) : 0;
}

/* Skip n bytes, which the file must have. */
static bool skip(struct gguf_reader *r, uint64_t n)
{
	return in_pass(r->in, &r->at, (size_t)n, header, r->err);
}

const char *gguf_name(struct gguf_reader *r, size_t *n)
{
	const uint64_t length = gguf_number(r, 8);

	*n = (size_t)length;
	if (length <= NAME_MOST)
		return (const char *)gguf_take(r, *n);
	fail_file(r->err, r->in->path, "byte %zu: expected a name of up to %d "
		  "bytes, got one of %llu", r->in->at + r->at, NAME_MOST,
		  (unsigned long long)length);
	return NULL;
}

enum {
	INT8 = 1, INT16 = 3, UINT32 = 4, INT32 = 5, FLOAT32 = 6, BOOL = 7,
	STRING = 8, ARRAY = 9, INT64 = 11, FLOAT64 = 12, VALUES = 13,
};

/* Bytes of a value of each type; 0: string and array. */
static const unsigned char sizes[VALUES] = {
	1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8,
};

/* Skip n values of a type. */
static bool skip_values(struct gguf_reader *r, uint64_t type, uint64_t n)
{
	uint64_t bytes;

	if (type != STRING)
		return __builtin_mul_overflow(n, sizes[type], &bytes)
			       ? skip(r, UINT64_MAX) : skip(r, bytes);
	while (n--) {
		bytes = gguf_number(r, 8);
		if (r->err->text[0] || !skip(r, bytes))
			return false;
	}
	return true;
}

/* The type of an array's values instead, and their number; known ones alone. */
static bool read_type(struct gguf_reader *r, uint64_t *type, uint64_t *n)
{
	const bool array = *type == ARRAY;

	if (array) {
		*type = gguf_number(r, 4);
		*n = gguf_number(r, 8);
	}
	if (*type >= VALUES || *type == ARRAY)
		return fail_file(r->err, r->in->path, "byte %zu: %s of type "
				 "%llu, which GGUF does not have",
				 r->in->at + r->at, array ? "an array"
				 : "a value", (unsigned long long)*type);
	return !r->err->text[0];
}

/* Skip a value of a type, or an array of such. */
static bool skip_value(struct gguf_reader *r, uint64_t type)
{
	uint64_t n = 1;

	return read_type(r, &type, &n) && skip_values(r, type, n);
}

/* The number that a float32 was written for: the shortest decimal, 1.1. */
static double shortest(double x)
{
	char text[NUMBER_ROOM + 1];

	if (isfinite(x)) {
		text[number_text(text, x, F32, 0)] = '\0';
		parse_real(text, &x);
	}
	return x;
}

/* A number of a type from its bits. */
static double value_of(uint64_t type, uint64_t bits)
{
	double x;

	switch (type) {
	case INT8:
		return (int8_t)bits;
	case INT16:
		return (int16_t)bits;
	case INT32:
		return (int32_t)bits;
	case INT64:
		return (double)(int64_t)bits;
	case FLOAT32:
		dtype_load(F32, &bits, 1, &x);
		return shortest(x);
	case FLOAT64:
		dtype_load(F64, &bits, 1, &x);
		return x;
	default:
		return (double)bits;
	}
}

/* Read the beginning of a string, and skip the rest of it. */
static bool read_text(struct gguf_reader *r, char text[GGUF_TEXT])
{
	const uint64_t length = gguf_number(r, 8);
	const size_t n = length < GGUF_TEXT ? (size_t)length : GGUF_TEXT - 1;
	const unsigned char *bytes = gguf_take(r, n);

	if (!bytes)
		return false;
	if (memchr(bytes, '\0', n))
		return fail_file(r->err, r->in->path, "byte %zu: a string with "
				 "a NUL byte", r->in->at + r->at - n);
	memcpy(text, bytes, n);
	text[n] = '\0';
	return skip(r, length - n);
}

/* Read n numbers of a type. */
static bool read_numbers(struct gguf_reader *r, uint64_t type, size_t n,
			 double *x)
{
	for (size_t i = 0; i < n && !r->err->text[0]; i++)
		x[i] = value_of(type, gguf_number(r, sizes[type]));
	return !r->err->text[0];
}

/* Read a value of a type, or an array of such, and give it to each(). */
static bool give_value(struct gguf_reader *r, const char *key, uint64_t type)
{
	struct gguf_value v = { .array = type == ARRAY };
	double x[GGUF_VALUES];
	char text[GGUF_TEXT];
	uint64_t n = 1;

	if (!read_type(r, &type, &n))
		return false;
	v.kind = type == STRING ? GGUF_STRING :
		 type == BOOL ? GGUF_BOOL : GGUF_NUMBER;
	if (type == STRING && !v.array) {
		v.text = text;
		if (!read_text(r, text))
			return false;
	} else if (type == STRING || n > GGUF_VALUES) {
		if (!skip_values(r, type, n))
			return false;
	} else {
		v.x = x;
		v.n = (size_t)n;
		if (!read_numbers(r, type, v.n, x))
			return false;
	}
	return r->each(r->self, key, &v, r->err);
}

static bool read_alignment(struct gguf_reader *r, uint64_t type)
{
	const size_t twice = r->alignment;

	r->alignment = type == UINT32 ? (size_t)gguf_number(r, 4) : 0;
	if (!twice && r->alignment && r->alignment % 8 == 0)
		return true;
	return fail_file(r->err, r->in->path, "byte %zu: expected "
			 "general.alignment once, a uint32 that is a multiple "
			 "of 8",
			 r->in->at + r->at);
}

static bool read_key(struct gguf_reader *r)
{
	static const char alignment[] = "general.alignment";
	size_t n = 0;
	const char *key = gguf_name(r, &n);
	const bool given = key && r->each && n < GGUF_TEXT &&
			   !memchr(key, '\0', n);
	char text[GGUF_TEXT] = "";
	uint64_t type;
	bool aligns;

	if (!key)
		return false;
	aligns = n == sizeof alignment - 1 && memcmp(key, alignment, n) == 0;
	memcpy(text, key, given ? n : 0);
	type = gguf_number(r, 4);
	if (r->err->text[0])
		return false;
	return aligns ? read_alignment(r, type) :
	       given ? give_value(r, text, type) : skip_value(r, type);
}

bool gguf_read_keys(struct gguf_reader *r, uint64_t n)
{
	while (n--)
		if (!read_key(r))
			return false;
	return !r->err->text[0];
}
