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

#endif
