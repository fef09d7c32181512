/* npy.c: NumPy's array files, byte for byte what numpy.save writes. */
#include <stdio.h>
#include <string.h>

#include "exact/bits.h"
#include "formats/format.h"
#include "formats/npy.h"
#include "formats/rows.h"
#include "formats/values.h"

/* The names of dtypes in NumPy, little-endian; none for bfloat16. */
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
	return fail(err, "NumPy has no %s: use --raw, --safetensors or "
		    "--dtype float32", dtype_name(t->dtype));
}

enum { HEAD_ROOM = 320 };

/*
 * Signature, version 1.0, the length of the rest in 16 bits, and a Python
 * dictionary, padded with blanks so that the values begin at a multiple of 64.
 * As in numpy.save, the first dimension has room to grow to 21 digits.
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
		      struct output_file *o)
{
	char head[HEAD_ROOM];

	out_bytes(o, head, make_head(t, head));
	if (!style->header_only)
		rows_binary(t, style, o);
}

/* The header of a file, and the state of its parser. */
struct npy_header {
	const struct input_file *in;
	const char *at, *end;
	struct element element;
	bool fortran;
	size_t rank, shape[RANK_MOST];
	char *dtype;           /* [NPY_DTYPE], receives that of any array, also
				  if posenc does not read it; or NULL */
};

static bool bad(const struct npy_header *h, const char *what, struct error *err)
{
	return fail_file(err, h->in->path, "cannot read this NPY file: %s",
			 what);
}

static void skip_blanks(struct npy_header *h)
{
	while (h->at < h->end && (*h->at == ' ' || *h->at == '\n'))
		h->at++;
}

/* Whether text comes next, after blanks; skips it if so. */
static bool next_is(struct npy_header *h, const char *text)
{
	const size_t n = strlen(text);

	skip_blanks(h);
	if ((size_t)(h->end - h->at) < n || memcmp(h->at, text, n) != 0)
		return false;
	h->at += n;
	return true;
}

/* Fail with the unknown descr, up to a comma. */
static bool bad_descr(const struct npy_header *h, const char *descr,
		      struct error *err)
{
	char what[200];
	int n = 0;

	while (descr + n < h->end && descr[n] != ',' && n < 40)
		n++;
	snprintf(what, sizeof what, "descr must be f2, f4, f8, i1 to i8, u1 to "
		 "u8 or b1, such as '<f4', got %.*s%s", n ? n : 7,
		 n ? descr : "nothing",
		 n > 2 && descr[2] == 'c' ? "; complex x can be saved as "
		 "x.view(x.real.dtype)" : "");
	return bad(h, what, err);
}

/* Where a descr ends, before its quote; NULL: it has none, or is too long. */
static const char *descr_end(const struct npy_header *h, const char *descr)
{
	const size_t left = (size_t)(h->end - descr);

	if (!left || *descr != '\'')
		return NULL;
	return memchr(descr + 1, '\'',
		      left <= NPY_DTYPE ? left - 1 : NPY_DTYPE);
}

/* Read a descr such as '<f4': byte order, kind, bytes. */
static bool read_descr(struct npy_header *h, struct error *err)
{
	static const char *const known[] = {
		"f8'", "f4'", "f2'", "i8'", "i4'", "i2'", "i1'", "u8'", "u4'",
		"u2'", "u1'", "b1'",
	};
	const char *descr, *end;
	bool big, ordered;

	skip_blanks(h);
	descr = h->at;
	end = h->dtype ? descr_end(h, descr) : NULL;
	if (end)
		snprintf(h->dtype, NPY_DTYPE, "%.*s", (int)(end - descr - 1),
			 descr + 1);
	big = next_is(h, "'>");
	ordered = big || next_is(h, "'<") || next_is(h, "'|") ||
		  next_is(h, "'=");
	for (size_t i = 0; ordered && i < sizeof known / sizeof *known; i++)
		if (next_is(h, known[i])) {
			h->element = (struct element){
				known[i][0], (size_t)(known[i][1] - '0'), big,
			};
			return true;
		}
	if (!end)
		return bad_descr(h, descr, err);
	h->at = end + 1;
	return true;
}

static bool read_dimension(struct npy_header *h, size_t *n)
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
		h->at++;  /* long integers of Python 2 */
	return true;
}

static bool read_shape(struct npy_header *h, struct error *err)
{
	bool more = true;

	if (!next_is(h, "("))
		return bad(h, "shape must be a tuple", err);
	while (!next_is(h, ")")) {
		if (!more)
			return bad(h, "shape must be a tuple", err);
		if (h->rank == RANK_MOST)
			return bad(h, "expected at most 8 dimensions, got more",
				   err);
		if (!read_dimension(h, &h->shape[h->rank++]))
			return bad(h, "invalid dimension in shape", err);
		more = next_is(h, ",");
	}
	if (!h->rank && !h->dtype)
		return bad(h, "expected 1 to 8 dimensions, got none", err);
	/* In Python, (4) is a number and (4,) a tuple. */
	if (h->rank == 1 && !more)
		return bad(h, "shape must be a tuple", err);
	return true;
}

