/* memory.c: the memory that a table owns. */
#define _DEFAULT_SOURCE  /* madvise() */
#include <limits.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "table/table.h"

enum {
	PAGE = 1 << 21,      /* a large page of x86-64 and arm64 */
#ifdef SANITIZED             /* nothing is spare, so that overruns show */
	LARGE = INT_MAX,
	LINE = alignof(max_align_t),
#else
	LARGE = MEMORY_LARGE,  /* bytes of data that are worth them */
	LINE = 64,           /* bytes of a cache line, and of a vector */
#endif
};

struct block {
	struct block *next;
	void (*end)(void *data);  /* called before it is freed; or NULL */
	unsigned char *data;    /* in room; begins with a line or a page */
	max_align_t room[];
};

void (*memory_first_large)(void);

void memory_expect(size_t bytes)
{
	static atomic_flag done = ATOMIC_FLAG_INIT;

	if (bytes >= MEMORY_LARGE && memory_first_large &&
	    !atomic_flag_test_and_set(&done))
		memory_first_large();
}

/* Bytes of n values; so many that there is no memory for them on overflow. */
static size_t data_bytes(size_t n, size_t size)
{
	size_t bytes;
	const bool over = __builtin_mul_overflow(n, size, &bytes);

	return (over | (bytes > SIZE_MAX / 2)) ? SIZE_MAX / 2 : bytes;
}

/* The same with the block, and room to begin with a line, or with a page and
   to end with one. */
static size_t block_bytes(size_t data)
{
	return sizeof(struct block) + data +
	       (data < LARGE ? LINE - alignof(max_align_t) : LARGE / 2);
}

/*
 * Ask for large pages, which come zeroed with one fault instead of 512: those
 * of the usual size take longer to get than to fill. All of the allocation is
 * meant, from the page on in which it begins: what is part of one only, the
 * system can't make larger without a copy.
 */
static void use_large_pages(struct block *b, size_t data)
{
#ifdef MADV_HUGEPAGE
	enum { SMALL = 1 << 12 };
	const uintptr_t first = (uintptr_t)b / SMALL * SMALL;

	/* Where there are none all works, slower. */
	if (data >= LARGE)
		madvise((void *)first, (uintptr_t)b + block_bytes(data) - first,
			MADV_HUGEPAGE);
#else
	(void)b;
	(void)data;
#endif
}

void *table_alloc(struct table *t, size_t n, size_t size, struct error *err)
{
	const size_t data = data_bytes(n, size);
	struct block *b;

	memory_expect(data);
	b = calloc(1, block_bytes(data));
	if (!b) {
		fail_room(err, n, size);
		return NULL;
	}
	b->data = (unsigned char *)b->room;
	b->data += -(uintptr_t)b->data % (data < LARGE ? LINE : PAGE);
	use_large_pages(b, data);
	b->next = t->blocks;
	t->blocks = b;
	return b->data;
}

void *table_grow(struct table *t, void *last, size_t n, size_t size,
		 struct error *err)
{
	const size_t data = data_bytes(n, size);
	struct block *b = t->blocks;
	size_t skip;

	if (!last)
		return table_alloc(t, n, size, err);
	skip = (size_t)(b->data - (unsigned char *)b->room);
	memory_expect(data);
	b = realloc(b, block_bytes(data));
	if (!b) {
		fail_room(err, n, size);
		return NULL;
	}
	b->data = (unsigned char *)b->room + skip;
	use_large_pages(b, data);
	t->blocks = b;
	return b->data;
}

void *table_owned(struct table *t, size_t size, void (*end)(void *data),
		  struct error *err)
{
	void *data = table_alloc(t, 1, size, err);

	if (data)
		t->blocks->end = end;
	return data;
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
	/* Formatting numbers and byte strings cannot fail. */
	room = (size_t)vsnprintf(NULL, 0, format, again) + 1;
	va_end(again);
	text = table_alloc(t, room, 1, err);
	if (text)
		vsnprintf(text, room, format, list);
	return text;
}

bool table_note(struct table *t, struct error *err, const char *format, ...)
{
	const char *before = t->from.note;
	va_list list;
	char *line, *all;
	size_t room;

	va_start(list, format);
	line = table_format(t, err, format, list);
	va_end(list);
	if (!line || !before) {
		t->from.note = line ? line : before;
		return line;
	}
	room = strlen(before) + strlen(line) + 2;
	all = table_alloc(t, room, 1, err);
	if (all) {
		snprintf(all, room, "%s\n%s", before, line);
		t->from.note = all;
	}
	return all;
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
		struct block *b = t->blocks;

		t->blocks = b->next;
		if (b->end)
			b->end(b->data);
		free(b);
	}
}
