/* npy.c: NumPy's array files, byte for byte what numpy.save writes. */
#include <stdio.h>
#include <string.h>

#include "formats/format.h"
#include "formats/in.h"
#include "formats/rows.h"

/* NumPy's names, little-endian; bfloat16 has none. */
static const char *const descrs[DTYPES] = {
	[F64] = "<f8", [F32] = "<f4", [F16] = "<f2", [I64] = "<i8",
	[I32] = "<i4", [I16] = "<i2", [I8] = "|i1", [U8] = "|u1",
};

static bool npy_check(const struct table *t, struct error *err)
{
	if (descrs[t->dtype])
		return true;
	return fail(err, "--npy: NPY has no %s; --raw has, and safetensors "
		    "files do", dtype_name(t->dtype));
}

/*
 * Magic, version 1.0, the length of what follows as 16 bits, and a Python
 * dictionary, padded with blanks so that the numbers begin at a multiple of
 * 64. numpy.save leaves room for the first dimension to grow to 21 digits.
 */
static void write_head(struct out *o, const struct table *t)
{
	char text[256], dims[3][24];
	size_t shape[3], n, all;
	const size_t rank = table_shape(t, shape);

	for (size_t i = 0; i < rank; i++)
		snprintf(dims[i], sizeof dims[i], "%zu", shape[i]);
	n = (size_t)snprintf(text, sizeof text, "{'descr': '%s', "
			     "'fortran_order': False, 'shape': (%s, %s%s%s), }",
			     descrs[t->dtype], dims[0], dims[1],
			     rank == 3 ? ", " : "", rank == 3 ? dims[2] : "");
	all = n + 21 - strlen(dims[0]) + 1;
	all += 63 - (10 + all + 63) % 64;
	out_bytes(o, "\x93NUMPY\x01\x00", 8);
	out_bytes(o, (unsigned char []){ (unsigned char)(all & 255),
					 (unsigned char)(all >> 8) }, 2);
	out_format(o, "%s%*s\n", text, (int)(all - n - 1), "");
}

static void npy_write(const struct style *style, const struct table *t,
		      struct out *o)
{
	write_head(o, t);
	rows_binary(t, style, o);
}

/* A file's header, and where its parser stands. */
struct header {
	const char *path;
	const char *at, *end;
	enum dtype dtype;
	size_t rank, shape[3];
};

static bool bad(const struct header *h, const char *what, struct error *err)
{
	return fail_file(err, h->path, "not an NPY file that posenc reads: %s",
			 what);
}

static void skip_blanks(struct header *h)
{
	while (h->at < h->end && (*h->at == ' ' || *h->at == '\n'))
		h->at++;
}

/* Whether text comes next, after blanks; moves past it if so. */
static bool next_is(struct header *h, const char *text)
{
	const size_t n = strlen(text);

	skip_blanks(h);
	if ((size_t)(h->end - h->at) < n || memcmp(h->at, text, n) != 0)
		return false;
	h->at += n;
	return true;
}

static bool read_descr(struct header *h, struct error *err)
{
	for (int d = 0; d < DTYPES; d++) {
		char quoted[8];

		if (!descrs[d])
			continue;
		snprintf(quoted, sizeof quoted, "'%s'", descrs[d]);
		if (next_is(h, quoted)) {
			h->dtype = (enum dtype)d;
			return true;
		}
	}
	return bad(h, "its descr must be '<f8', '<f4', '<f2', '<i8', '<i4', "
		   "'<i2', '|i1' or '|u1'", err);
}

static bool read_dimension(struct header *h, size_t *n)
{
	const char *start;

	skip_blanks(h);
	start = h->at;
	*n = 0;
	while (h->at < h->end && *h->at >= '0' && *h->at <= '9')
		if (__builtin_mul_overflow(*n, 10, n) ||
		    __builtin_add_overflow(*n, (size_t)(*h->at++ - '0'), n))
			return false;
	return h->at > start;
}

