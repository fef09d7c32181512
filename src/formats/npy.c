/* npy.c: NumPy's array files, byte for byte what numpy.save writes. */
#include <stdio.h>
#include <string.h>

#include "formats/format.h"
#include "formats/npy_header.h"
#include "formats/rows.h"

/* NumPy's names, little-endian; bfloat16 has none. */
static const char *const descrs[DTYPES] = {
	[F64] = "<f8", [F32] = "<f4", [F16] = "<f2", [I64] = "<i8",
	[I32] = "<i4", [I16] = "<i2", [I8] = "|i1", [U8] = "|u1",
};

static bool npy_check(const struct style *style, const struct table *t,
		      struct error *err)
{
	(void)style;
	if (descrs[t->dtype])
		return true;
	return fail(err, "--npy: NPY has no %s; --raw has, and safetensors "
		    "files do", dtype_name(t->dtype));
}

enum { HEAD_ROOM = 320 };

/*
 * Magic, version 1.0, the length of what follows as 16 bits, and a Python
 * dictionary, padded with blanks so that the numbers begin at a multiple of
 * 64. numpy.save leaves room for the first dimension to grow to 21 digits.
 */
static size_t make_head(const struct table *t, char text[HEAD_ROOM])
{
	char dims[3][24];
	size_t shape[3], n, all;
	const size_t rank = table_shape(t, shape);

	for (size_t i = 0; i < rank; i++)
		snprintf(dims[i], sizeof dims[i], "%zu", shape[i]);
	n = (size_t)snprintf(text + 10, HEAD_ROOM - 10, "{'descr': '%s', "
			     "'fortran_order': False, 'shape': (%s, %s%s%s), }",
			     descrs[t->dtype], dims[0], dims[1],
			     rank == 3 ? ", " : "", rank == 3 ? dims[2] : "");
	all = n + 21 - strlen(dims[0]) + 1;
	all += 63 - (10 + all + 63) % 64;
	memcpy(text, "\x93NUMPY\x01\x00", 8);
	text[8] = (char)(all & 255);
	text[9] = (char)(all >> 8);
	memset(text + 10 + n, ' ', all - n - 1);
	text[10 + all - 1] = '\n';
	return 10 + all;
}

static size_t npy_size(const struct table *t, bool *exact)
{
	char head[HEAD_ROOM];

	*exact = true;
	return make_head(t, head) + rows_binary_size(t);
}

static void npy_write(const struct style *style, const struct table *t,
		      struct out *o)
{
	char head[HEAD_ROOM];

	out_bytes(o, head, make_head(t, head));
	if (!style->head)
		rows_binary(t, style, o);
}

/* Where plane k, counted in C's order, stands in Fortran's. */
static size_t fortran_plane(const struct npy_header *h, size_t planes, size_t k)
{
	size_t at = 0;

	for (size_t i = h->rank - 2; i-- > 0; k /= h->shape[i]) {
		planes /= h->shape[i];
		at += k % h->shape[i] * planes;
	}
	return at;
}

/* What lies in Fortran's order, the first index fastest, into C's. */
static bool transpose(const struct npy_header *h, struct table *t,
		      struct error *err)
{
	const double *from = table_numbers(t);
	const size_t p = t->planes, r = t->rows, c = t->cols;
	const size_t n = p * r * c;
	double *to = table_alloc(t, n, sizeof *to, err);

	if (!to)
		return false;
	for (size_t k = 0; k < p; k++) {
		const double *plane = from + fortran_plane(h, p, k);

		for (size_t i = 0; i < r; i++)
			for (size_t j = 0; j < c; j++)
				*to++ = plane[p * (i + r * j)];
	}
	table_dense(t, to - n);
	return true;
}

static bool npy_read(struct in *in, const struct asked *asked,
		     struct table *t, struct error *err)
{
	struct npy_header h;

	(void)asked;
	if (!npy_header_read(&h, in, err) ||
	    !binary_shape(in, h.layout, h.shape, h.rank, t, err))
		return false;
	if (!binary_read(in, h.layout, t, err) || !in_read(in, 1, err))
		return false;
	if (in->n)
		return fail_file(err, in->path, "goes on after its numbers, "
				 "at byte %zu", in->at);
	return !h.fortran || h.rank == 1 || transpose(&h, t, err);
}

const struct format npy_format = {
	.name = "npy",
	.summary = "NumPy's array file",
	.binary = true,
	.check = npy_check,
	.size = npy_size,
	.write = npy_write,
	.read = npy_read,
};
