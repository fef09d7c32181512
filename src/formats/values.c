/* values.c: values of files as bytes into tables, and memory for them. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "table/limit.h"
#include "formats/on_demand.h"

/* Values that any machine has memory for. */
enum { SMALL = LIMIT(1 << 23, 1 << 10) };

/*
 * How many values the whole file may have, if as many follow as were in its
 * bytes up to the window; 0 where its size is not known.
 */
static size_t likely_values(const struct values *g)
{
	const struct input_file *in = g->in;

	if (in->size == SIZE_MAX || !in->at)
		return 0;
	return (size_t)((double)g->n / (double)in->at * (double)in->size);
}

static size_t greatest(size_t a, size_t b)
{
	return a > b ? a : b;
}

bool values_reserve(struct values *g, size_t n, struct error *err)
{
	const size_t size = g->compact ? sizeof *g->floats : sizeof *g->at;
	const size_t needed = g->n + n;
	const size_t allowed = g->t->most ? g->t->most / size : SIZE_MAX;
	size_t room;

	if (needed <= g->room)
		return true;
	if (needed > allowed)
		return fail_file(err, g->in->path, "values take more than the "
				 "%zu MB that --max-memory allows",
				 g->t->most >> 20);
	room = greatest(greatest(needed, 2 * g->room), likely_values(g));
	room = room < allowed ? room : allowed;
	if (room > SMALL) {
		const size_t most = g->room + memory_for(size);

		if (needed > most)
			return fail_file(err, g->in->path, "too many values "
					 "for the memory of this machine");
		room = room < most ? room : most;
	}
	g->at = table_grow(g->t, g->at, room, size, err);
	g->room = g->at ? room : 0;
	return g->at;
}

enum { CHUNK = 1 << 17 };  /* bytes converted at once */

static const struct {
	size_t size;
	enum dtype dtype;   /* the exact, or the smallest that holds all */
	char kind;
	bool exact;          /* dtype has these bytes */
} elements[] = {
	{ 8, F64, 'f', true }, { 4, F32, 'f', true }, { 2, F16, 'f', true },
	{ 2, BF16, 'B', true }, { 8, I64, 'i', true }, { 4, I32, 'i', true },
	{ 2, I16, 'i', true }, { 1, I8, 'i', true }, { 1, U8, 'u', true },
	{ 8, I64, 'u', false }, { 4, I64, 'u', false }, { 2, I32, 'u', false },
	{ 1, U8, 'b', false }, { 1, F16, '3', false }, { 1, F16, '2', false },
	{ 1, BF16, '0', false },
};

struct element element_of(enum dtype d)
{
	size_t i = 0;

	while (elements[i].dtype != d)
		i++;
	return (struct element){ elements[i].kind, elements[i].size, false };
}

enum { ELEMENTS = sizeof elements / sizeof *elements };

static size_t find_element(struct element e)
{
	size_t i = 0;

	while (i < ELEMENTS &&
	       (elements[i].kind != e.kind || elements[i].size != e.size))
		i++;
	return i;
}

bool element_known(struct element e)
{
	return find_element(e) < ELEMENTS;
}

int element_mantissa(struct element e)
{
	return e.kind >= '0' && e.kind <= '3' ? e.kind - '0' : -1;
}

/* The smallest dtype that holds all values of element e. */
static enum dtype element_dtype(struct element e)
{
	return elements[find_element(e)].dtype;
}

/* Reverse the bytes of each of n values. */
static void swap_bytes(unsigned char *bytes, size_t n, size_t size)
{
	for (size_t i = 0; i < n; i++, bytes += size)
		for (size_t j = 0; j < size / 2; j++) {
			const unsigned char byte = bytes[j];

			bytes[j] = bytes[size - 1 - j];
			bytes[size - 1 - j] = byte;
		}
}

#define LOAD(type, to)                                                  \
	for (size_t i = 0; i < n; i++) {                                \
		type v;                                                 \
		memcpy(&v, in + i * sizeof v, sizeof v);                \
		x[i] = (double)(to);                                    \
	}

/*
 * FP8 of the Open Compute Project: E5M2 is the beginning of a float16. E4M3,
 * without infinity, has the bits of one that is 2^8 times smaller. E8M0 is an
 * exponent.
 */
static double fp8_value(int mantissa, uint8_t v)
{
	const uint16_t half = (uint16_t)(mantissa == 2 ? v << 8 :
					 (v & 128) << 8 | (v & 127) << 7);
	double x;

	if (v == 255 || (mantissa == 3 && v == 127))
		return (double)NAN;
	if (mantissa == 0)
		return ldexp(1, v - 127);
	dtype_load(F16, &half, 1, &x);
	return mantissa == 2 ? x : x * 0x1p8;
}

