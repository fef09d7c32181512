/* binary.c: numbers as files lay them, into tables. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "formats/binary.h"
#include "formats/gather.h"

enum { CHUNK = 1 << 17 };  /* bytes that are turned into doubles at once */

static const struct {
	size_t size;
	enum dtype dtype;   /* that lies so, or the nearest that holds it */
	char kind;
	bool same;          /* it lies so */
} layouts[] = {
	{ 8, F64, 'f', true }, { 4, F32, 'f', true }, { 2, F16, 'f', true },
	{ 2, BF16, 'B', true }, { 8, I64, 'i', true }, { 4, I32, 'i', true },
	{ 2, I16, 'i', true }, { 1, I8, 'i', true }, { 1, U8, 'u', true },
	{ 8, I64, 'u', false }, { 4, I64, 'u', false }, { 2, I32, 'u', false },
	{ 1, U8, 'b', false },
};

struct layout layout_of(enum dtype d)
{
	size_t i = 0;

	while (layouts[i].dtype != d)
		i++;
	return (struct layout){ layouts[i].kind, layouts[i].size, false };
}

static size_t find_layout(struct layout y)
{
	size_t i = 0;

	while (layouts[i].kind != y.kind || layouts[i].size != y.size)
		i++;
	return i;
}

/* The nearest dtype of ours that holds all such numbers. */
static enum dtype layout_dtype(struct layout y)
{
	return layouts[find_layout(y)].dtype;
}

/* Turn the bytes of n numbers round, each by itself. */
static void swap(unsigned char *bytes, size_t n, size_t size)
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

/* n numbers that lie as y, to x. */
static void load(struct layout y, unsigned char *in, size_t n, double *x)
{
	const size_t k = find_layout(y);

	if (y.big)
		swap(in, n, y.size);
	if (layouts[k].same)
		dtype_load(layouts[k].dtype, in, n, x);
	else if (y.kind == 'b')
		LOAD(uint8_t, v != 0)
	else if (y.size == 8)
		LOAD(uint64_t, v)
	else if (y.size == 4)
		LOAD(uint32_t, v)
	else
		LOAD(uint16_t, v)
}

bool binary_shape(const struct in *in, struct layout y, const size_t *shape,
		  size_t rank, struct table *t, struct error *err)
{
	char text[SHAPE_TEXT];
	size_t bytes = y.size;

	for (size_t i = 0; i < rank; i++)
		if (__builtin_mul_overflow(bytes, shape[i], &bytes) ||
		    bytes > SIZE_MAX / 16)
			return fail_file(err, in->path, "its shape %s is more "
					 "than any file can hold",
					 shape_text(shape, rank, text));
	table_fold(t, shape, rank);
	t->dtype = layout_dtype(y);
	if (!bytes)
		return fail_file(err, in->path, "its shape %s holds no number",
				 shape_text(shape, rank, text));
	return true;
}

/* Doubles stop telling integers apart at 2^53. */
static bool check_integers(const struct in *in, const struct table *t,
			   const double *x, size_t first, size_t n,
			   struct error *err)
{
	for (size_t i = first; i < first + n; i++)
		if (fabs(x[i]) >= 0x1p53)
			return fail_file(err, in->path, "row %zu, column %zu "
					 "is an integer from 2^53 on, where "
					 "they are not read exactly",
					 i / t->cols, i % t->cols);
	return true;
}

/* Numbers to come: n, or fewer where the file ends, to *g. */
static bool read_numbers(struct in *in, struct layout y, size_t n,
			 struct gather *g, struct error *err)
{
	/* One more than a file has, to see where it ends. */
	if (n > in_left(in) / y.size)
		n = in_left(in) / y.size + 1;
	while (g->n < n) {
		const size_t left = n - g->n;
		const size_t wanted = left < CHUNK / y.size ? left
							    : CHUNK / y.size;
		size_t k;

		if (!in_read(in, wanted * y.size, err))
			return false;
		k = in->n / y.size < left ? in->n / y.size : left;
		if (!k)
			break;
		/* A file's size may be trusted, a pipe has none. */
		if (!gather_room(g, in->size == SIZE_MAX ? k : left, err))
			return false;
		load(y, in->bytes, k, g->at + g->n);
		if (layout_dtype(y) == I64 &&
		    !check_integers(in, g->t, g->at, g->n, k, err))
			return false;
		in_drop(in, k * y.size);
		g->n += k;
	}
	return true;
}

bool binary_read(struct in *in, struct layout y, struct table *t,
		 struct error *err)
{
	const size_t n = t->planes * t->rows * t->cols;
	struct gather g = { .in = in, .t = t };

	if (in_left(in) / y.size < n)
		return fail_file(err, in->path, "ends at byte %zu, and its "
				 "shape asks for %zu bytes from byte %zu on",
				 in->size, n * y.size, in->at);
	if (!read_numbers(in, y, n, &g, err))
		return false;
	if (g.n < n)
		return fail_file(err, in->path, "ends at byte %zu, %zu bytes "
				 "before its numbers do", in->at + in->n,
				 (n - g.n) * y.size - in->n);
	table_dense(t, g.at);
	return true;
}

bool binary_read_rows(struct in *in, struct layout y, struct table *t,
		      struct error *err)
{
	const size_t row = t->cols * y.size;
	struct gather g = { .in = in, .t = t };
	size_t bytes;

	if (!read_numbers(in, y, SIZE_MAX / 16, &g, err))
		return false;
	bytes = g.n * y.size + in->n;
	if (!bytes || bytes % row)
		return fail_file(err, in->path, "its %zu bytes are no rows of "
				 "%zu numbers of %zu bytes", bytes, t->cols,
				 y.size);
	t->rows = g.n / t->cols;
	t->dtype = layout_dtype(y);
	table_dense(t, g.at);
	return true;
}
