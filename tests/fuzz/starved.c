/*
 * starved.c: any bytes as a file of every format where memory is short: the
 * last byte says at which allocation, the one before it whether for ever.
 * Linked with --wrap, so that what the readers ask for comes here.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/format.h"

struct outcome {
	bool good;
	struct table t;
	struct error err;
};

/* The left-th allocation fails, and if ever, all behind it. */
static unsigned left;
static bool ever;

int fuzz_starved(const uint8_t *data, size_t n);
void *__real_malloc(size_t n);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t n);
void *__wrap_malloc(size_t n);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t n);

static bool fails(void)
{
	if (!left || --left)
		return false;
	left = ever;
	return true;
}

void *__wrap_malloc(size_t n)
{
	return fails() ? NULL : __real_malloc(n);
}

void *__wrap_calloc(size_t n, size_t size)
{
	return fails() ? NULL : __real_calloc(n, size);
}

void *__wrap_realloc(void *p, size_t n)
{
	return fails() ? NULL : __real_realloc(p, n);
}

static void must(bool holds, const char *what)
{
	if (!holds) {
		fprintf(stderr, "%s\n", what);
		abort();
	}
}

static void read_once(const struct format *f, unsigned at, const uint8_t *data,
		      size_t n, struct outcome *o)
{
	const struct raw_kind raw = { 4, F32 };
	const struct asked asked = { &raw, n % 2 ? NULL : "*x*" };
	unsigned char *copy = __real_malloc(n + 1);
	struct in in;

	*o = (struct outcome){ .t.planes = 1 };
	memcpy(copy, data, n);
	copy[n] = '\0';
	in_memory(&in, "x", copy, n);
	left = at;
	o->good = f->read(&in, &asked, &o->t, &o->err) &&
		  table_check(&o->t, &o->err) && format_bounds(&o->t, &o->err);
	left = 0;
	in_close(&in);
	free(copy);
	must(o->good == !o->err.text[0], "an error without a sentence");
}

/* Short memory is told, or nothing came of it. */
static void compare(const struct outcome *fed, const struct outcome *starved)
{
	const struct table *s = &fed->t, *t = &starved->t;

	if (starved->err.memory)
		return;
	must(fed->good == starved->good, "read without memory only");
	must(strcmp(fed->err.text, starved->err.text) == 0, "two sentences");
	if (!fed->good)
		return;
	must(s->planes == t->planes && s->rows == t->rows &&
	     s->cols == t->cols && s->dtype == t->dtype, "two shapes");
	must(memcmp(s->row(s, 0, NULL), t->row(t, 0, NULL),
		    s->end * s->cols * sizeof(double)) == 0, "two tables");
}

int fuzz_starved(const uint8_t *data, size_t n)
{
	const struct format *f;
	struct outcome fed, starved;

	ever = n > 1 && data[n - 2] % 2;
	for (size_t i = 0; n && (f = format_at(i)); i++) {
		if (!f->read)
			continue;
		read_once(f, 0, data, n, &fed);
		read_once(f, data[n - 1] % 32 + 1, data, n, &starved);
		compare(&fed, &starved);
		table_close(&fed.t);
		table_close(&starved.t);
	}
	return 0;
}
