/* binary.c: numbers as files lay them, into tables. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "formats/binary.h"

enum { CHUNK = 1 << 17 };  /* bytes that are turned into doubles at once */

static const struct {
	char kind;
	size_t size;
	enum dtype dtype;   /* that lies so, or the nearest that holds it */
	bool same;          /* it lies so */
} layouts[] = {
	{ 'f', 8, F64, true }, { 'f', 4, F32, true }, { 'f', 2, F16, true },
	{ 'B', 2, BF16, true },
	{ 'i', 8, I64, true }, { 'i', 4, I32, true }, { 'i', 2, I16, true },
	{ 'i', 1, I8, true }, { 'u', 1, U8, true }, { 'u', 8, I64, false },
	{ 'u', 4, I64, false }, { 'u', 2, I32, false }, { 'b', 1, U8, false },
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

enum dtype layout_dtype(struct layout y)
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

/* "[2, 3]" */
static const char *shape_text(const size_t *shape, size_t rank, char text[80])
{
	size_t n = 0;

	for (size_t i = 0; i < rank; i++)
		n += (size_t)snprintf(text + n, 80 - n, "%s%zu",
				      i ? ", " : "[", shape[i]);
	snprintf(text + n, 80 - n, "]");
	return text;
}

bool binary_shape(const struct in *in, struct layout y, const size_t *shape,
		  size_t rank, struct table *t, size_t *bytes,
		  struct error *err)
{
	char text[80];

	t->planes = rank == 3 ? shape[0] : 1;
	t->rows = rank >= 2 ? shape[rank - 2] : 1;
	t->cols = shape[rank - 1];
	t->dtype = layout_dtype(y);
	if (rank == 3)
		t->over = (struct axis){ .name = "plane", .step = 1 };
	if (__builtin_mul_overflow(t->planes, t->rows, bytes) ||
	    __builtin_mul_overflow(*bytes, t->cols, bytes) ||
	    __builtin_mul_overflow(*bytes, y.size, bytes) ||
	    *bytes > SIZE_MAX / 16)
		return fail_file(err, in->path, "its shape %s is more than "
				 "any file can hold",
				 shape_text(shape, rank, text));
	return *bytes ||
	       fail_file(err, in->path, "its shape %s holds no number",
			 shape_text(shape, rank, text));
}

/* Doubles stop telling integers apart at 2^53. */
static bool check_integers(const struct in *in, const struct table *t,
			   const double *x, size_t first, size_t n,
			   struct error *err)
{
	for (size_t i = 0; i < n; i++)
		if (fabs(x[i]) >= 0x1p53)
			return fail_file(err, in->path, "row %zu, column %zu "
					 "is an integer from 2^53 on, where "
					 "they are not read exactly",
					 (first + i) / t->cols,
					 (first + i) % t->cols);
	return true;
}

static bool ends_early(const struct in *in, size_t wanted, struct error *err)
{
	return fail_file(err, in->path, "ends at byte %zu, where %zu bytes of "
			 "numbers are still to come", in->at + in->n, wanted);
}

bool binary_read(struct in *in, struct layout y, struct table *t,
		 struct error *err)
{
	const size_t n = t->planes * t->rows * t->cols;
	const bool known = in_left(in) != SIZE_MAX;
	size_t done = 0, room = 0;
	double *data = NULL;

	if (in_left(in) / y.size < n)
		return fail_file(err, in->path, "ends at byte %zu, and its "
				 "shape asks for %zu bytes from byte %zu on",
				 in->size, n * y.size, in->at);
	while (done < n) {
		const size_t left = (n - done) * y.size;
		size_t k;

		if (!in_read(in, left < CHUNK ? left : CHUNK, err))
			return false;
		k = in->n < left ? in->n / y.size : n - done;
		if (!k)
			return ends_early(in, left - in->n, err);
		if (done + k > room) {
			room = known || n - done < 2 * k ? n : 2 * room + k;
			data = table_grow(t, data, room, sizeof *data, err);
			if (!data)
				return false;
		}
		load(y, in->bytes, k, data + done);
		if (t->dtype == I64 &&
		    !check_integers(in, t, data + done, done, k, err))
			return false;
		in_drop(in, k * y.size);
		done += k;
	}
	table_dense(t, data);
	return true;
}
