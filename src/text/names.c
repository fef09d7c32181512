/* names.c: names in lists. */
#include <stdlib.h>
#include <string.h>

#include "table/sort.h"
#include "text/names.h"

int names_order(const char *a, size_t n, const char *b, size_t m)
{
	const int order = memcmp(a, b, n < m ? n : m);

	return order ? order : integers_order(n, m);
}

/* Of eight bytes at a time. */
uint64_t name_hash(const char *name, size_t n)
{
	uint64_t x = n, part;

	for (size_t i = 0; i < n; i += sizeof part) {
		const size_t left = n - i;

		part = 0;
		memcpy(&part, name + i,
		       left < sizeof part ? left : sizeof part);
		x = (x ^ part) * 0x9e3779b97f4a7c15u;
		x ^= x >> 32;
	}
	return x;
}

/*
 * Put a name into a table of 2^bits places, of which less than half are taken.
 * Whether it is there already.
 */
static bool put(const struct name **places, int bits, const struct name *name)
{
	const size_t last = ((size_t)1 << bits) - 1;
	size_t at = (size_t)(name_hash(name->text, name->length) >>
			      (64 - bits));

	for (; places[at]; at = (at + 1) & last)
		if (names_order(places[at]->text, places[at]->length,
				name->text, name->length) == 0)
			return true;
	places[at] = name;
	return false;
}

const struct name *name_twice(const void *items, size_t n, size_t size,
			      struct error *err)
{
	const struct name **places, *name = items, *twice = NULL;
	int bits = 1;

	while (n >> (bits - 1))
		bits++;
	places = calloc((size_t)1 << bits, sizeof *places);
	if (!places) {
		fail_memory(err);
		return NULL;
	}
	for (size_t i = 0; i < n && !twice; i++) {
		twice = put(places, bits, name) ? name : NULL;
		name = (const void *)((const char *)name + size);
	}
	free(places);
	return twice;
}
