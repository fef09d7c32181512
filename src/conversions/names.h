/* names.h: the names of one tensor in different projects. */
#ifndef NAMES_H
#define NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "checkpoint/positional.h"

enum { NAME_ROOM = 200 };

/* What a tensor of that name [n] holds. */
enum content name_content(const char *name, size_t n);

/*
 * The name in GGUF of a tensor that has name [n] elsewhere: "token_embd.weight"
 * for "model.decoder.embed_tokens.weight". Modules around it that not every
 * model has stay: "tower_a.token_embd.weight". Returns its length; 0: none.
 */
size_t name_in_gguf(const char *name, size_t n, char to[NAME_ROOM]);

/*
 * The same; of several names in GGUF, number which; with halves, the words
 * "encoder" and "decoder" stay: "decoder.token_embd.weight".
 */
size_t name_key(const char *name, size_t n, size_t which, bool halves,
		char to[NAME_ROOM]);

/* Whether one of the names is of an encoder, and the other one of a decoder. */
bool names_of_two_halves(const char *a, const char *b);

/* Bytes of names of modules around the model: 6 of "model.wpe.weight". */
size_t name_wrapped(const char *name, size_t n);

/* Whether a name, or a word of it, is of a part that has layers of its own. */
bool name_of_part(const char *name, size_t n);

/* Whether programs compute such a tensor, so that a file may lack it. */
bool name_derived(const char *name, size_t n);

#endif
