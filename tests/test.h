/* test.h: what the unit tests share. */
#ifndef TEST_H
#define TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#ifdef __GLIBC__
#include <malloc.h>
#if __GLIBC_PREREQ(2, 33)
#define TELLS_MEMORY
#endif
#endif

#include "posenc.h"

/* fail() is ours; cmocka's function stays. */
#undef fail
#undef fail_msg
#define fail_msg(...)                                                   \
	(print_error(__VA_ARGS__), print_error("\n"), _fail(__FILE__, __LINE__))

#define TEST(function) cmocka_unit_test(function)

/* The tests of this file, tests/NAME.c, in their order: units.c runs them. */
#define UNIT(name, ...) UNIT_BETWEEN(name, NULL, NULL, __VA_ARGS__)

/* As above, between setup and teardown. */
#define UNIT_BETWEEN(name, setup, teardown, ...)                         \
	__attribute__((visibility("default"))) int name##_unit(void);   \
	int name##_unit(void)                                           \
	{                                                               \
		const struct CMUnitTest tests[] = { __VA_ARGS__ };      \
									\
		return cmocka_run_group_tests_name(#name, tests, setup, \
						   teardown);           \
	}

/* What posenc and the tests allocate: units.c counts it. */
struct heap {
	atomic_long made, live;  /* allocations so far, and not freed */
	long due;                /* the number of one that fails; 0: none */
	bool ever;               /* all after that fail, too */
};

extern struct heap heap;

/* What is not counted. */
void *__real_malloc(size_t n);
void __real_free(void *p);

/* The table of a recipe and options; fails the test where there is none. */
static inline struct pe_table *open_table(const char *recipe,
					  const char *options)
{
	char why[PE_WHY];
	struct pe_table *t = pe_open(recipe, options, why,
				     sizeof why);

	if (!t)
		fail_msg("%s %s: %s", recipe, options, why);
	return t;
}

/* That a recipe refuses the options, with this sentence. */
static inline void refuse(const char *recipe, const char *options,
			  const char *sentence)
{
	char why[PE_WHY];

	assert_null(pe_open(recipe, options, why, sizeof why));
	assert_string_equal(why, sentence);
}

/* All its numbers, [planes * rows * cols], to be freed by test_free(). */
static inline double *all_numbers(const struct pe_table *t)
{
	const size_t rows = pe_planes(t) * pe_rows(t), cols = pe_cols(t);
	double *all = test_malloc(rows * cols * sizeof *all);

	for (size_t i = 0; i < rows; i++) {
		const double *x = pe_row(t, i, all + i * cols);

		for (size_t j = 0; j < cols; j++)
			all[i * cols + j] = x[j];
	}
	return all;
}

/* Bytes that are allocated, by libraries, too; 0: nobody knows. */
static inline size_t memory_used(void)
{
#ifdef TELLS_MEMORY
	const struct mallinfo2 now = mallinfo2();

	return now.uordblks + now.hblkhd;
#else
	return 0;
#endif
}

/*
 * Call visit(), and again while more memory is used behind it than before: what
 * is kept once is no leak.
 */
static inline void leaves_nothing(void (*visit)(void *self), void *self,
				  const char *name)
{
	enum { TRIES = 30 };
	size_t before = 0, after = 1;

	for (int i = 0; after > before && i < TRIES; i++) {
		before = memory_used();
		visit(self);
		after = memory_used();
	}
	if (after > before)
		fail_msg("%s: %zu bytes are not freed", name, after - before);
}

#endif