/* Read a key and its value; each key comes once. */
static bool read_item(struct npy_header *h, bool seen[3], struct error *err)
{
	static const char *const keys[] = {
		"'descr'", "'fortran_order'", "'shape'"
	};
	int k = 0;

	while (k < 3 && (seen[k] || !next_is(h, keys[k])))
		k++;
	if (k == 3)
		return bad(h, "unknown or duplicate key in the header", err);
	seen[k] = true;
	if (!next_is(h, ":"))
		return bad(h, "the header must be a Python dictionary", err);
	if (k == 0)
		return read_descr(h, err);
	if (k == 2)
		return read_shape(h, err);
	h->fortran = next_is(h, "True");
	if (!h->fortran && !next_is(h, "False"))
		return bad(h, "fortran_order must be True or False", err);
	return true;
}

static bool read_dictionary(struct npy_header *h, struct error *err)
{
	bool seen[3] = { false }, more = true;

	if (!next_is(h, "{"))
		return bad(h, "the header must be a Python dictionary", err);
	while (!next_is(h, "}")) {
		if (!more)
			return bad(h, "the header must be a Python dictionary",
				   err);
		if (!read_item(h, seen, err))
			return false;
		more = next_is(h, ",");
	}
	skip_blanks(h);
	if (h->at < h->end)
		return bad(h, "unexpected text after the header's dictionary",
			   err);
	if (!seen[0] || !seen[1] || !seen[2])
		return bad(h, "the header must have the keys descr, "
			   "fortran_order and shape", err);
	return true;
}

enum { HEADER_MOST = 10000 };  /* limit of NumPy */

/* Read the header, of version 1.0 to 3.0; the values come next. */
static bool npy_header_read(struct npy_header *h, struct input_file *in,
			    struct error *err)
{
	const unsigned char *b;
	size_t n, start;

	h->in = in;
	if (!in_read(in, 12, err))
		return false;
	b = in->bytes;
	if ((in->n > 0 && memcmp(b, "\x93NUMPY", in->n < 6 ? in->n : 6) != 0) ||
	    (in->n >= 8 && (b[7] || b[6] < 1 || b[6] > 3)))
		return bad(h, "it does not start with an NPY signature of "
			   "version 1 to 3", err);
	if (in->n < 12)
		return bad(h, "the file ends within the header", err);
	start = b[6] == 1 ? 10 : 12;
	n = little_endian(b + 8, start - 8);
	if (n > HEADER_MOST)
		return bad(h, "the header is longer than 10000 bytes", err);
	if (!in_read(in, start + n, err))
		return false;
	if (in->n < start + n)
		return bad(h, "the file ends within the header", err);
	h->at = (const char *)in->bytes + start;
	h->end = h->at + n;
	if (!read_dictionary(h, err))
		return false;
	in_drop(in, start + n);
	return true;
}

/* Read values in Fortran order: the first index is fastest. */
static bool read_fortran(const struct npy_header *h, struct input_file *in,
			 struct table *t, struct error *err)
{
	size_t strides[RANK_MOST], step = 1, end;

	for (size_t i = 0; i < h->rank; step *= h->shape[i++])
		strides[i] = step;
	end = in->at + step * h->element.size;
	return binary_check(in, h->element, t, err) &&
	       binary_read_strided(in, h->element, h->shape, strides, h->rank,
				   t, err) && in_skip(in, end, err);
}

static bool npy_read(struct input_file *in, const struct read_options *options,
		     struct table *t, struct error *err)
{
	struct npy_header h = { 0 };

	(void)options;
	if (!npy_header_read(&h, in, err) ||
	    !binary_shape(in, h.element, h.shape, h.rank, t, err))
		return false;
	if (!(h.fortran && h.rank > 1 ? read_fortran(&h, in, t, err)
				      : binary_read(in, h.element, t, err)) ||
	    !in_read(in, 1, err))
		return false;
	if (in->n)
		return fail_file(err, in->path, "unexpected bytes after the "
				 "values, from byte %zu on", in->at);
	return true;
}

bool npy_describe(struct input_file *in, char dtype[NPY_DTYPE],
		  struct element *element, size_t shape[RANK_MOST],
		  size_t *rank, struct error *err)
{
	struct npy_header h = { .dtype = dtype };

	if (!npy_header_read(&h, in, err))
		return false;
	*element = h.element;
	memcpy(shape, h.shape, sizeof h.shape);
	*rank = h.rank;
	return true;
}

static bool npy_recognizes(const unsigned char *b, size_t n)
{
	return n >= 6 && memcmp(b, "\x93NUMPY", 6) == 0;
}

const struct format npy_format = {
	.name = "npy",
	.summary = "NumPy array file (.npy)",
	.binary = true,
	.recognizes = npy_recognizes,
	.check = npy_check,
	.size = npy_size,
	.write = npy_write,
	.read = npy_read,
};