void element_load(struct element e, unsigned char *in, size_t n, double *x)
{
	const size_t k = find_element(e);

	if (e.big)
		swap_bytes(in, n, e.size);
	if (elements[k].exact)
		dtype_load(elements[k].dtype, in, n, x);
	else if (e.kind == 'b')
		LOAD(uint8_t, v != 0)
	else if (element_mantissa(e) >= 0)
		LOAD(uint8_t, fp8_value(element_mantissa(e), v))
	else if (e.size == 8)
		LOAD(uint64_t, v)
	else if (e.size == 4)
		LOAD(uint32_t, v)
	else
		LOAD(uint16_t, v)
}

/* Whether float32 has all values of element e. */
static bool fits_float(struct element e)
{
	return e.size < sizeof(float) ||
	       (e.size == sizeof(float) && e.kind == 'f');
}

/* Append k values of element e to *g, which has room for them. */
static void append(struct values *g, struct element e, unsigned char *in,
		   size_t k)
{
	enum { SOME = 512 };
	double x[SOME];

	if (!g->compact) {
		element_load(e, in, k, g->at + g->n);
		g->n += k;
		return;
	}
	if (e.size == sizeof(float) && !e.big) {
		memcpy(g->floats + g->n, in, k * e.size);
		g->n += k;
		return;
	}
	for (size_t n; k; k -= n, in += n * e.size, g->n += n) {
		n = k < SOME ? k : SOME;
		element_load(e, in, n, x);
		dtype_store(F32, x, n, g->floats + g->n);
	}
}

/* Make the values the rows of their table. */
static void make_rows(const struct values *g)
{
	if (g->compact)
		table_dense_floats(g->t, g->floats);
	else
		table_dense(g->t, g->at);
}

bool binary_shape(const struct input_file *in, struct element e,
		  const size_t *shape, size_t rank, struct table *t,
		  struct error *err)
{
	char text[SHAPE_TEXT];
	size_t bytes = e.size;

	for (size_t i = 0; i < rank; i++)
		if (__builtin_mul_overflow(bytes, shape[i], &bytes) ||
		    bytes > SIZE_MAX / 16)
			return fail_file(err, in->path, "shape %s is larger "
					 "than any file",
					 shape_text(shape, rank, text));
	table_fold(t, shape, rank);
	t->dtype = element_dtype(e);
	if (!bytes)
		return fail_file(err, in->path, "shape %s has no elements",
				 shape_text(shape, rank, text));
	return true;
}

/* Fail at integers of 2^53 or more, which float64 can't tell apart. */
static bool check_integers(const struct input_file *in, const struct table *t,
			   const double *x, size_t first, size_t n,
			   struct error *err)
{
	for (size_t i = first; i < first + n; i++)
		if (fabs(x[i]) >= 0x1p53)
			return fail_file(err, in->path, "row %zu, column %zu: "
					 "expected an integer below 2^53 in "
					 "magnitude, got a larger one",
					 i / t->cols, i % t->cols);
	return true;
}

/* Append the next n values to *g, or fewer if the file ends. */
static bool read_numbers(struct input_file *in, struct element e, size_t n,
			 struct values *g, struct error *err)
{
	/* One more than the file has, to notice the end. */
	if (n > in_left(in) / e.size)
		n = in_left(in) / e.size + 1;
	while (g->n < n) {
		const size_t left = n - g->n;
		const size_t wanted = left < CHUNK / e.size ? left
							    : CHUNK / e.size;
		size_t k;

		if (!in_read(in, wanted * e.size, err))
			return false;
		k = in->n / e.size < left ? in->n / e.size : left;
		if (!k)
			break;
		/* The size of a file is known, that of a pipe is not. */
		if (!values_reserve(g, in->size == SIZE_MAX &&
				    left > in->expected / e.size ? k : left,
				    err))
			return false;
		append(g, e, in->bytes, k);
		if (element_dtype(e) == I64 &&
		    !check_integers(in, g->t, g->at, g->n - k, k, err))
			return false;
		in_drop(in, k * e.size);
	}
	return true;
}

bool binary_check(const struct input_file *in, struct element e,
		  const struct table *t, struct error *err)
{
	const size_t n = t->planes * t->rows * t->cols;

	return in_left(in) / e.size >= n ||
	       fail_file(err, in->path, "expected %zu bytes of values from "
			 "byte %zu on, got the end of the file at byte %zu",
			 n * e.size, in->at, in->size);
}

bool binary_read(struct input_file *in, struct element e, struct table *t,
		 struct error *err)
{
	const size_t n = t->planes * t->rows * t->cols;
	struct values g = { .in = in, .t = t,
			    .compact = t->compact && fits_float(e) };

	if (!binary_check(in, e, t, err))
		return false;
	if (on_demand_suits(in, e, t))
		return on_demand_open(in, e, t, err);
	if (!read_numbers(in, e, n, &g, err))
		return false;
	if (g.n < n)
		return fail_file(err, in->path, "expected values up to byte "
				 "%zu, got the end at byte %zu",
				 in->at + (n - g.n) * e.size, in->at + in->n);
	make_rows(&g);
	return true;
}

/* A dimension whose values lie apart, in a file and in a table. */
struct spread {
	size_t n, bytes, places;
};

