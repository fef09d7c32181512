/*
 * views.c: inspects, compares and identifies any small tables: the last byte
 * says how many columns they have, the one before it their dtype; without
 * columns the bytes tell the format.
 */
#define _GNU_SOURCE  /* memfd_create */
#include <string.h>

#include "containers/open.h"
#include "formats/report.h"
#include "memory.h"
#include "recipes.h"

int fuzz_inspect(const uint8_t *data, size_t n);
int fuzz_compare(const uint8_t *data, size_t n);
int fuzz_identify(const uint8_t *data, size_t n);

static bool read_table(struct table *t, const uint8_t *data, size_t n,
		       const uint8_t kind[2])
{
	const struct raw_kind raw = { kind[1] % 17, kind[0] % DTYPES, 0, 0 };
	struct error err = { 0 };
	char path[MEMORY_PATH];
	const int fd = memory_file(data, n, path);
	const bool good = format_read(path, &raw, t, &err);

	close(fd);
	if (good != !err.text[0])
		abort();
	t->title = t->from.command = "x";
	return good;
}

/* What a command would print, as text and as JSON. */
static void print(const struct table *t, const struct report *report)
{
	struct error err = { 0 };
	struct output_file o;

	if (!out_open(&o, "/dev/null", &err))
		abort();
	report_show(report, &o);
	report_json(t, report, &o);
	if (!out_finish(&o, &err))
		abort();
	out_close(&o);
}

/* A report or one sentence. */
static void view(const char *name, const struct table *inputs)
{
	struct error err = { 0 };
	const struct recipe *r = recipe_find(name, &err);
	struct table t = { 0 };
	struct fields fields = { .read = format_read };
	struct report report = { 0 };
	bool good;

	if (!recipe_begin(r, &t, &fields, &err) ||
	    (strcmp(name, "identify") == 0 &&
	     !recipe_set(r, &fields, "seconds", "0.001", &err)))
		abort();
	good = recipe_report(r, &fields, inputs, &t, &report, &err);
	if (good != !err.text[0] || (good && !report.headline))
		abort();
	if (good)
		print(&t, &report);
	table_close(&t);
}

static int view_one(const char *name, const uint8_t *data, size_t n)
{
	struct table t = { 0 };

	if (n > 2 && read_table(&t, data, n - 2, data + n - 2))
		view(name, &t);
	table_close(&t);
	return 0;
}

int fuzz_inspect(const uint8_t *data, size_t n)
{
	return view_one("inspect", data, n);
}

int fuzz_identify(const uint8_t *data, size_t n)
{
	return view_one("identify", data, n);
}

/* The halves of a file are two tables. */
int fuzz_compare(const uint8_t *data, size_t n)
{
	const size_t half = n > 2 ? (n - 2) / 2 : 0;
	struct table t[2] = { { 0 }, { 0 } };

	if (half && read_table(&t[0], data, half, data + n - 2) &&
	    read_table(&t[1], data + half, half, data + n - 2))
		view("compare", t);
	table_close(&t[0]);
	table_close(&t[1]);
	return 0;
}
