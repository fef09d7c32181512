/*
 * pickle_stack.c: objects of pickles, and the stack and memory of the machine.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "table/limit.h"
#include "containers/pickle_stack.h"

enum {
	OBJECTS_MOST = LIMIT(1 << 28, 1 << 18),  /* bytes of objects */
	ARRAY_MOST = LIMIT(1 << 22, 1 << 10),    /* objects on the stack, or
						    in the memo */
};

static const char within[] = "a pickle";  /* where a file ends */

struct pickle_block {
	struct pickle_block *next;
	size_t used;
	max_align_t bytes[PICKLE_BLOCK / sizeof(max_align_t)];
};

bool pickle_fail(const struct pickle *p, const char *why)
{
	return fail_file(p->err, p->in->path, "byte %zu: %s", p->in->at + p->at,
			 why);
}

void *pickle_make(struct pickle *p, size_t size)
{
	struct pickle_block *b = p->blocks;
	const size_t align = sizeof *b->bytes;
	const size_t n = (size + align - 1) / align * align;

	if (!b || n > sizeof b->bytes - b->used) {
		if (p->made >= OBJECTS_MOST) {
			pickle_fail(p, "more than 256 MB of objects");
			return NULL;
		}
		b = calloc(1, sizeof *b);
		if (!b) {
			fail_memory(p->err);
			return NULL;
		}
		b->next = p->blocks;
		p->blocks = b;
		p->made += sizeof *b;
	}
	b->used += n;
	return (unsigned char *)b->bytes + b->used - n;
}

const unsigned char *pickle_take(struct pickle *p, size_t n)
{
	return in_take(p->in, &p->at, n, within, p->err);
}

bool pickle_skip(struct pickle *p, uint64_t n)
{
	return in_pass(p->in, &p->at, (size_t)n, within, p->err);
}

struct object **pickle_grow(struct pickle *p, struct object **array,
			    size_t *room)
{
	const size_t more = *room ? 2 * *room : 256;
	struct object **larger;

	if (more > ARRAY_MOST) {
		pickle_fail(p, "more than 4194304 objects at once");
		return NULL;
	}
	larger = realloc(array, more * sizeof *larger);
	if (!larger) {
		fail_memory(p->err);
		return NULL;
	}
	*room = more;
	return larger;
}

bool pickle_push(struct pickle *p, struct object *o)
{
	if (p->depth == p->room) {
		struct object **more = pickle_grow(p, p->stack, &p->room);

		if (!more)
			return false;
		p->stack = more;
	}
	p->stack[p->depth++] = o;
	return true;
}

struct object *pickle_new(struct pickle *p, enum object_kind kind)
{
	struct object *o = pickle_make(p, sizeof *o);

	if (!o || !pickle_push(p, o))
		return NULL;
	o->kind = kind;
	return o;
}

struct object *pickle_top(const struct pickle *p)
{
	struct object *o = p->depth ? p->stack[p->depth - 1] : NULL;

	if (!o)
		pickle_fail(p, "takes an object from an empty stack");
	return o;
}

struct object *pickle_pop(struct pickle *p)
{
	struct object *o = pickle_top(p);

	if (o)
		p->depth--;
	return o;
}

bool pickle_has(const struct pickle *p, size_t n)
{
	size_t i = 0;

	while (i < n && i < p->depth && p->stack[p->depth - 1 - i])
		i++;
	if (i == n)
		return true;
	return pickle_fail(p, "takes an object from an empty stack");
}

bool pickle_mark(const struct pickle *p, size_t *mark)
{
	size_t i = p->depth;

	while (i > 0 && p->stack[i - 1])
		i--;
	if (!i)
		return pickle_fail(p, "no mark on the stack");
	*mark = i - 1;
	return true;
}

bool pickle_add(struct pickle *p, struct object *o, const struct object *value)
{
	struct item *item = pickle_make(p, sizeof *item);

	if (!item)
		return false;
	item->object = value;
	if (o->last)
		o->last->next = item;
	else
		o->first = item;
	o->last = item;
	o->n++;
	return true;
}

bool pickle_move(struct pickle *p, struct object *o, size_t from)
{
	bool good = true;

	for (size_t i = from; good && i < p->depth; i++)
		good = pickle_add(p, o, p->stack[i]);
	p->depth = from;
	return good;
}

void pickle_end(struct pickle *p)
{
	while (p->blocks) {
		struct pickle_block *next = p->blocks->next;

		free(p->blocks);
		p->blocks = next;
	}
	free(p->stack);
	free(p->memo);
}

bool object_is(const struct object *o, enum object_kind kind, const char *text)
{
	return o->kind == kind && strlen(text) == o->length &&
	       memcmp(o->text, text, o->length) == 0;
}

bool object_calls(const struct object *o, const char *name)
{
	return o->kind == OBJECT_CALL &&
	       object_is(o->callee, OBJECT_NAME, name);
}

const struct object *object_item(const struct object *o, size_t i)
{
	const struct item *item = o->first;

	while (item && i-- > 0)
		item = item->next;
	return item ? item->object : NULL;
}

const char *object_name(const struct object *o, char text[OBJECT_NAME_TEXT])
{
	snprintf(text, OBJECT_NAME_TEXT, "%s", o->text);
	for (char *c = text; *c; c++)
		if (*c == ' ')
			*c = '.';
	return text;
}
