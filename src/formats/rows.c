/* rows.c: rows of a table into bytes, in blocks, by threads. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "table/blocks.h"
#include "formats/rows.h"

/* A progress bar on standard error. */
struct progress {
	size_t all;          /* number of rows; 0: no bar */
	double began, next;  /* in seconds */
	bool shown;          /* a bar is on the screen */
};

enum { WIDTH = 40 };

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void send(const char *text)
{
	const ssize_t done = write(STDERR_FILENO, text, strlen(text));

	(void)done;  /* failures don't matter */
}

/* Begin a bar for a number of rows; none for 0. */
static void progress_begin(struct progress *p, size_t all)
{
	*p = (struct progress){ .all = all };
	if (!all)
		return;
	p->began = seconds();
	p->next = p->began + 1;
}

/* Show the number of rows that are done, after the first second. */
static void progress_show(struct progress *p, size_t done)
{
	static const char full[] = "########################################";
	const double now = p->all ? seconds() : 0;
	const double part = (double)done / (double)p->all;
	char text[120];

	if (!p->all || !done || now < p->next)
		return;
	snprintf(text, sizeof text, "\r[%-*.*s] %3.0f%%  %.0f s left \033[K",
		 WIDTH, (int)(part * (double)WIDTH), full, 100 * part,
		 (now - p->began) * (1 - part) / part);
	send(text);
	p->shown = true;
	p->next = now + 0.1;
}

/* Remove the bar. */
static void progress_end(struct progress *p)
{
	if (p->shown)
		send("\r\033[K");
}

/* Write the prefix or the end of row i; the length. */
static size_t row_begin(const struct row_writer *r, size_t i, char *to)
{
	return r->before ? r->before(r, i, to) : 0;
}

static size_t row_end(const struct row_writer *r, char *to)
{
	const size_t n = strlen(r->after);

	memcpy(to, r->after, n);
	return n;
}

enum {
	CHUNK = 64,
	ROOM = 1 << 18,
	MOST = 1 << 22,  /* maximum of diagonals */
};

/* The values of a plane's diagonals as bytes. */
struct slices {
	const struct row_writer *r;
	char *bytes;       /* capacity for the longest text */
	uint32_t *offset;  /* [n + 1] of each value; NULL: equal sizes */
	size_t n;          /* rows - 1 + cols */
	char *room;        /* [ROOM], buffer of rows */
	size_t used;
};

static size_t offset(const struct slices *s, size_t k)
{
	return s->offset ? s->offset[k] : k * s->r->number_room;
}

/* Convert values first to first + n - 1, each with a separator if any. */
static size_t make_some(const struct slices *s, size_t plane, size_t first,
			size_t n, char *to)
{
	const struct row_writer *r = s->r;
	const struct table *t = r->t;
	double x[CHUNK];
	float f[CHUNK];
	char *at = to;

	table_diagonals(t, plane, first, n, x);
	if (!r->numbers) {
		dtype_store(t->dtype, x, n, to);
		return n * r->number_room;
	}
	for (size_t i = 0; i < n; i++) {
		const struct numbers one = {
			.f = t->dtype == F32 ? f + i : NULL, .d = x + i,
		};

		x[i] = dtype_round(t->dtype, x[i]);
		f[i] = t->dtype == F32 ? (float)x[i] : 0;
		if (s->offset)
			s->offset[first + i] = (uint32_t)(at - s->bytes);
		at += r->numbers(r, one, 1, at);
		if (r->separator)
			*at++ = r->separator;
	}
	return (size_t)(at - to);
}

/* Convert all values of a plane. */
static void make_plane(struct slices *s, size_t plane)
{
	size_t used = 0;

	for (size_t k = 0; k < s->n; k += CHUNK) {
		const size_t n = s->n - k < CHUNK ? s->n - k : CHUNK;

		used += make_some(s, plane, k, n, s->bytes + used);
	}
	if (s->offset)
		s->offset[s->n] = (uint32_t)used;
}

static bool drain(struct slices *s, rows_taker *take, void *taker)
{
	const size_t n = s->used;

	s->used = 0;
	return !n || take(taker, (unsigned char *)s->room, n);
}

/* Append row i to the buffer, or pass it on directly if it is long. */
static bool give_row(struct slices *s, size_t i, rows_taker *take, void *taker)
{
	const struct row_writer *r = s->r;
	const struct table *t = r->t;
	const size_t first = t->rows - 1 - i % t->rows;
	const size_t from = offset(s, first);
	const size_t n = offset(s, first + t->cols) - from - !!r->separator;
	const size_t around = r->before_room + strlen(r->after);

	if (ROOM - s->used < n + around && !drain(s, take, taker))
		return false;
	s->used += row_begin(r, i, s->room + s->used);
	if (n + around > (around ? ROOM / 2 : ROOM / 8)) {
		if (!drain(s, take, taker) ||
		    !take(taker, (unsigned char *)s->bytes + from, n))
			return false;
	} else {
		memcpy(s->room + s->used, s->bytes + from, n);
		s->used += n;
	}
	s->used += row_end(r, s->room + s->used);
	return true;
}

static void give_all(struct slices *s, rows_taker *take, void *taker,
		     struct progress *progress)
{
	const struct table *t = s->r->t;

	for (size_t i = t->begin; i < t->end; i++) {
		if (i == t->begin || i % t->rows == 0)
			make_plane(s, i / t->rows);
		if (!give_row(s, i, take, taker))
			return;
		progress_show(progress, i - t->begin);
	}
	drain(s, take, taker);
}

