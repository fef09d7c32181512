/*
 * gguf.h: a GGUF file (ggml/docs/gguf.md): its keys, which say what llama.cpp
 * knows of a model besides its tensors.
 */
#ifndef GGUF_H
#define GGUF_H

#include <stdint.h>

#include "containers/tensors.h"

enum gguf_kind { GGUF_NUMBER, GGUF_BOOL, GGUF_STRING };

enum {
	GGUF_VALUES = 512,     /* the most of an array that is given */
	GGUF_TEXT = 256,       /* bytes of a name or string that is given */
};

/* A value, or an array of values. */
struct gguf_value {
	enum gguf_kind kind;
	bool array;
	const double *x;       /* [n], of numbers and bools (0: false); those
				  of float32 are the shortest decimals */
	size_t n;              /* 0: an array of strings, or of too many */
	const char *text;      /* of one string: its beginning */
};

/* Receives a key and its value, which are gone afterwards; false: stop. */
typedef bool gguf_key(void *self, const char *name,
		      const struct gguf_value *value, struct error *err);

/*
 * Give each key with a name of fewer than GGUF_TEXT bytes, and no NUL, to
 * each(), unless that is NULL, and list the tensors, as gguf_container.list().
 * There may be none.
 */
bool gguf_keys(struct input_file *in, struct tensors *all, gguf_key *each,
	       void *self, struct error *err);

/* Whether a file that begins with bytes [n] is a GGUF file. */
bool gguf_recognizes(const unsigned char *bytes, size_t n);

extern const struct container gguf_container;

/*
 * Files of a model are named NAME-00001-of-00003.gguf. Whether path is that of
 * file no of count; and then, the path of another one, which owner keeps (NULL:
 * out of memory). Numbers begin at 1 and have at most 5 digits.
 */
bool gguf_is_part(const char *path, unsigned no, unsigned count);
const char *gguf_part(const char *path, unsigned no, struct table *owner,
		      struct error *err);

/* What follows is between gguf.c, gguf_keys.c and gguf_notes.c. */

/* Where the reader of a header is. A failure is noted in err. */
struct gguf_reader {
	struct input_file *in;
	size_t at;             /* in the window */
	size_t begin;          /* offset of the format in the file */
	size_t alignment;      /* 0: not given */
	size_t first;          /* the index of the first of its tensors */
	gguf_key *each;        /* receives keys, or NULL */
	void *self;
	struct error *err;
};

/* Which file of a model it is, "split.no", from 0 on; count 0: the only one. */
struct gguf_split {
	unsigned no, count;
};

/* What keys say of tensors: to be listed with them. */
struct gguf_notes {
	struct tensors *all;
	struct gguf_split split;
};

/* A gguf_key: note it in a struct gguf_notes, if it concerns positions. */
gguf_key gguf_note_key;

/* The next n bytes, valid until the next call; NULL: an error. */
const unsigned char *gguf_take(struct gguf_reader *r, size_t n);

/* The next number, of size bytes; 0 after a failure. */
uint64_t gguf_number(struct gguf_reader *r, size_t size);

/* A name [*n], valid until the next call; NULL: an error. */
const char *gguf_name(struct gguf_reader *r, size_t *n);

/* Read n keys. */
bool gguf_read_keys(struct gguf_reader *r, uint64_t n);

#endif