static bool read_shape(struct header *h, struct error *err)
{
	if (!next_is(h, "("))
		return bad(h, "its shape is no tuple", err);
	while (!next_is(h, ")")) {
		if (h->rank == 3)
			return bad(h, "it has more than 3 dimensions", err);
		if (!read_dimension(h, &h->shape[h->rank++]))
			return bad(h, "its shape has a bad dimension", err);
		if (!next_is(h, ",") && h->rank < 2 && h->at < h->end &&
		    *h->at != ')')
			return bad(h, "its shape is no tuple", err);
	}
	return true;
}

static bool read_dictionary(struct header *h, struct error *err)
{
	bool descr = false, order = false, shape = false;

	if (!next_is(h, "{"))
		return bad(h, "its header is no dictionary", err);
	while (!next_is(h, "}")) {
		if (!descr && next_is(h, "'descr':")) {
			descr = true;
			if (!read_descr(h, err))
				return false;
		} else if (!order && next_is(h, "'fortran_order':")) {
			order = true;
			if (!next_is(h, "False"))
				return bad(h, "it is in Fortran order (save "
					   "numpy.ascontiguousarray of it)", err);
		} else if (!shape && next_is(h, "'shape':")) {
			shape = true;
			if (!read_shape(h, err))
				return false;
		} else {
			return bad(h, "its header has an unknown key", err);
		}
		next_is(h, ",");
	}
	return (descr && order && shape) ||
	       bad(h, "its header lacks a key", err);
}

/* Where the numbers begin, or 0. */
static size_t read_header(struct header *h, const struct in *in,
			  struct error *err)
{
	const unsigned char *b = in->bytes;
	size_t n, start;

	if (in->n < 10 || memcmp(b, "\x93NUMPY", 6) != 0 || b[7] || b[6] < 1 ||
	    b[6] > 3 || (b[6] > 1 && in->n < 12)) {
		bad(h, "it does not begin as one", err);
		return 0;
	}
	start = b[6] == 1 ? 10 : 12;
	n = b[8] | (size_t)b[9] << 8;
	if (b[6] > 1)
		n |= (size_t)b[10] << 16 | (size_t)b[11] << 24;
	if (n > in->n - start) {
		bad(h, "its header ends past the file", err);
		return 0;
	}
	h->at = (const char *)b + start;
	h->end = h->at + n;
	return read_dictionary(h, err) ? start + n : 0;
}

/* Lay the numbers, from byte start of in, into t. */
static bool take_numbers(const struct header *h, const struct in *in,
			 size_t start, struct table *t, struct error *err)
{
	const size_t *shape = h->shape + (h->rank ? h->rank : 1) - 1;
	size_t n, bytes;
	double *data;

	t->planes = h->rank == 3 ? h->shape[0] : 1;
	t->rows = h->rank >= 2 ? shape[-1] : 1;
	t->cols = h->rank ? shape[0] : 1;
	t->dtype = h->dtype;
	if (__builtin_mul_overflow(t->planes, t->rows, &n) ||
	    __builtin_mul_overflow(n, t->cols, &n) ||
	    __builtin_mul_overflow(n, dtype_size(h->dtype), &bytes) ||
	    bytes != in->n - start)
		return bad(h, "its shape and size disagree", err);
	if (!n)
		return bad(h, "it is empty", err);
	data = table_alloc(t, n, sizeof *data, err);
	if (!data)
		return false;
	dtype_load(h->dtype, in->bytes + start, n, data);
	table_dense(t, data);
	return true;
}

static bool npy_read(const char *path, struct table *t, struct error *err)
{
	struct header h = { .path = path };
	struct in in;
	size_t start;
	bool good;

	if (!in_read(&in, path, err))
		return false;
	start = read_header(&h, &in, err);
	good = start && take_numbers(&h, &in, start, t, err);
	in_close(&in);
	return good;
}

const struct format npy_format = {
	.name = "npy",
	.summary = "NumPy's array file",
	.binary = true,
	.check = npy_check,
	.write = npy_write,
	.read = npy_read,
};
