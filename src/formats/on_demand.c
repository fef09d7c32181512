/* on_demand.c: rows that are read from their file when they are needed. */
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "table/limit.h"
#include "formats/on_demand.h"

enum {
	CHUNK = LIMIT(1 << 14, 1 << 6),        /* bytes to convert; a stack may
						  be small */
	BLOCK_BYTES = LIMIT(1 << 15, 1 << 5),  /* of rows that stay together */
	CACHE_BYTES = LIMIT(1 << 23, 1 << 9),
	BLOCKS_LEAST = 4,
	RUN = 8,               /* blocks of a scan that stay: they fit into a
				  processor's own cache */
};

/* Blocks of rows for callers without scratch. */
struct cache {
	size_t rows;           /* of a block */
	size_t room, asked;    /* blocks in it; how often others were asked */
	double *values;        /* [room, rows, cols] */
	size_t *blocks;        /* [room] which they are, plus 1; 0: none */
	size_t *last_asked;    /* [room] when each was asked for */
	size_t *places;        /* where block b is: [blocks of the table] */
	size_t fetched, run;   /* the block that was read last; how many were
				  read in order up to it */
	size_t first, n;       /* the rows of the last one, and */
	const double *last;    /* where they are: [n, cols] */
};

/* Where the values are. */
struct stored {
	struct input_file file;  /* with a descriptor of its own */
	size_t begin;            /* offset in the file */
	struct element element;
	struct cache cache;
	atomic_bool ended;       /* before the values did */
	atomic_int error;        /* the first of pread(), or 0 */
};

/* Note the failure. Bytes that could not be read are 0. */
static void note_failure(struct stored *s, ssize_t got)
{
	int none = 0;

	if (!got)
		atomic_store(&s->ended, true);
	else
		atomic_compare_exchange_strong(&s->error, &none, errno);
}

/* Read n bytes at an offset of the values. */
static void read_bytes(struct stored *s, size_t at, size_t n,
		       unsigned char *to)
{
	while (n) {
		const ssize_t got = pread(s->file.fd, to, n,
					  (off_t)(s->begin + at));

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0) {
			note_failure(s, got);
			memset(to, 0, n);
			return;
		}
		to += got;
		at += (size_t)got;
		n -= (size_t)got;
	}
}

/* Values first to first + n - 1 to out. */
static void read_values(struct stored *s, size_t first, size_t n, double *out)
{
	const size_t size = s->element.size, most = CHUNK / size;
	unsigned char bytes[CHUNK];

	for (size_t k; n; n -= k, first += k, out += k) {
		k = n < most ? n : most;
		read_bytes(s, first * size, k * size, bytes);
		element_load(s->element, bytes, k, out);
	}
}

/* The state of t, which rows note failures in. */
static struct stored *stored_of(const struct table *t)
{
	return (struct stored *)(uintptr_t)t->state;
}

/* The place that was not asked for for the longest time. */
static size_t oldest_place(const struct cache *c)
{
	size_t place = 0;

	for (size_t k = 1; k < c->room; k++)
		if (c->last_asked[k] < c->last_asked[place])
			place = k;
	return place;
}

/*
 * A place for a block that has none. Of blocks that are read in order only the
 * last few stay, so that a pass over the table leaves the others in the cache.
 */
static size_t place_for(struct cache *c, size_t block)
{
	const size_t before = block - RUN;

	c->run = block == c->fetched + 1 ? c->run + 1 : 1;
	c->fetched = block;
	if (c->run > RUN && c->blocks[c->places[before]] == before + 1)
		return c->places[before];
	return oldest_place(c);
}

/* Put the block of row i into the cache, if it is not there. */
static void fetch_block(const struct table *t, struct stored *s, size_t i)
{
	struct cache *c = &s->cache;
	const size_t block = i / c->rows, all = t->planes * t->rows;
	size_t place = c->places[block];

	c->first = block * c->rows;
	c->n = all - c->first < c->rows ? all - c->first : c->rows;
	if (c->blocks[place] != block + 1) {
		place = place_for(c, block);
		c->places[block] = place;
		c->blocks[place] = block + 1;
		read_values(s, c->first * t->cols, c->n * t->cols,
			    c->values + place * c->rows * t->cols);
	}
	c->last_asked[place] = ++c->asked;
	c->last = c->values + place * c->rows * t->cols;
}

