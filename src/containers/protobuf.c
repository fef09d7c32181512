/* protobuf.c: fields of messages, from front to back. */
#include <string.h>

#include "table/limit.h"
#include "containers/protobuf.h"
#include "text/words.h"

enum { TEXT_MOST = LIMIT(65535, 255), VARINT_MOST = 10 };  /* bytes */

size_t field_position(const struct field_reader *r)
{
	return r->in->at + r->at;
}

bool field_fail(const struct field_reader *r, const char *why)
{
	return fail_file(r->err, r->in->path, "byte %zu: %s", field_position(r),
			 why);
}

bool field_seek(struct field_reader *r, size_t to)
{
	struct input_file *in = r->in;

	if (to >= in->at && to - in->at <= in->n) {
		r->at = to - in->at;
		return true;
	}
	r->at = 0;
	return in_skip(in, to, r->err);
}

/* The next n bytes, valid until the next call; NULL: an error. */
static const unsigned char *take(struct field_reader *r, size_t n)
{
	return in_take(r->in, &r->at, n, "a message", r->err);
}

bool field_varint(struct field_reader *r, size_t end, uint64_t *x)
{
	*x = 0;
	for (unsigned i = 0; i < VARINT_MOST && field_position(r) < end; i++) {
		const unsigned char *byte = take(r, 1);

		if (!byte)
			return false;
		*x |= (uint64_t)(*byte & 0x7f) << 7 * i;
		if (!(*byte & 0x80))
			return true;
	}
	return field_fail(r, "a varint that does not end");
}

bool field_next(struct field_reader *r, struct field *f, size_t end)
{
	uint64_t tag, size = 0;

	if (f->end == end || !field_seek(r, f->end) ||
	    !field_varint(r, end, &tag))
		return false;
	f->number = tag >> 3;
	f->value = 0;
	f->wire = tag & 7;
	switch (f->wire) {
	case VARINT:
		if (!field_varint(r, end, &f->value))
			return false;
		break;
	case FIXED64:
		size = 8;
		break;
	case BYTES:
		if (!field_varint(r, end, &size))
			return false;
		break;
	case FIXED32:
		size = 4;
		break;
	default:
		return field_fail(r, "a field of an unknown type");
	}
	f->begin = field_position(r);
	if (size > end - f->begin)
		return field_fail(r, end == r->in->size
				     ? "a field ends beyond the file"
				     : "a field ends beyond its message");
	f->end = f->begin + (size_t)size;
	return true;
}

bool field_is(const struct field *f, uint64_t number)
{
	return f->number == number && f->wire == BYTES;
}

struct field field_inside(const struct field *f)
{
	return (struct field){ .end = f->begin };
}

const char *field_text(struct field_reader *r, const struct field *f,
		       size_t *n)
{
	*n = f->end - f->begin;
	if (!field_seek(r, f->begin))
		return NULL;
	if (*n <= TEXT_MOST)
		return (const char *)take(r, *n);
	field_fail(r, "a name of more than 65535 bytes");
	return NULL;
}

bool field_text_is(struct field_reader *r, const struct field *f,
		   const char *word)
{
	size_t n;
	const char *s = field_text(r, f, &n);

	return s && text_is(s, n, word);
}
