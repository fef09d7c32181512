/* npy.c: NumPy's array files, byte for byte what numpy.save writes. */
#include <stdio.h>
#include <string.h>

#include "formats/binary.h"
#include "formats/format.h"
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

/* A file's header, and where its parser stands. */
struct header {
	const struct in *in;
	const char *at, *end;
	struct layout layout;
	bool fortran;
	size_t rank, shape[RANK_MOST];
};

static bool bad(const struct header *h, const char *what, struct error *err)
{
	return fail_file(err, h->in->path, "not an NPY file that posenc reads: "
			 "%s", what);
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

/* '<f4': order, kind, bytes. */
static bool read_descr(struct header *h, struct error *err)
{
	static const char *const known[] = {
		"f8'", "f4'", "f2'", "i8'", "i4'", "i2'", "i1'", "u8'", "u4'",
		"u2'", "u1'", "b1'",
	};
	const bool big = next_is(h, "'>");
	const bool ordered = big || next_is(h, "'<") || next_is(h, "'|") ||
			     next_is(h, "'=");

	for (size_t i = 0; ordered && i < sizeof known / sizeof *known; i++)
		if (next_is(h, known[i])) {
			h->layout = (struct layout){
				known[i][0], (size_t)(known[i][1] - '0'), big,
			};
			return true;
		}
	return bad(h, "its descr must be f2, f4, f8, i1 to i8, u1 to u8 or b1, "
		   "as '<f4'", err);
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
	if (h->at == start)
		return false;
	if (h->at < h->end && *h->at == 'L')
		h->at++;  /* Python 2's long integers */
	return true;
}

static bool read_shape(struct header *h, struct error *err)
{
	bool more = true;

	if (!next_is(h, "("))
		return bad(h, "its shape is no tuple", err);
	while (!next_is(h, ")")) {
		if (!more)
			return bad(h, "its shape is no tuple", err);
		if (h->rank == RANK_MOST)
			return bad(h, "it has more than 8 dimensions", err);
		if (!read_dimension(h, &h->shape[h->rank++]))
			return bad(h, "its shape has a bad dimension", err);
		more = next_is(h, ",");
	}
	if (!h->rank)
		return bad(h, "it is one number without a dimension", err);
	/* (4) is no tuple in Python, and (4,) is one. */
	return (h->rank != 1 || more) || bad(h, "its shape is no tuple", err);
}

/* The value of one key, each of which comes once. */
static bool read_item(struct header *h, bool seen[3], struct error *err)
{
	static const char *const keys[] = {
		"'descr':", "'fortran_order':", "'shape':"
	};
	int k = 0;

	while (k < 3 && (seen[k] || !next_is(h, keys[k])))
		k++;
	if (k == 3)
		return bad(h, "its header has an unknown key, or one twice",
			   err);
	seen[k] = true;
	if (k == 0)
		return read_descr(h, err);
	if (k == 2)
		return read_shape(h, err);
	h->fortran = next_is(h, "True");
	return h->fortran || next_is(h, "False") ||
	       bad(h, "its fortran_order is neither True nor False", err);
}

static bool read_dictionary(struct header *h, struct error *err)
{
	bool seen[3] = { false }, more = true;

	if (!next_is(h, "{"))
		return bad(h, "its header is no dictionary", err);
	while (!next_is(h, "}")) {
		if (!more)
			return bad(h, "its header is no dictionary", err);
		if (!read_item(h, seen, err))
			return false;
		more = next_is(h, ",");
	}
	skip_blanks(h);
	if (h->at < h->end)
		return bad(h, "its header goes on after its end", err);
	return (seen[0] && seen[1] && seen[2]) ||
	       bad(h, "its header lacks a key", err);
}

enum { HEADER_MOST = 10000 };  /* NumPy's own limit */

/* The header; in moves to where the numbers begin. */
static bool read_header(struct header *h, struct in *in, struct error *err)
{
	const unsigned char *b;
	size_t n, start;

	if (!in_read(in, 12, err))
		return false;
	b = in->bytes;
	if (in->n < 12 || memcmp(b, "\x93NUMPY", 6) != 0 || b[7] || b[6] < 1 ||
	    b[6] > 3)
		return bad(h, "it does not begin as one", err);
	start = b[6] == 1 ? 10 : 12;
	n = b[8] | (size_t)b[9] << 8;
	if (b[6] > 1)
		n |= (size_t)b[10] << 16 | (size_t)b[11] << 24;
	if (n > HEADER_MOST)
		return bad(h, "its header is longer than 10000 bytes", err);
	if (!in_read(in, start + n, err))
		return false;
	if (in->n < start + n)
		return bad(h, "its header ends past the file", err);
	h->at = (const char *)in->bytes + start;
	h->end = h->at + n;
	if (!read_dictionary(h, err))
		return false;
	in_drop(in, start + n);
	return true;
}

/* Where plane k, counted in C's order, stands in Fortran's. */
static size_t fortran_plane(const struct header *h, size_t planes, size_t k)
{
	size_t at = 0;

	for (size_t i = h->rank - 2; i-- > 0; k /= h->shape[i]) {
		planes /= h->shape[i];
		at += k % h->shape[i] * planes;
	}
	return at;
}

/* What lies in Fortran's order, the first index fastest, into C's. */
static bool transpose(const struct header *h, struct table *t,
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
	struct header h = { .in = in };
	size_t bytes;

	(void)asked;
	if (!read_header(&h, in, err) ||
	    !binary_shape(in, h.layout, h.shape, h.rank, t, &bytes, err))
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
