/* groups.c: tensors of layers that are alike, as one. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "checkpoint/groups.h"
#include "table/sort.h"

/* The length of a number that is a part of a name by itself, or 0. */
static size_t number_length(const struct tensor *t, size_t at)
{
	size_t n = 0;

	if (at && !strchr("._/", t->name[at - 1]))
		return 0;
	while (isdigit((unsigned char)t->name[at + n]))
		n++;
	return strchr("._/", t->name[at + n]) ? n : 0;  /* NUL is found, too */
}

/* The next character of a name, or number for one; *at moves past it. */
static char next_character(const struct tensor *t, size_t *at, char number)
{
	const size_t n = number_length(t, *at);

	*at += n ? n : 1;
	if (n)
		return number;
	return t->name[*at - 1];
}

/* Write a name with a character for its numbers; its length. */
static size_t write_masked(const struct tensor *t, char number, char *to)
{
	size_t n = 0;

	for (size_t at = 0; at < t->length; n++)
		to[n] = next_character(t, &at, number);
	return n;
}

void group_name(const struct tensor *t, char *to)
{
	to[write_masked(t, '*', to)] = '\0';
}

/* A tensor, its number and its name [length] with NUL for numbers. */
struct numbered {
	const struct tensor *tensor;
	const char *name;
	size_t length, at;
};

/* The order of tensors that may be alike; 0: they are. */
static int order_of(const struct numbered *a, const struct numbered *b)
{
	int order = names_order(a->name, a->length, b->name, b->length);

	if (!order)
		order = strcmp(a->tensor->dtype, b->tensor->dtype);
	if (!order)
		order = memcmp(a->tensor->shape, b->tensor->shape,
			       sizeof a->tensor->shape);
	return order ? order
		     : integers_order(a->tensor->rank, b->tensor->rank);
}

static int by_likeness(const void *left, const void *right)
{
	const struct numbered *a = left, *b = right;
	const int order = order_of(a, b);

	return order ? order : integers_order(a->at, b->at);
}

static int by_first(const void *left, const void *right)
{
	const struct group *a = left, *b = right;

	return integers_order(a->first, b->first);
}

/* Number and name tensors [n]. NULL: out of memory. */
static struct numbered *number_all(const struct tensor *const *at, size_t n,
				   struct table *owner, struct error *err)
{
	struct numbered *all = table_alloc(owner, n, sizeof *all, err);
	size_t bytes = 0;
	char *name;

	for (size_t i = 0; i < n; i++)
		bytes += at[i]->length;
	name = table_alloc(owner, bytes, 1, err);
	if (!all || !name)
		return NULL;
	for (size_t i = 0; i < n; i++) {
		all[i] = (struct numbered){
			at[i], name, write_masked(at[i], '\0', name), i,
		};
		name += all[i].length;
	}
	return all;
}

size_t groups_find(const struct tensor *const *at, size_t n,
		   struct group **groups, struct table *owner,
		   struct error *err)
{
	struct numbered *all = number_all(at, n, owner, err);
	struct group *found = table_alloc(owner, n, sizeof *found, err);
	size_t count = 0;

	*groups = found;
	if (!all || !found)
		return count;
	qsort(all, n, sizeof *all, by_likeness);
	for (size_t i = 0; i < n; i++) {
		if (!i || order_of(&all[i], &all[i - 1]) != 0)
			found[count++] = (struct group){ all[i].at, 0 };
		found[count - 1].n++;
	}
	qsort(found, count, sizeof *found, by_first);
	return count;
}
