/*
 * library.c: what a program that links posenc relies on: no file is read unless
 * it allows that, threads, and what happens when memory runs out.
 */
#include "test.h"

#include <locale.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "recipes.h"

/* The options of an encoding's own example: "--len 512 --dim 512". */
static const char *example_of(const char *name)
{
	const struct recipe *r = recipe_find(name, &(struct error){ 0 });

	return r->example + strlen("posenc ") + strlen(name);
}

/* Commands whose options take memory, or that have rows for several threads. */
static const struct {
	const char *recipe, *options;
} more[] = {
	{ "sinusoid", "len=20000 dim=64" },
	{ "sinusoid", "positions='0, 1.5, 7' dim=6 emulate=torch-exp" },
	{ "sinusoid", "preset=whisper len=4 dim=4" },
	{ "rope", "dim=4 len=9 scaling=longrope:2,4,short=1:1,long=2:2" },
	{ "embed", "vocab=50 dim=6 rng=torch ids=3,1,4" },
	{ "mask", "kind=segments segments=0,0,1,1" },
	{ "alibi", "heads=3 len=40" },
};

enum { MORE = sizeof more / sizeof *more };

/* Command i of all: every encoding's example, then more. NULL past the last. */
static const char *command(size_t i, const char **options)
{
	size_t names = 0;

	while (pe_name(names))
		names++;
	if (i < names) {
		*options = example_of(pe_name(i));
		return pe_name(i);
	}
	*options = i - names < MORE ? more[i - names].options : NULL;
	return i - names < MORE ? more[i - names].recipe : NULL;
}

/* Open, read and close a table. false: memory ran out, which is said. */
static bool used(const char *recipe, const char *options)
{
	char why[PE_WHY] = "";
	struct pe_table *t = pe_open(recipe, options, why, sizeof why);
	const size_t rows = t ? pe_planes(t) * pe_rows(t) : 0;
	float *x = __real_malloc(rows * (t ? pe_cols(t) : 0) * sizeof *x + 1);
	bool good = t && pe_fill(t, 0, rows, x) == 0;

	__real_free(x);
	if (!t && strncmp(why, "out of memory", 13) != 0)
		fail_msg("%s %s: %s", recipe, options, why);
	pe_close(t);
	return good;
}

/* Allocation 1, then 2, ... fails, and all after it or not. */
static void starve(const char *recipe, const char *options, bool from_then_on)
{
	bool failed = true;

	heap.ever = from_then_on;
	for (long at = 1; failed && at < 10000; at++) {
		heap.made = 0;
		heap.due = at;
		/* One that fails may be done without. */
		failed = !used(recipe, options) || heap.made >= at;
		heap.due = 0;
		if (heap.live)
			fail_msg("%s %s, allocation %ld: %ld are left", recipe,
				 options, at, (long)heap.live);
	}
	assert_false(failed);
}

static void nothing_is_left_where_memory_ends(void **state)
{
	const char *recipe, *options;

	(void)state;
	for (size_t i = 0; (recipe = command(i, &options)); i++) {
		heap.live = 0;
		if (!used(recipe, options))
			fail_msg("%s %s: refused", recipe, options);
		assert_int_equal(heap.live, 0);
		starve(recipe, options, false);
		starve(recipe, options, true);
	}
}

enum { THREADS = 8, ROWS_MOST = 400 };

/* One thread's reading of a table. */
struct reading {
	struct pe_table *shared;     /* NULL: it opens one of its own */
	const char *recipe, *options;
	pthread_t thread;
	size_t different;            /* values */
};

/* The first rows, by pe_row() and by pe_fill(), compared with each other. */
static size_t differences(const struct pe_table *t)
{
	const size_t all = pe_planes(t) * pe_rows(t), cols = pe_cols(t);
	const size_t rows = all < ROWS_MOST ? all : ROWS_MOST;
	double *scratch = calloc(cols, sizeof *scratch);
	float *x = calloc(rows * cols, sizeof *x);
	size_t n = pe_fill(t, 0, rows, x) != 0;

	for (size_t i = 0; i < rows; i++) {
		const double *row = pe_row(t, i, scratch);

		for (size_t j = 0; j < cols; j++)
			n += x[i * cols + j] < (float)row[j] ||
			     x[i * cols + j] > (float)row[j];
	}
	free(scratch);
	free(x);
	return n;
}

static void *read_table(void *self)
{
	struct reading *r = self;
	struct pe_table *own = NULL;
	char why[PE_WHY];

	if (!r->shared)
		own = pe_open(r->recipe, r->options, why, sizeof why);
	r->different = r->shared || own
		       ? differences(r->shared ? r->shared : own) : 1;
	pe_close(own);
	return NULL;
}

/* All readings at the same time. */
static void read_all(struct reading r[THREADS])
{
	for (size_t i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&r[i].thread, NULL, read_table,
						&r[i]), 0);
	for (size_t i = 0; i < THREADS; i++) {
		pthread_join(r[i].thread, NULL);
		if (r[i].different)
			fail_msg("%s %s: %zu values differ", r[i].recipe,
				 r[i].options, r[i].different);
	}
}

