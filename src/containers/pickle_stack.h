/*
 * pickle_stack.h: what the opcodes of pickle.c work on. false and NULL are
 * errors.
 */
#ifndef PICKLE_STACK_H
#define PICKLE_STACK_H

#include "containers/pickle.h"

enum { PICKLE_BLOCK = 1 << 16 };

/* Fail where the machine is. Returns false. */
bool pickle_fail(const struct pickle *p, const char *why);

/* Zeroed memory of size bytes, at most PICKLE_BLOCK, that p owns. */
void *pickle_make(struct pickle *p, size_t size);

/* The next n bytes, valid until the next call. */
const unsigned char *pickle_take(struct pickle *p, size_t n);

/* Skip n bytes, which the file must have. */
bool pickle_skip(struct pickle *p, uint64_t n);

/* Make room for more elements of the stack or the memo. */
struct object **pickle_grow(struct pickle *p, struct object **array,
			    size_t *room);

/* Push an object, or a mark, NULL. */
bool pickle_push(struct pickle *p, struct object *o);

/* Push a new object. */
struct object *pickle_new(struct pickle *p, enum object_kind kind);

/* The object on top of the stack, and the same taken from it. */
struct object *pickle_top(const struct pickle *p);
struct object *pickle_pop(struct pickle *p);

/* Whether n objects are on top of the stack, above all marks. */
bool pickle_has(const struct pickle *p, size_t n);

/* Whether the stack has a mark; *mark becomes the index of the last one. */
bool pickle_mark(const struct pickle *p, size_t *mark);

/* Append an item to o. */
bool pickle_add(struct pickle *p, struct object *o, const struct object *value);

/* Move the objects of the stack from an index on to the items of o. */
bool pickle_move(struct pickle *p, struct object *o, size_t from);

#endif
