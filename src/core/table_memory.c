/* table_memory.c: what a table owns, in blocks that it frees as one. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/table.h"

struct block {
	struct block *next;
	max_align_t data[];
};

/* What a block of n times size bytes takes; SIZE_MAX, which nothing has. */
static size_t block_bytes(size_t n, size_t size)
{
	size_t bytes;
	const bool over = __builtin_mul_overflow(n, size, &bytes);

	return __builtin_add_overflow(bytes, sizeof(struct block), &bytes) ||
	       over ? SIZE_MAX : bytes;
}

void *table_alloc(struct table *t, size_t n, size_t size, struct error *err)
{
	struct block *b = calloc(1, block_bytes(n, size));

	if (!b) {
		fail_room(err, n, size);
		return NULL;
	}
	b->next = t->blocks;
	t->blocks = b;
	return b->data;
}

void *table_grow(struct table *t, void *last, size_t n, size_t size,
		 struct error *err)
{
	struct block *b;

	if (!last)
		return table_alloc(t, n, size, err);
	b = realloc(t->blocks, block_bytes(n, size));
	if (!b) {
		fail_room(err, n, size);
		return NULL;
	}
	t->blocks = b;
	return b->data;
}

char *table_copy(struct table *t, const char *text, struct error *err)
{
	const size_t n = strlen(text) + 1;
	char *copy = table_alloc(t, n, 1, err);

	if (copy)
		memcpy(copy, text, n);
	return copy;
}

char *table_format(struct table *t, struct error *err, const char *format,
		   va_list list)
{
	va_list again;
	size_t room;
	char *text;

	va_copy(again, list);
	/* Numbers and strings of bytes can always be formatted. */
	room = (size_t)vsnprintf(NULL, 0, format, again) + 1;
	va_end(again);
	text = table_alloc(t, room, 1, err);
	if (text)
		vsnprintf(text, room, format, list);
	return text;
}

void table_adopt(struct table *t, struct table *from)
{
	struct block **end = &t->blocks;

	while (*end)
		end = &(*end)->next;
	*end = from->blocks;
	from->blocks = NULL;
}

void table_close(struct table *t)
{
	while (t->blocks) {
		struct block *next = t->blocks->next;

		free(t->blocks);
		t->blocks = next;
	}
}