/*
 * Order dimensions by the bytes between values, the fewest first, so that the
 * file is read from front to back; those of one value come last.
 */
static void sort_spreads(struct spread d[RANK_MOST], size_t size,
			 const size_t *shape, const size_t *strides,
			 size_t rank)
{
	size_t places = 1;

	for (size_t i = rank; i-- > 0; places *= shape[i]) {
		const struct spread s = {
			shape[i], shape[i] > 1 ? strides[i] * size : SIZE_MAX,
			places,
		};
		size_t k = rank - 1 - i;

		for (; k > 0 && d[k - 1].bytes > s.bytes; k--)
			d[k] = d[k - 1];
		d[k] = s;
	}
}

/*
 * Values that share bytes, also those of a stride of 0, are read from a window
 * that has all, so that the file is not read backwards.
 */
static bool hold_overlap(struct input_file *in, const struct spread *d,
			 size_t rank, const struct table *t, size_t size,
			 struct error *err)
{
	enum { VALUES = 1 << 22, BYTES = 1 << 26 };
	size_t reach = size;
	bool shared = false;

	for (size_t i = 0; i < rank; i++) {
		shared |= d[i].bytes < reach;
		reach += (d[i].n - 1) * d[i].bytes;
	}
	if (!shared)
		return true;
	if (t->planes * t->rows * t->cols > VALUES || reach > BYTES)
		return fail_file(err, in->path, "%zu values share %zu bytes "
				 "of the file; posenc reads up to %d such "
				 "values of %d bytes",
				 t->planes * t->rows * t->cols, reach, VALUES,
				 BYTES);
	return in_read(in, reach, err);
}

/* The bytes of a value at an offset of the file; NULL: an error. */
static const unsigned char *value_bytes(struct input_file *in, size_t at,
					size_t size, struct error *err)
{
	size_t from = at - in->at;

	if (from + size > in->n) {
		if (!in_skip(in, at, err))
			return NULL;
		from = 0;
	}
	return in_take(in, &from, size, "its values", err);
}

/* Read the values of a dimension from an offset of the file to a place on. */
static bool read_spread(struct values *g, struct element e,
			const struct spread *d, struct input_file *in,
			size_t at, size_t place, struct error *err)
{
	enum { SOME = 512 };
	unsigned char packed[SOME * sizeof(double)];
	double x[SOME];

	for (size_t i = 0, n; i < d->n; i += n) {
		n = d->n - i < SOME ? d->n - i : SOME;
		for (size_t j = 0; j < n; j++, at += d->bytes) {
			const unsigned char *b = value_bytes(in, at, e.size,
							     err);

			if (!b)
				return false;
			memcpy(packed + j * e.size, b, e.size);
		}
		element_load(e, packed, n, x);
		for (size_t j = 0; j < n; j++, place += d->places)
			if (g->compact)
				g->floats[place] = (float)x[j];
			else
				g->at[place] = x[j];
	}
	return true;
}

bool binary_read_strided(struct input_file *in, struct element e,
			 const size_t *shape, const size_t *strides,
			 size_t rank, struct table *t, struct error *err)
{
	const size_t n = t->planes * t->rows * t->cols, begin = in->at;
	struct values g = { .in = in, .t = t,
			    .compact = t->compact && fits_float(e) };
	struct spread d[RANK_MOST] = { { .n = 1 } };

	sort_spreads(d, e.size, shape, strides, rank);
	if (!hold_overlap(in, d, rank, t, e.size, err) ||
	    !values_reserve(&g, n, err))
		return false;
	for (size_t run = 0; run < n / d->n; run++) {
		size_t at = begin, place = 0;

		for (size_t i = 1, r = run; i < rank; r /= d[i++].n) {
			at += r % d[i].n * d[i].bytes;
			place += r % d[i].n * d[i].places;
		}
		if (!read_spread(&g, e, d, in, at, place, err))
			return false;
	}
	if (element_dtype(e) == I64 &&
	    !check_integers(in, t, g.at, 0, n, err))
		return false;
	make_rows(&g);
	return true;
}

bool binary_read_rows(struct input_file *in, struct element e, struct table *t,
		      struct error *err)
{
	const size_t row = t->cols * e.size;
	struct values g = { .in = in, .t = t,
			    .compact = t->compact && fits_float(e) };
	const bool stays = on_demand_suits(in, e, t);
	size_t bytes = in_left(in);

	if (!stays && !read_numbers(in, e, SIZE_MAX / 16, &g, err))
		return false;
	if (!stays)
		bytes = g.n * e.size + in->n;
	if (!bytes || bytes % row)
		return fail_file(err, in->path, "expected rows of %zu bytes "
				 "(%zu values of %zu bytes), got %zu bytes",
				 row, t->cols, e.size, bytes);
	t->rows = bytes / row;
	t->dtype = element_dtype(e);
	if (stays)
		return on_demand_open(in, e, t, err);
	make_rows(&g);
	return true;
}
