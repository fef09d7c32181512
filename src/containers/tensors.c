/* tensors.c: named tensors of a file: the list, and the choice by name. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/words.h"
#include "containers/tensors.h"

struct tensor *tensors_add(struct tensors *all, struct error *err)
{
	if (all->n >= all->room) {
		const size_t room = all->room ? 2 * all->room : 16;
		struct tensor *more = realloc(all->at, room * sizeof *more);

		if (!more) {
			fail_memory(err);
			return NULL;
		}
		all->at = more;
		all->room = room;
	}
	all->at[all->n] = (struct tensor){ 0 };
	return &all->at[all->n++];
}

int names_order(const char *a, size_t n, const char *b, size_t m)
{
	const int order = memcmp(a, b, n < m ? n : m);

	return order ? order : (n > m) - (n < m);
}

int tensors_by_name(const void *left, const void *right)
{
	const struct tensor *a = left, *b = right;

	return names_order(a->name, a->length, b->name, b->length);
}

bool tensors_check_names(struct tensors *all, const struct input_file *in,
			 struct error *err)
{
	qsort(all->at, all->n, sizeof *all->at, tensors_by_name);
	for (size_t i = 1; i < all->n; i++)
		if (tensors_by_name(&all->at[i - 1], &all->at[i]) == 0)
			return fail_file(err, in->path, "duplicate tensor name "
					 "'%.*s'",
					 all->at[i].length < 100
					 ? (int)all->at[i].length : 100,
					 all->at[i].name);
	return true;
}

/* Whether name [n] matches pattern, in which '*' is any text. */
static bool matches(const char *pattern, const char *name, size_t n)
{
	const char *star = NULL, *end = name + n, *back = NULL;

	while (name < end) {
		if (*pattern == '*') {
			star = pattern++;
			back = name;
		} else if (*pattern == *name) {
			pattern++;
			name++;
		} else if (star) {
			pattern = star + 1;
			name = ++back;
		} else {
			return false;
		}
	}
	while (*pattern == '*')
		pattern++;
	return !*pattern;
}

/* The names that match pattern, or all, as "a, b and 3 more". */
static const char *names_text(const struct tensors *all, const char *pattern,
			      char text[240])
{
	size_t n = 0, more = 0;

	for (size_t i = 0; i < all->n; i++) {
		const struct tensor *t = &all->at[i];

		if (pattern && !matches(pattern, t->name, t->length))
			continue;
		if (more || (n && n + t->length > 200))
			more++;
		else
			n += (size_t)snprintf(text + n, 240 - n, "%s%.*s",
					      n ? ", " : "", t->length < 200
					      ? (int)t->length : 200, t->name);
	}
	if (more)
		snprintf(text + n, 240 - n, " and %zu more", more);
	return text;
}

static bool no_tensor(const struct tensors *all, const struct input_file *in,
		      const char *pattern, struct error *err)
{
	struct lookup l = lookup_begin(pattern);
	char names[240], name[40];

	for (size_t i = 0; i < all->n; i++) {
		const struct tensor *t = &all->at[i];

		snprintf(name, sizeof name, "%.*s",
			 t->length < sizeof name ? (int)t->length : 0, t->name);
		if (name[0])
			lookup_is(&l, name);
	}
	if (l.nearest[0])
		return fail_file(err, in->path, "no tensor '%.60s' (did you "
				 "mean '%s'?)", pattern, l.nearest);
	return fail_file(err, in->path, "no tensor '%.60s'; the file has %s",
			 pattern, names_text(all, NULL, names));
}

const struct tensor *tensors_choose(const struct tensors *all,
				    const struct input_file *in,
				    const char *pattern, struct error *err)
{
	const struct tensor *found = NULL;
	char names[240];
	size_t n = 0;

	for (size_t i = 0; i < all->n; i++) {
		const struct tensor *t = &all->at[i];

		if (pattern && strlen(pattern) == t->length &&
		    memcmp(pattern, t->name, t->length) == 0)
			return t;
		if (!pattern || matches(pattern, t->name, t->length)) {
			found = t;
			n++;
		}
	}
	if (!n)
		no_tensor(all, in, pattern, err);
	else if (n > 1 && pattern)
		fail_file(err, in->path, "%zu tensors match '%.60s': %s", n,
			  pattern, names_text(all, pattern, names));
	else if (n > 1)
		fail_file(err, in->path, "the file has %zu tensors; choose one "
			  "as %.60s:NAME: %s", n, in->path,
			  names_text(all, NULL, names));
	return n == 1 ? found : NULL;
}