static const double *stored_row(const struct table *t, size_t i,
				double *scratch)
{
	struct stored *s = stored_of(t);

	if (scratch) {
		read_values(s, i * t->cols, t->cols, scratch);
		return scratch;
	}
	if (i - s->cache.first >= s->cache.n)
		fetch_block(t, s, i);
	return s->cache.last + (i - s->cache.first) * t->cols;
}

static void stored_part(const struct table *t, size_t i, size_t first, size_t n,
			double *out)
{
	read_values(stored_of(t), i * t->cols + first, n, out);
}

static void stored_doubles(const struct table *t, size_t first, size_t n,
			   double *out)
{
	read_values(stored_of(t), first * t->cols, n * t->cols, out);
}

static void stored_floats(const struct table *t, size_t first, size_t n,
			  float *out)
{
	read_bytes(stored_of(t), first * t->cols * sizeof *out,
		   n * t->cols * sizeof *out, (unsigned char *)out);
}

static bool stored_broken(const struct table *t)
{
	const struct stored *s = t->state;

	return s->ended || s->error;
}

static void close_stored(void *data)
{
	const struct stored *s = data;

	if (s->file.fd >= 0)
		close(s->file.fd);
}

bool on_demand_suits(const struct input_file *in, struct element e,
		     const struct table *t)
{
	const bool integer = e.kind == 'i' || e.kind == 'u';
	const size_t n = in_left(in) / e.size;

	/* float64 can't tell large integers apart */
	return t->on_demand && in->seeks && !(integer && e.size == 8) &&
	       (n >= t->on_demand || n > memory_for(sizeof(double)));
}

/* Memory for the cache, which is not touched before it is used. */
static bool open_cache(struct cache *c, struct table *t, struct error *err)
{
	const size_t row = t->cols * sizeof *c->values;
	const size_t all = t->planes * t->rows;
	size_t blocks, most;

	c->rows = row < BLOCK_BYTES ? BLOCK_BYTES / row : 1;
	c->rows = c->rows < all ? c->rows : all;
	blocks = (all - 1) / c->rows + 1;
	most = CACHE_BYTES / (c->rows * row);
	most = most > BLOCKS_LEAST ? most : BLOCKS_LEAST;
	c->room = blocks < most ? blocks : most;
	c->values = table_alloc(t, c->room * c->rows, row, err);
	c->blocks = table_alloc(t, c->room, sizeof *c->blocks, err);
	c->last_asked = table_alloc(t, c->room, sizeof *c->last_asked, err);
	c->places = table_alloc(t, blocks, sizeof *c->places, err);
	return c->values && c->blocks && c->last_asked && c->places;
}

bool on_demand_open(struct input_file *in, struct element e, struct table *t,
		    struct error *err)
{
	struct stored *s = table_owned(t, sizeof *s, close_stored, err);

	if (!s)
		return false;
	s->file = *in;
	s->file.fd = fcntl(in->fd, F_DUPFD_CLOEXEC, 0);
	if (s->file.fd < 0)
		return fail_call(err, in->path);
	s->begin = in->at;
	s->element = e;
	if (!open_cache(&s->cache, t, err))
		return false;
	t->row = stored_row;
	t->broken = stored_broken;
	t->doubles = stored_doubles;
	t->part = stored_part;
	if (e.kind == 'f' && e.size == sizeof(float) && !e.big)
		t->floats = stored_floats;
	t->state = s;
	return in_skip(in, in->at + t->planes * t->rows * t->cols * e.size,
		       err);
}

bool on_demand(const struct table *t)
{
	return t->row == stored_row;
}

bool on_demand_check(const struct table *t, struct error *err)
{
	const struct stored *s = t->state;

	if (!on_demand(t))
		return true;
	errno = s->error;
	if (errno)
		return fail_call(err, s->file.path);
	return s->ended ? in_changed(&s->file, err)
			: in_unchanged(&s->file, err);
}
