/*
 * protobuf.h: reads messages of Protocol Buffers, as the page "Encoding" of
 * their documentation describes them. A message is a sequence of fields, some
 * of which are messages; nothing says where one begins but the one around it.
 */
#ifndef PROTOBUF_H
#define PROTOBUF_H

#include <stdint.h>

#include "files/input.h"

/* Where the reader of fields is. A failure is noted in err. */
struct field_reader {
	struct input_file *in; /* may be read from any offset */
	size_t at;             /* in the window */
	struct error *err;
};

/* A field of a message, or where the first one will be. */
struct field {
	uint64_t number;       /* 0: none yet */
	uint64_t value;        /* of VARINT; 0 of others */
	size_t begin, end;     /* offsets of the value in the file */
	enum { VARINT, FIXED64, BYTES, FIXED32 = 5 } wire;
};

/* The offset of the reader in the file. */
size_t field_position(const struct field_reader *r);

/* Fail at that offset. Returns false. */
bool field_fail(const struct field_reader *r, const char *why);

/* Move to an offset of the file. */
bool field_seek(struct field_reader *r, size_t to);

/* The next number, which ends before offset end. */
bool field_varint(struct field_reader *r, size_t end, uint64_t *x);

/*
 * Go to the next field of a message that ends at offset end; false at its end,
 * or after a failure. The value of the field before may be unread.
 */
bool field_next(struct field_reader *r, struct field *f, size_t end);

/* Where the first field in a message is. */
struct field field_inside(const struct field *f);

/* Whether it has that number, and a message, text or packed values. */
bool field_is(const struct field *f, uint64_t number);

/* The text [*n] of a field, valid until the next call; NULL: an error. */
const char *field_text(struct field_reader *r, const struct field *f,
		       size_t *n);

bool field_text_is(struct field_reader *r, const struct field *f,
		   const char *word);

#endif
