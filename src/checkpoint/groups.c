/* groups.c: tensors of layers that are alike, as one. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "checkpoint/groups.h"

/* The length of a number that is a part of a name by itself, or 0. */
static size_t number_length(const struct tensor *t, size_t at)
{
	size_t n = 0;

	if (at && !strchr("._/", t->name[at - 1]))
		return 0;
	while (at + n < t->length && t->name[at + n] >= '0' &&
	       t->name[at + n] <= '9')
		n++;
	return at + n == t->length || strchr("._/", t->name[at + n]) ? n : 0;
}

enum { NUMBER = '\0' };  /* no name has it */

/* The next character of a name, or NUMBER; *at moves past it. */
static char next_character(const struct tensor *t, size_t *at)
{
	const size_t n = number_length(t, *at);

	*at += n ? n : 1;
	return n ? NUMBER : t->name[*at - 1];
}

void group_name(const struct tensor *t, char *to)
{
	for (size_t at = 0; at < t->length; to++) {
		*to = next_character(t, &at);
		if (*to == NUMBER)
			*to = '*';
	}
	*to = '\0';
}

static bool alike(const struct tensor *a, const struct tensor *b)
{
	size_t i = 0, j = 0;

	if (strcmp(a->dtype, b->dtype) != 0 || a->rank != b->rank ||
	    memcmp(a->shape, b->shape, sizeof a->shape) != 0)
		return false;
	while (i < a->length && j < b->length)
		if (next_character(a, &i) != next_character(b, &j))
			return false;
	return i == a->length && j == b->length;
}

/* FNV-1a of what is alike. */
static uint64_t hash(const struct tensor *t)
{
	uint64_t x = 14695981039346656037u;

	for (size_t at = 0; at < t->length;)
		x = (x ^ (unsigned char)next_character(t, &at)) *
		    1099511628211u;
	for (size_t i = 0; i < RANK_MOST; i++)
		x = (x ^ t->shape[i]) * 1099511628211u;
	return x;
}

struct hashed {
	uint64_t hash;
	size_t at;
};

static int by_hash(const void *left, const void *right)
{
	const struct hashed *a = left, *b = right;

	if (a->hash != b->hash)
		return a->hash < b->hash ? -1 : 1;
	return a->at < b->at ? -1 : 1;
}

static int by_first(const void *left, const void *right)
{
	const struct group *a = left, *b = right;

	return a->first < b->first ? -1 : 1;
}

size_t groups_find(const struct tensor *const *at, size_t n,
		   struct group **groups, struct table *owner,
		   struct error *err)
{
	struct hashed *all = table_alloc(owner, n, sizeof *all, err);
	struct group *found = table_alloc(owner, n, sizeof *found, err);
	size_t count = 0;

	*groups = found;
	if (!all || !found)
		return 0;
	for (size_t i = 0; i < n; i++)
		all[i] = (struct hashed){ hash(at[i]), i };
	qsort(all, n, sizeof *all, by_hash);
	for (size_t i = 0; i < n; i++) {
		if (!count || all[i].hash != all[i - 1].hash ||
		    !alike(at[all[i].at], at[all[i - 1].at]))
			found[count++] = (struct group){ all[i].at, 0 };
		found[count - 1].n++;
	}
	qsort(found, count, sizeof *found, by_first);
	return count;
}
