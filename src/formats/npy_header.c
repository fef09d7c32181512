/* npy_header.c: what a NumPy array file says of its numbers. */
#include <stdio.h>
#include <string.h>

#include "formats/npy_header.h"

static bool bad(const struct npy_header *h, const char *what, struct error *err)
{
	return fail_file(err, h->in->path, "not an NPY file that posenc reads: "
			 "%s", what);
}

static void skip_blanks(struct npy_header *h)
{
	while (h->at < h->end && (*h->at == ' ' || *h->at == '\n'))
		h->at++;
}

/* Whether text comes next, after blanks; moves past it if so. */
static bool next_is(struct npy_header *h, const char *text)
{
	const size_t n = strlen(text);

	skip_blanks(h);
	if ((size_t)(h->end - h->at) < n || memcmp(h->at, text, n) != 0)
		return false;
	h->at += n;
	return true;
}

/* What its descr is, up to a comma, is none that we read. */
static bool bad_descr(const struct npy_header *h, const char *descr,
		      struct error *err)
{
	char what[140];
	int n = 0;

	while (descr + n < h->end && descr[n] != ',' && n < 40)
		n++;
	snprintf(what, sizeof what, "its descr must be f2, f4, f8, i1 to i8, "
		 "u1 to u8 or b1, as '<f4', not %.*s", n, descr);
	return bad(h, what, err);
}

/* '<f4': order, kind, bytes. */
static bool read_descr(struct npy_header *h, struct error *err)
{
	static const char *const known[] = {
		"f8'", "f4'", "f2'", "i8'", "i4'", "i2'", "i1'", "u8'", "u4'",
		"u2'", "u1'", "b1'",
	};
	const char *descr;
	bool big, ordered;

	skip_blanks(h);
	descr = h->at;
	big = next_is(h, "'>");
	ordered = big || next_is(h, "'<") || next_is(h, "'|") ||
		  next_is(h, "'=");
	for (size_t i = 0; ordered && i < sizeof known / sizeof *known; i++)
		if (next_is(h, known[i])) {
			h->layout = (struct layout){
				known[i][0], (size_t)(known[i][1] - '0'), big,
			};
			return true;
		}
	return bad_descr(h, descr, err);
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
		h->at++;  /* Python 2's long integers */
	return true;
}

static bool read_shape(struct npy_header *h, struct error *err)
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
	if (h->rank == 1 && !more)
		return bad(h, "its shape is no tuple", err);
	return true;
}

/* The value of one key, each of which comes once. */
static bool read_item(struct npy_header *h, bool seen[3], struct error *err)
{
	static const char *const keys[] = {
		"'descr'", "'fortran_order'", "'shape'"
	};
	int k = 0;

	while (k < 3 && (seen[k] || !next_is(h, keys[k])))
		k++;
	if (k == 3)
		return bad(h, "its header has an unknown key, or one twice",
			   err);
	seen[k] = true;
	if (!next_is(h, ":"))
		return bad(h, "its header is no dictionary", err);
	if (k == 0)
		return read_descr(h, err);
	if (k == 2)
		return read_shape(h, err);
	h->fortran = next_is(h, "True");
	if (!h->fortran && !next_is(h, "False"))
		return bad(h, "its fortran_order is neither True nor False",
			   err);
	return true;
}

static bool read_dictionary(struct npy_header *h, struct error *err)
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
	if (!seen[0] || !seen[1] || !seen[2])
		return bad(h, "its header lacks a key", err);
	return true;
}

enum { HEADER_MOST = 10000 };  /* NumPy's own limit */

bool npy_header_read(struct npy_header *h, struct in *in, struct error *err)
{
	const unsigned char *b;
	size_t n, start;

	*h = (struct npy_header){ .in = in };
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
