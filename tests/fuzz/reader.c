/* reader.c: reads any bytes as a file of a format, in every way. */
#define _GNU_SOURCE  /* memfd_create */
#include <string.h>

#include "containers/tensors.h"
#include "memory.h"
#include "reader.h"

enum {
	WINDOW = 16,
	TENSORS = 4,  /* that are read of a list */
};

/* Files take five times as long as memory: one input in FILED_OF is a file. */
#ifndef FILED_OF
#define FILED_OF 1
#endif

/* A name of a first file of several; the second and others lie beside it. */
#define FILE_NAME "tests/fuzz/beside/x-00001-of-00003.gguf"

/* Where the bytes come from. */
enum way { MEMORY, FILED, PIPED, WAYS };

struct outcome {
	bool good;
	struct table t;
	struct error err;
};

static void must(bool holds, const char *what)
{
	if (!holds) {
		fprintf(stderr, "%s\n", what);
		abort();
	}
}

static const struct format *find(const char *name)
{
	const struct format *f = NULL;

	for (size_t i = 0; (f = format_known(i)) && strcmp(f->name, name); i++)
		;
	must(f, "no such format");
	return f;
}

/* Make and open a file that holds data. */
static void open_file(struct input_file *in, const uint8_t *data, size_t n,
		      int *fd)
{
	struct error err = { 0 };
	char path[MEMORY_PATH];

	*fd = memory_file(data, n, path);
	must(in_open(in, path, &err), "no window");
	in->path = FILE_NAME;
	in->least = WINDOW;
}

/* The bytes, a NUL behind them. */
static unsigned char *copy_of(const uint8_t *data, size_t n)
{
	unsigned char *copy = malloc(n + 1);

	must(copy, "no memory");
	memcpy(copy, data, n);
	copy[n] = '\0';
	return copy;
}

static void read_once(const struct format *f,
		      const struct read_options *options, enum way way,
		      const uint8_t *data, size_t n, struct outcome *o)
{
	unsigned char *copy = copy_of(data, n);
	struct input_file in;
	int fd = -1;

	*o = (struct outcome){ .t.planes = 1 };
	if (way == MEMORY)
		in_memory(&in, FILE_NAME, copy, n);
	else
		open_file(&in, data, n, &fd);
	if (way == PIPED) {
		in.seeks = false;
		in.size = SIZE_MAX;
	}
	o->good = in_read(&in, FIRST_BYTES, &o->err) &&
		  f->read(&in, options, &o->t, &o->err) &&
		  table_check(&o->t, &o->err);
	if (o->good)
		format_bounds(&o->t);
	in_close(&in);
	free(copy);
	if (fd >= 0)
		close(fd);
	must(o->good == !o->err.text[0], "an error without a sentence");
	/* Of containers another file */
	must(o->good || (f->container ? o->err.about_file
			 : strncmp(o->err.text, FILE_NAME ":",
				   sizeof FILE_NAME) == 0),
	     "a sentence that names no file");
}

/* Every row can be computed, and its values are values of the dtype. */
static void use(const struct table *t)
{
	must(t->end && t->cols, "a table of nothing");
	for (size_t i = 0; i < t->end; i++) {
		const double *x = t->row(t, i, NULL);

		for (size_t j = 0; j < t->cols; j++)
			must(dtype_holds(t->dtype, x[j]),
			     "a number that its dtype cannot hold");
	}
}

/* Read a tensor of a list. */
static void read_tensor(const struct container *c, struct input_file *in,
			const struct tensors *all, const struct tensor *one)
{
	struct table t = { .planes = 1 };
	struct error err = { 0 };
	const bool good = c->read(in, all, one, &t, &err) &&
			  table_check(&t, &err);

	must(good == !err.text[0], "an error without a sentence");
	if (good)
		use(&t);
	table_close(&t);
}

/* List the tensors, as all commands on models do, and read the first ones. */
static void list(const struct container *c, const uint8_t *data, size_t n)
{
	struct table owner = { .planes = 1 };
	struct tensors all = { .owner = &owner };
	struct error err = { 0 };
	struct input_file in;
	unsigned char *copy = copy_of(data, n);
	bool good;

	in_memory(&in, FILE_NAME, copy, n);
	good = c->list(&all, &in, &err) &&
	       (!c->describe || c->describe(&all, &in, &err));
	must(good == !err.text[0], "an error without a sentence");
	must(!good || all.n, "a list of nothing");
	for (size_t i = 0; good && i < all.n && i < TENSORS; i++)
		read_tensor(c, &in, &all, &all.at[i]);
	free(all.at);
	in_close(&in);
	table_close(&owner);
	free(copy);
}

static void compare(const struct outcome *a, const struct outcome *b,
		    enum way way)
{
	const struct table *s = &a->t, *t = &b->t;

	/* What follows the chosen tensor in a pipe is not read. */
	if (a->good != b->good)
		must(way == PIPED && b->good, "read in one way only");
	if (!a->good && !b->good && way == FILED)
		must(strcmp(a->err.text, b->err.text) == 0, "two sentences");
	if (!a->good || !b->good)
		return;
	must(s->planes == t->planes && s->rows == t->rows &&
	     s->cols == t->cols && s->dtype == t->dtype, "two shapes");
	must(memcmp(s->row(s, 0, NULL), t->row(t, 0, NULL),
		    s->end * s->cols * sizeof(double)) == 0, "two tables");
}

static bool filed(const uint8_t *data, size_t n)
{
	unsigned sum = (unsigned)n;

	for (size_t i = 0; i < n; i++)
		sum = sum * 31 + data[i];
	return sum % FILED_OF == 0;
}

void fuzz_reader(const char *format, const uint8_t *data, size_t n)
{
	const struct format *f = find(format);
	const struct raw_kind raw = {
		n ? data[n - 1] % 8 : 0, n ? data[0] % DTYPES : NO_CHOICE, 0,
	};
	const struct read_options options = { &raw, n % 2 ? NULL : "*x*" };
	struct outcome first, o;

	if (f->recognizes)
		f->recognizes(data, n);
	read_once(f, &options, MEMORY, data, n, &first);
	if (first.good)
		use(&first.t);
	for (enum way way = FILED; way < WAYS && filed(data, n); way++) {
		read_once(f, &options, way, data, n, &o);
		compare(&first, &o, way);
		table_close(&o.t);
	}
	table_close(&first.t);
	if (f->container)
		list(f->container, data, n);
}