/* Whether slices are faster: t has diagonals, fewer than half its values. */
static bool slices_are_faster(const struct table *t)
{
	const double diagonals = (double)(t->rows - 1) + (double)t->cols;
	const double numbers = (double)(t->end - t->begin) * (double)t->cols;

	return t->at_distance && diagonals < (double)MOST &&
	       2 * diagonals < numbers;
}

/*
 * As rows_give() for a table with constant diagonals: each value is converted
 * once, and each row is a slice of the result.
 */
static bool slices_give(const struct row_writer *r, rows_taker *take,
			void *taker, struct progress *progress,
			struct error *err)
{
	struct slices s = {
		.r = r, .n = r->t->rows - 1 + r->t->cols,
		.room = malloc(ROOM),
	};
	bool good;

	s.bytes = malloc((r->number_room + 1) * s.n);
	if (r->separator)
		s.offset = malloc((s.n + 1) * sizeof *s.offset);
	good = s.room && s.bytes && (s.offset || !r->separator);
	if (good)
		give_all(&s, take, taker, progress);
	else
		fail_memory(err);
	free(s.bytes);
	free(s.offset);
	free(s.room);
	return good;
}

enum {
	BLOCK_BYTES = 1 << 18,  /* fits the L2 cache of a core */
	SMALL_BYTES = 1 << 15,  /* for small tables: new pages cost time */
	SMALL_ROWS = 1 << 10,
};

/*
 * Rows first to first + n - 1 as text. scratch has the values of all, floats or
 * doubles, then what table_rows() needs.
 */
static size_t make_rows(const void *self, size_t first, size_t n,
			void *scratch, unsigned char *to)
{
	const struct row_writer *r = self;
	const struct table *t = r->t;
	const bool single = t->dtype == F32;
	const float *f = scratch;
	double *d = scratch;
	char *at = (char *)to;

	table_rows(t, single ? F32 : F64, first, n, d + n * t->cols, scratch);
	for (size_t k = 0; !single && k < n * t->cols; k++)
		d[k] = dtype_round(t->dtype, d[k]);
	for (size_t i = 0; i < n; i++) {
		const struct numbers x = {
			.f = single ? f + i * t->cols : NULL,
			.d = d + i * t->cols,
		};

		at += row_begin(r, first + i, at);
		at += r->numbers(r, x, t->cols, at);
		at += row_end(r, at);
	}
	return (size_t)(at - (char *)to);
}

/* The same as values of t's dtype, with nothing between them. */
static size_t make_binary(const void *self, size_t first, size_t n,
			  void *scratch, unsigned char *to)
{
	const struct table *t = ((const struct row_writer *)self)->t;

	table_rows(t, t->dtype, first, n, scratch, to);
	return n * t->cols * dtype_size(t->dtype);
}

/* The number of rows of a block, by the size of a cache. */
static size_t block_rows(const struct table *t, size_t row_bytes)
{
	const size_t rows = t->end - t->begin;
	const size_t bytes = rows > SMALL_ROWS ? BLOCK_BYTES : SMALL_BYTES;
	const size_t n = table_block(t, bytes, row_bytes);

	return n < rows ? n : rows;
}

/* Passes blocks on while rows can be read, and counts rows for progress. */
struct progress_taker {
	rows_taker *take;
	void *taker;
	const struct table *t;
	struct progress *progress;
	size_t rows, done;
};

static bool take_and_show(void *taker, const unsigned char *bytes, size_t n)
{
	struct progress_taker *m = taker;

	progress_show(m->progress, m->done);
	m->done += m->rows;
	return !(m->t->broken && m->t->broken(m->t)) &&
	       m->take(m->taker, bytes, n);
}

static bool give_blocks(const struct row_writer *r, rows_taker *take,
			void *taker, struct progress *progress,
			struct error *err)
{
	const struct table *t = r->t;
	const size_t bytes = r->before_room + t->cols * r->number_room +
			     strlen(r->after);
	const size_t rows = block_rows(t, bytes);
	const size_t values = r->numbers ? rows * t->cols * sizeof(double) : 0;
	struct progress_taker m = { take, taker, t, progress, rows, 0 };
	const struct blocks b = {
		.begin = t->begin, .end = t->end, .rows = rows,
		.bytes = rows * bytes,
		.scratch = values + table_scratch(t, t->dtype, rows),
		.make = r->numbers ? make_rows : make_binary, .self = r,
		.take = take_and_show, .taker = &m,
	};

	return blocks_run(&b, r->style->threads, err);
}

bool rows_give(const struct row_writer *r, rows_taker *take, void *taker,
	       struct error *err)
{
	const struct table *t = r->t;
	struct progress progress;
	bool good;

	progress_begin(&progress, r->style->progress ? t->end - t->begin : 0);
	good = slices_are_faster(t)
		? slices_give(r, take, taker, &progress, err)
		: give_blocks(r, take, taker, &progress, err);
	progress_end(&progress);
	return good;
}

static bool take_bytes(void *taker, const unsigned char *bytes, size_t n)
{
	struct output_file *o = taker;

	out_bytes(o, bytes, n);
	return !o->err.text[0];
}

void rows_send(const struct row_writer *r, struct output_file *o)
{
	struct error err = { 0 };

	if (!rows_give(r, take_bytes, o, &err))
		out_fail(o, err.text);
}

void rows_binary(const struct table *t, const struct style *style,
		 struct output_file *o)
{
	rows_send(&(struct row_writer){ .t = t, .style = style, .after = "",
				  .number_room = dtype_size(t->dtype) }, o);
}

size_t rows_binary_size(const struct table *t)
{
	return (t->end - t->begin) * t->cols * dtype_size(t->dtype);
}

size_t rows_text_size(const struct table *t, bool *exact)
{
	*exact = false;
	/* At least a digit and a separator per value. */
	return (t->end - t->begin) * t->cols * 2;
}
