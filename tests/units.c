/*
 * units.c: runs one group of unit tests, which UNIT() names, and counts the
 * memory that posenc and the tests take.
 */
#define _GNU_SOURCE  /* RTLD_DEFAULT */
#include "test.h"

#include <dlfcn.h>
#include <stdio.h>

struct heap heap;

/* Linked with --wrap: calls of the C library's functions come here. */
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t n);
void *__wrap_malloc(size_t n);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t n);
void __wrap_free(void *p);

static bool fails(void)
{
	const long now = atomic_fetch_add(&heap.made, 1) + 1;

	return heap.due &&
	       (now == heap.due || (heap.ever && now > heap.due));
}

static void *counted(void *p)
{
	atomic_fetch_add(&heap.live, p != NULL);
	return p;
}

void *__wrap_malloc(size_t n)
{
	return fails() ? NULL : counted(__real_malloc(n));
}

void *__wrap_calloc(size_t n, size_t size)
{
	return fails() ? NULL : counted(__real_calloc(n, size));
}

void *__wrap_realloc(void *p, size_t n)
{
	if (fails())
		return NULL;
	return p ? __real_realloc(p, n) : counted(__real_realloc(p, n));
}

void __wrap_free(void *p)
{
	atomic_fetch_sub(&heap.live, p != NULL);
	__real_free(p);
}

int main(int argc, char **argv)
{
	char name[80];
	union { void *symbol; int (*run)(void); } unit = { NULL };

	if (argc == 2) {
		snprintf(name, sizeof name, "%s_unit", argv[1]);
		unit.symbol = dlsym(RTLD_DEFAULT, name);
	}
	if (!unit.symbol) {
		fprintf(stderr, "usage: units NAME, for tests/NAME.c\n");
		return 2;
	}
	return unit.run();
}
