/*
 * eva_npy.c: runs NPY's header parser in Frama-C's EVA. It proves that nothing
 * is read or written out of bounds, nothing overflows and no uninitialised
 * value is used (make prove). TOKEN: 0 the dictionary, of any BYTES bytes; 1
 * the bytes of a file around it, where the dictionary says anything.
 */
#include "eva.h"

#include "exact/bits.h"

/* EVA does not relate the text that a message quotes to its length. */
#define snprintf(to, n, ...) ((void)(n), *(to) = '\0')

/* The dictionary is tried by itself; files have any. */
#define read_dictionary(h, err) DICTIONARY_##h, err)
#define DICTIONARY_h any_dictionary(h
#define DICTIONARY_struct read_dictionary(struct

/* What a file says of its length; EVA follows some one by one. */
#define little_endian(bytes, n) any_length(bytes, n)

static uint64_t any_length(const unsigned char *bytes, size_t n);

struct npy_header;
static bool any_dictionary(struct npy_header *h, struct error *err);

#include "formats/npy.c"

#undef read_dictionary
#undef little_endian

enum { ROOM = 12 + HEADER_MOST };

/* The window ends where it does, so that EVA sees what is read behind it. */
static unsigned char room[ROOM];

static uint64_t any_length(const unsigned char *bytes, size_t n)
{
	const size_t most = n == 2 ? UINT16_MAX : UINT32_MAX;
	const size_t lengths[] = {
		0, 1, 118, HEADER_MOST - 1, HEADER_MOST,
		Frama_C_size_t_interval(HEADER_MOST + 1, most),
	};

	little_endian(bytes, n);
	return lengths[Frama_C_interval_split(0, 5)];
}

static bool any_dictionary(struct npy_header *h, struct error *err)
{
	const ptrdiff_t n = h->end - h->at;

	/*@ assert 0 <= n && (n == 0 || \valid_read(h->at + (0 .. n - 1))); */
	h->rank = Frama_C_size_t_interval(0, RANK_MOST);
	Frama_C_make_unknown((char *)h->shape, sizeof h->shape);
	Frama_C_make_unknown((char *)&h->element, sizeof h->element);
	if (h->dtype)
		Frama_C_make_unknown(h->dtype, NPY_DTYPE);
	return Frama_C_interval(0, 1) || fail(err, "");
}

/* The file has the n bytes that are asked for, or one less, or none. */
bool in_read(struct input_file *in, size_t n, struct error *err)
{
	const size_t left[] = { n, n - 1, 0 };

	/*@ assert 0 < n <= ROOM; */
	in->n = left[Frama_C_interval_split(0, 2)];
	in->bytes = room + ROOM - in->n;
	Frama_C_make_unknown((char *)room, ROOM);
	return Frama_C_interval(0, 1) || fail(err, "");
}

/* No more than there are. */
void in_drop(struct input_file *in, size_t n)
{
	/*@ assert n <= in->n; */
	in->n -= n;
}

int main(void)
{
	char text[BYTES + 1], dtype[NPY_DTYPE];
	struct input_file in = { .path = "x.npy" };
	struct npy_header h = { .in = &in, .at = text, .end = text + BYTES };
	size_t shape[RANK_MOST], rank;
	struct element element;
	struct error err = { 0 };

	if (TOKEN == 1)
		return npy_describe(&in, dtype, &element, shape, &rank, &err);
	Frama_C_make_unknown(text, BYTES);
	return read_dictionary(&h, &err);
}
