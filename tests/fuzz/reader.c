/* reader.c: reads any bytes as a file of a format, in every way. */
#define _GNU_SOURCE  /* memfd_create */
#include <string.h>

#include "formats/format.h"
#include "memory.h"
#include "reader.h"

enum { WINDOW = 16 };

/* Files take five times as long as memory: one input in FILED_OF is a file. */
#ifndef FILED_OF
#define FILED_OF 1
#endif

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
	in->path = "x";
	in->least = WINDOW;
}

static void read_once(const struct format *f,
		      const struct read_options *options, enum way way,
		      const uint8_t *data, size_t n, struct outcome *o)
{
	unsigned char *copy = malloc(n + 1);
	struct input_file in;
	int fd = -1;

	*o = (struct outcome){ .t.planes = 1 };
	must(copy, "no memory");
	memcpy(copy, data, n);
	copy[n] = '\0';
	if (way == MEMORY)
		in_memory(&in, "x", copy, n);
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
	/* Of shards another file */
	must(o->good || (f->container ? o->err.about_file
				      : strncmp(o->err.text, "x:", 2) == 0),
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
		n ? data[n - 1] % 8 : 0, n ? data[0] % DTYPES : NO_CHOICE,
	};
	const struct read_options options = { &raw, n % 2 ? NULL : "*x*" };
	struct outcome first, o;

	read_once(f, &options, MEMORY, data, n, &first);
	if (first.good)
		use(&first.t);
	for (enum way way = FILED; way < WAYS && filed(data, n); way++) {
		read_once(f, &options, way, data, n, &o);
		compare(&first, &o, way);
		table_close(&o.t);
	}
	table_close(&first.t);
}
