/*
 * starved.c: reads any bytes as a file of every format while allocations fail:
 * the last byte says which one, the byte before it whether all later ones, too.
 * Linked with --wrap, so that allocations of the readers come here.
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

/* Allocation number left fails, and if ever, all after it. */
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
	const struct read_options options = { &raw, n % 2 ? NULL : "*x*" };
	unsigned char *copy = __real_malloc(n + 1);
	struct input_file in;

	*o = (struct outcome){ .t.planes = 1 };
	memcpy(copy, data, n);
	copy[n] = '\0';
	in_memory(&in, "x", copy, n);
	left = at;
	o->good = f->read(&in, &options, &o->t, &o->err) &&
		  table_check(&o->t, &o->err);
	if (o->good)
		format_bounds(&o->t);
	left = 0;
	in_close(&in);
	free(copy);
	must(o->good == !o->err.text[0], "an error without a sentence");
}

/* Reading succeeds or reports that memory ran out. */
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
	for (size_t i = 0; n && (f = format_known(i)); i++) {
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
