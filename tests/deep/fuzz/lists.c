/* lists.c: reads any bytes as numbers: an option, a file, standard input. */
#define _GNU_SOURCE  /* memfd_create */
#include <string.h>

#include "recipe/list.h"
#include "memory.h"

/* A file takes as long as many options: one input in FILED_OF is one. */
#ifndef FILED_OF
#define FILED_OF 1
#endif

int fuzz_lists(const uint8_t *data, size_t n);

/* Numbers or one sentence; owner may read files. */
static bool read_list(struct list *list, const char *text, struct table *owner,
		      bool files)
{
	struct error err = { 0 };
	bool good;

	owner->from.reads_files = files;
	good = list_read(list, text, "--list", owner, &err);

	if (good != !err.text[0] || (good && !list->n))
		abort();
	return good;
}

static bool read_file(struct list *list, const uint8_t *data, size_t n,
		      struct table *owner)
{
	char path[MEMORY_PATH + 1] = "@";
	const int fd = memory_file(data, n, path + 1);
	const bool good = read_list(list, path, owner, true);

	close(fd);
	return good;
}

static bool read_standard(struct list *list, const uint8_t *data, size_t n,
			  struct table *owner)
{
	FILE *const before = stdin;
	bool good;

	stdin = fmemopen((void *)(uintptr_t)data, n, "r");
	if (!stdin)
		abort();
	good = read_list(list, "-", owner, true);
	fclose(stdin);
	stdin = before;
	return good;
}

static bool same(const struct list *a, const struct list *b)
{
	return a->n == b->n && memcmp(a->at, b->at, a->n * sizeof *a->at) == 0;
}

/* What several ways of reading take is the same numbers. */
static void agree(const struct list *typed, const uint8_t *data, size_t n,
		  struct table *owner)
{
	struct list filed, standard;
	const bool good = read_file(&filed, data, n, owner);

	if (good && typed->n && !same(typed, &filed))
		abort();
	if (n && (read_standard(&standard, data, n, owner) != good ||
		  (good && !same(&standard, &filed))))
		abort();
}

/* Files that cannot be read are a sentence. */
static void refuse_files(struct table *owner)
{
	struct list list;

	if (read_list(&list, "@/", owner, true) ||
	    read_list(&list, "@/none", owner, true))
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
	if (!read_list(&typed, text, &owner, false) || strlen(text) != n)
		typed.n = 0;
	if (!n)
		refuse_files(&owner);
	for (size_t i = 0; i < n; i++)
		sum = sum * 31 + data[i];
	if (sum % FILED_OF == 0)
		agree(&typed, data, n, &owner);
	table_close(&owner);
	free(text);
	return 0;
}
