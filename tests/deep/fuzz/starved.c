/*
 * starved.c: reads any bytes as a file of every format while allocations fail:
 * each of the first ones in turn, and, if the last byte is odd, all after it;
 * none where STARVES is false. Linked with --wrap, so that allocations of the
 * readers come here.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "containers/hdf5.h"
#include "containers/open.h"
#include "recipe/list.h"

struct outcome {
	bool good;
	struct table t;
	struct error err;
};

#ifndef STARVES
#define STARVES true
#endif

enum { ALLOCATIONS = 64 };

/* Allocation number left fails, and if ever, all after it. */
static unsigned left;
static bool ever, failed;

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
	failed = true;
	return STARVES;
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

/* List the tensors; those of HDF5 as the library's process sends them. */
static bool list(const struct format *f, struct input_file *in,
		 struct table *owner, struct error *err)
{
	const struct container *c = f->container;
	struct tensors all = { .owner = owner };
	const bool good = f->process ? hdf5_read_list(&all, in, err)
			  : c->list(&all, in, err) &&
			    (!c->describe || c->describe(&all, in, err));

	free(all.at);
	return good;
}

static bool read_table(const struct format *f, struct input_file *in, size_t n,
		       struct table *t, struct error *err)
{
	const struct raw_kind raw = { 4, F32, 0, 0 };
	const struct read_options options = { &raw, n % 2 ? NULL : "*x*",
					      f->container };
	bool good;

	t->title = options.tensor;
	good = f->read(in, &options, t, err) && table_check(t, err);
	if (good)
		format_bounds(t);
	return good;
}

static void read_once(const struct format *f, bool listed, unsigned at,
		      const uint8_t *data, size_t n, struct outcome *o)
{
	unsigned char *copy = __real_malloc(n + 1);
	struct input_file in;

	*o = (struct outcome){ .t.planes = 1 };
	memcpy(copy, data, n);
	copy[n] = '\0';
	in_memory(&in, "x", copy, n);
	left = at;
	failed = false;
	o->good = listed ? list(f, &in, &o->t, &o->err)
			 : read_table(f, &in, n, &o->t, &o->err);
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
	if (!fed->good || !s->row)
		return;
	must(s->planes == t->planes && s->rows == t->rows &&
	     s->cols == t->cols && s->dtype == t->dtype, "two shapes");
	must(memcmp(s->row(s, 0, NULL), t->row(t, 0, NULL),
		    s->end * s->cols * sizeof(double)) == 0, "two tables");
}

static void starve(const struct format *f, bool listed, const uint8_t *data,
		   size_t n)
{
	struct outcome fed, starved;

	read_once(f, listed, 0, data, n, &fed);
	failed = true;
	for (unsigned at = 1; failed && at <= ALLOCATIONS; at++) {
		read_once(f, listed, at, data, n, &starved);
		compare(&fed, &starved);
		table_close(&starved.t);
	}
	table_close(&fed.t);
}

/* The same of a list of numbers. */
static void starve_list(const uint8_t *data, size_t n)
{
	char *text = __real_malloc(n + 1);

	memcpy(text, data, n);
	text[n] = '\0';
	failed = true;
	for (unsigned at = 1; failed && at <= ALLOCATIONS; at++) {
		struct table owner = { 0 };
		struct error err = { 0 };
		struct list list;
		bool good;

		left = at;
		failed = false;
		good = list_read(&list, text, "--list", &owner, &err);
		left = 0;
		must(good == !err.text[0], "an error without a sentence");
		table_close(&owner);
	}
	free(text);
}

int fuzz_starved(const uint8_t *data, size_t n)
{
	const struct format *f;

	ever = n && data[n - 1] % 2;
	for (size_t i = 0; n && (f = format_known(i)); i++) {
		if (f->container)
			starve(f, true, data, n);
		if (f->read && !f->process)
			starve(f, false, data, n);
	}
	starve_list(data, n);
	return 0;
}
