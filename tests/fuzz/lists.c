/* lists.c: reads any bytes as a list of numbers, as an option and in a file. */
#define _GNU_SOURCE  /* memfd_create */
#include <string.h>

#include "recipe/list.h"
#include "memory.h"

/* A file takes as long as many options: one input in FILED_OF is one. */
#ifndef FILED_OF
#define FILED_OF 1
#endif

int fuzz_lists(const uint8_t *data, size_t n);

/* Numbers or one sentence. */
static bool read_list(struct list *list, const char *text, struct table *owner)
{
	struct error err = { 0 };
	const bool good = list_read(list, text, "--list", owner, &err);

	if (good != !err.text[0] || (good && !list->n))
		abort();
	return good;
}

static bool read_file(struct list *list, const uint8_t *data, size_t n,
		      struct table *owner)
{
	char path[MEMORY_PATH + 1] = "@";
	const int fd = memory_file(data, n, path + 1);
	const bool good = read_list(list, path, owner);

	close(fd);
	return good;
}

/* What both ways of reading take is the same numbers. */
static void agree(const struct list *typed, const uint8_t *data, size_t n,
		    struct table *owner)
{
	struct list filed;

	if (read_file(&filed, data, n, owner) && typed->n &&
	    (typed->n != filed.n ||
	     memcmp(typed->at, filed.at, filed.n * sizeof *filed.at) != 0))
		abort();
}

int fuzz_lists(const uint8_t *data, size_t n)
{
	struct table owner = { 0 };
	struct list typed = { 0 };
	char *text = malloc(n + 1);
	size_t sum = n;

	if (!text)
		abort();
	memcpy(text, data, n);
	text[n] = '\0';
	/* Text that names a file is not read */
	if (text[0] == '@' || strcmp(text, "-") == 0 ||
	    !read_list(&typed, text, &owner) || strlen(text) != n)
		typed.n = 0;
	for (size_t i = 0; i < n; i++)
		sum = sum * 31 + data[i];
	if (sum % FILED_OF == 0)
		agree(&typed, data, n, &owner);
	table_close(&owner);
	free(text);
	return 0;
}
