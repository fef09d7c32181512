/* reader.c: reads any bytes as a file of a format, in every way. */
#define _GNU_SOURCE  /* memfd_create */
#include <math.h>
#include <string.h>

#include "containers/open.h"
#include "containers/tensors.h"
#include "formats/on_demand.h"
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

/*
 * Names of files of models in several: the first, whose third is missing and
 * whose second is good, broken, or a folder; and a second one.
 */
#define BESIDE "tests/deep/fuzz/beside/"
static const char *const names[] = {
	BESIDE "x-00001-of-00003.gguf", BESIDE "y-00001-of-00003.gguf",
	BESIDE "z-00001-of-00003.gguf", BESIDE "x-00002-of-00003.gguf",
};

static const char *const patterns[] = { NULL, "*x*", "x", "weight" };

/*
 * Where the bytes come from, and how they are read: at once, as float32 where
 * that is exact, when rows are asked for, the same of a file that has shrunk
 * since, or with a failure after some bytes.
 */
enum way {
	MEMORY, FILED, PIPED, COMPACT, ON_DEMAND, SHRUNK, BROKEN, BROKEN_PIPE,
	WAYS
};

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
	in->path = names[n % 4];
	in->least = WINDOW;
}

static unsigned sum_of(const uint8_t *data, size_t n)
{
	unsigned sum = (unsigned)n;

	for (size_t i = 0; i < n; i++)
		sum = sum * 31 + data[i];
	return sum;
}