static void threads_share_a_table(void **state)
{
	const char *recipe, *options;

	(void)state;
	for (size_t i = 0; (recipe = command(i, &options)); i++) {
		struct pe_table *t = open_table(recipe, options);
		struct reading r[THREADS];

		for (size_t k = 0; k < THREADS; k++)
			r[k] = (struct reading){ .shared = t, .recipe = recipe,
						 .options = options };
		read_all(r);
		pe_close(t);
	}
}

/* The same command in all threads, then another one in each. */
static void threads_open_tables(void **state)
{
	struct reading r[THREADS] = { { 0 } };
	size_t n = 0;
	const char *options;

	(void)state;
	while (command(n, &options))
		n++;
	for (size_t i = 0; i < 2 * n; i++) {
		for (size_t k = 0; k < THREADS; k++) {
			const size_t at = i < n ? i : (i + k) % n;

			r[k].recipe = command(at, &r[k].options);
		}
		read_all(r);
	}
}

/* Whether the library opens a table of three rows; if not, why. */
static bool reads(const char *recipe, const char *options, unsigned flags,
		  char why[PE_WHY])
{
	struct pe_table *t = pe_open_with(recipe, options, flags, why, PE_WHY);
	const bool good = t && pe_rows(t) == 3;

	pe_close(t);
	return good;
}

static void begins(const char *text, const char *with)
{
	if (strncmp(text, with, strlen(with)) != 0)
		fail_msg("'%s' does not begin with '%s'", text, with);
}

/* A caller's text opens no file unless the caller says that it may. */
static void files_are_read_where_allowed(void **state)
{
	char path[] = "/tmp/posenc-list-XXXXXX", options[2][120], why[PE_WHY];
	const int fd = mkstemp(path), was = dup(0);

	(void)state;
	assert_int_equal(write(fd, "1 2 3", 5), 5);
	snprintf(options[0], 120, "dim=2 positions=@%s", path);
	snprintf(options[1], 120, "dim=6 len=3 scaling=longrope:2,4,short=@%s,"
		 "long=@%s", path, path);
	assert_false(reads("sinusoid", options[0], 0, why));
	begins(why, "--positions: expected numbers, got '@/tmp/");
	assert_false(reads("rope", options[1], 0, why));
	begins(why, "--scaling longrope: expected numbers, got '@/tmp/");
	assert_null(pe_open("sinusoid", options[0], why, sizeof why));
	begins(why, "--positions: expected numbers, got '@/tmp/");
	assert_true(reads("sinusoid", options[0], PE_READ_FILES, why));
	assert_true(reads("rope", options[1], PE_READ_FILES, why));
	assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
	assert_int_equal(dup2(fd, 0), 0);
	assert_false(reads("sinusoid", "dim=2 positions=-", 0, why));
	assert_string_equal(why, "--positions: expected numbers, got '-': the "
				 "library reads files only with "
				 "PE_READ_FILES");
	assert_true(reads("sinusoid", "dim=2 positions=-", PE_READ_FILES,
			  why));
	dup2(was, 0);
	close(was);
	close(fd);
	unlink(path);
}

static void unknown_flags_are_refused(void **state)
{
	char why[PE_WHY];

	(void)state;
	assert_false(reads("sinusoid", "len=3 dim=2", 4 | PE_READ_FILES, why));
	assert_string_equal(why, "flags: expected 0 or PE_READ_FILES, got 0x5");
}

static void who_asks_for_no_reason_gets_none(void **state)
{
	char why[] = "none";

	(void)state;
	assert_null(pe_open("ropes", "", NULL, 0));
	assert_null(pe_open("ropes", "", why, 0));
	assert_string_equal(why, "none");
	assert_null(pe_open("ropes", "", why, sizeof why));
	assert_string_equal(why, "unkn");
}

/* A locale that the calling thread alone has set stays set. */
static void a_caller_keeps_its_locale(void **state)
{
	const locale_t own = newlocale(LC_ALL_MASK, "C.UTF-8", (locale_t)0);
	const locale_t before = uselocale(own);
	char why[PE_WHY];

	(void)state;
	if (!own)
		skip();
	assert_true(reads("sinusoid", "len=3 dim=2 base=1.5", 0, why));
	assert_ptr_equal(uselocale((locale_t)0), own);
	assert_false(reads("sinusoid", "len=3 dim=2 base=1,5", 0, why));
	assert_ptr_equal(uselocale(before), own);
	freelocale(own);
}

UNIT(library,
	TEST(nothing_is_left_where_memory_ends),
	TEST(threads_share_a_table),
	TEST(threads_open_tables),
	TEST(files_are_read_where_allowed),
	TEST(unknown_flags_are_refused),
	TEST(who_asks_for_no_reason_gets_none),
	TEST(a_caller_keeps_its_locale)
)