/* After how many bytes reading fails, where it does. */
static size_t most_of(const uint8_t *data, size_t n)
{
	return sum_of(data, n) / FILED_OF % (n + 1) + 1;
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

static bool is_about(const struct error *err, const char *name)
{
	const size_t n = strlen(name);

	return strncmp(err->text, name, n) == 0 && err->text[n] == ':';
}

static void read_once(const struct format *f,
		      const struct read_options *options, enum way way,
		      const uint8_t *data, size_t n, struct outcome *o)
{
	unsigned char *copy = copy_of(data, n);
	struct input_file in;
	int fd = -1;

	*o = (struct outcome){ .t.planes = 1 };
	/* As format_read() names it, of FILE:NAME */
	o->t.title = options->tensor;
	o->t.compact = way == COMPACT;
	o->t.on_demand = way == ON_DEMAND || way == SHRUNK;
	if (way == MEMORY)
		in_memory(&in, names[n % 4], copy, n);
	else
		open_file(&in, data, n, &fd);
	if (way == PIPED || way == BROKEN_PIPE) {
		in.seeks = false;
		in.size = SIZE_MAX;
	}
	if (way == BROKEN || way == BROKEN_PIPE)
		in.most = most_of(data, n);
	o->good = in_read(&in, FIRST_BYTES, &o->err) &&
		  f->read(&in, options, &o->t, &o->err) &&
		  table_check(&o->t, &o->err);
	if (o->good && !on_demand(&o->t))
		format_bounds(&o->t);
	if (way == SHRUNK)
		must(ftruncate(fd, (off_t)(sum_of(data, n) % (n + 1))) == 0,
		     "no shorter file");
	in_close(&in);
	free(copy);
	if (fd >= 0)
		close(fd);
	must(o->good == !o->err.text[0], "an error without a sentence");
	/* Of containers another file */
	must(o->good || (f->container ? o->err.about_file
			 : is_about(&o->err, names[n % 4])),
	     "a sentence that names no file");
}

/*
 * Whether the sentence may be about text that is too long for a window, or was
 * checked before its begin was read; what is in memory as a whole is not.
 */
static bool is_long(const struct error *err)
{
	return strstr(err->text, "MB, got a longer one") ||
	       strstr(err->text, "got a NUL byte");
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
	const bool good = tensors_read(c, in, all, one, &t, &err) &&
			  table_check(&t, &err);

	must(good == !err.text[0], "an error without a sentence");
	if (good)
		use(&t);
	table_close(&t);
}

/*
 * List the tensors, as all commands on models do, and read the first ones; if
 * most is not 0, of a file that can be read up to there.
 */
static void list(const struct container *c, const uint8_t *data, size_t n,
		 size_t most)
{
	struct table owner = { .planes = 1 };
	struct tensors all = { .owner = &owner };
	struct error err = { 0 };
	struct input_file in;
	unsigned char *copy = copy_of(data, n);
	int fd = -1;
	bool good;

	if (most)
		open_file(&in, data, n, &fd);
	else
		in_memory(&in, names[n % 4], copy, n);
	in.most = most ? most : in.most;
	good = in_read(&in, FIRST_BYTES, &err) && c->list(&all, &in, &err) &&
	       (!c->describe || c->describe(&all, &in, &err));
	must(good == !err.text[0], "an error without a sentence");
	must(!good || all.n, "a list of nothing");
	for (size_t i = 0; good && i < all.n && i < TENSORS; i++)
		read_tensor(c, &in, &all, &all.at[i]);
	free(all.at);
	in_close(&in);
	table_close(&owner);
	free(copy);
	if (fd >= 0)
		close(fd);
}

/* The second one's rows may need scratch, and come in any order. */
static void compare_rows(const struct table *s, const struct table *t)
{
	const size_t bytes = s->cols * sizeof(double);
	double *scratch = t->compact ? malloc(bytes) : NULL;

	must(scratch || !t->compact, "no memory");
	for (size_t i = 0; i < s->end; i++) {
		const size_t k = i % 2 ? s->end - 1 - i / 2 : i / 2;

		must(memcmp(s->row(s, k, NULL), t->row(t, k, scratch),
			    bytes) == 0, "two tables");
	}
	free(scratch);
}

/* Several rows at a time and parts of them are the rows that are in memory. */
static void compare_parts(const struct table *s, const struct table *t)
{
	const size_t n = s->end * s->cols, half = s->cols / 2;
	const double *all = s->row(s, 0, NULL);
	double *x = malloc(n * sizeof *x);
	float *f = malloc(n * sizeof *f);

	must(x && f, "no memory");
	t->doubles(t, 0, t->end, x);
	must(memcmp(x, all, n * sizeof *x) == 0, "two tables");
	must(memcmp(t->row(t, 0, x), all, s->cols * sizeof *x) == 0,
	     "two rows");
	t->part(t, t->end - 1, half, t->cols - half, x);
	must(memcmp(x, all + n - s->cols + half,
		    (t->cols - half) * sizeof *x) == 0, "two rows");
	must(!t->broken(t), "a failure that was none");
	if (t->floats)
		t->floats(t, 0, t->end, f);
	for (size_t i = 0; t->floats && i < n; i++)
		must((double)f[i] == all[i] || isnan(all[i]), "two numbers");
	free(x);
	free(f);
}

/* Rows of a file that has shrunk: those of before, or the failure is known. */
static void use_shrunk(const struct table *t)
{
	struct error err = { 0 };

	use(t);
	must(on_demand_check(t, &err) == !err.text[0],
	     "an error without a sentence");
	must(!err.text[0] || on_demand(t), "a failure of memory");
}

static void compare(const struct outcome *a, const struct outcome *b,
		    enum way way)
{
	const struct table *s = &a->t, *t = &b->t;

	/* What follows the chosen tensor in a pipe is not read. */
	if (a->good != b->good && !is_long(&b->err) && way < BROKEN)
		must(way == PIPED && b->good, "read in one way only");
	if (!a->good && !b->good && way == FILED && !is_long(&b->err))
		must(strcmp(a->err.text, b->err.text) == 0, "two sentences");
	if (b->good && way == SHRUNK)
		use_shrunk(t);
	if (!a->good || !b->good)
		return;
	must(s->planes == t->planes && s->rows == t->rows &&
	     s->cols == t->cols && s->dtype == t->dtype, "two shapes");
	if (way == SHRUNK)
		return;
	compare_rows(s, t);
	if (on_demand(t))
		compare_parts(s, t);
}

void fuzz_reader(const char *format, const uint8_t *data, size_t n)
{
	const struct format *f = find(format);
	const struct raw_kind raw = {
		n ? data[n - 1] % 8 : 0, n ? data[0] % DTYPES : NO_CHOICE, 0, 0,
	};
	const struct read_options options = { &raw, patterns[n / 4 % 4],
					      f->container };
	const bool filed = sum_of(data, n) % FILED_OF == 0;
	struct outcome first, o;

	if (f->recognizes)
		f->recognizes(data, n);
	read_once(f, &options, MEMORY, data, n, &first);
	if (first.good)
		use(&first.t);
	for (enum way way = FILED; filed && way < WAYS; way++) {
		read_once(f, &options, way, data, n, &o);
		compare(&first, &o, way);
		table_close(&o.t);
	}
	table_close(&first.t);
	if (f->container)
		list(f->container, data, n, 0);
	if (f->container && filed)
		list(f->container, data, n, most_of(data, n));
}
