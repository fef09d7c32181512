/* replay.c: what fuzzers start from and what they found, through each again. */
/* Which inputs are read as files, too: all with FULL. */
#define FILED_OF (getenv("FULL") ? 1 : 10)
#include "deep/fuzz/reader.c"

#include "test.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "deep/fuzz/args.c"
#include "deep/fuzz/config.c"
#include "deep/fuzz/hdf5.c"
#include "deep/fuzz/lists.c"
#include "deep/fuzz/views.c"

#define FUZZ "deep/fuzz/"

enum { MOST = 1 << 20 };

static char given[600];  /* the path of the file that is given */

/* Call give() for every file of the folder. */
static void for_each(const char *folder,
		     int (*give)(const uint8_t *data, size_t n))
{
	DIR *here = opendir(folder);
	uint8_t *bytes = test_malloc(MOST);

	if (!here)
		fail_msg("%s cannot be opened", folder);
	for (const struct dirent *e; (e = readdir(here));) {
		FILE *in;

		if (e->d_name[0] == '.')
			continue;
		snprintf(given, sizeof given, "%s/%s", folder, e->d_name);
		in = fopen(given, "rb");
		assert_non_null(in);
		give(bytes, fread(bytes, 1, MOST, in));
		fclose(in);
	}
	closedir(here);
	test_free(bytes);
}

/* Whether it is f's: corpus/csv/1af05c7a, found/csv-1af05c7a, good/t.csv. */
static bool is_given(const struct format *f)
{
	char folder[40], begin[40];

	snprintf(folder, sizeof folder, "/%s/", f->name);
	snprintf(begin, sizeof begin, "/%s-", f->name);
	return strstr(given, folder) || strstr(given, begin) ||
	       format_reading(given) == f;
}

/*
 * All readers say whether a file may be theirs; its own reads it, with FULL
 * all others, too, whom no file may harm.
 */
static int give_readers(const uint8_t *data, size_t n)
{
	const bool full = getenv("FULL") != NULL;
	const struct format *f;

	for (size_t i = 0; (f = format_known(i)); i++) {
		if (f->recognizes)
			f->recognizes(data, n);
		if (f->read && !f->process && (full || is_given(f)))
			fuzz_reader(f->name, data, n);
	}
	return 0;
}

static void readers_agree_with_themselves(void **state)
{
	static const char *const folders[] = {
		"good", "bad", FUZZ "found", FUZZ "corpus/csv",
		FUZZ "corpus/gguf", FUZZ "corpus/json", FUZZ "corpus/npy",
		FUZZ "corpus/npz", FUZZ "corpus/onnx", FUZZ "corpus/raw",
		FUZZ "corpus/safetensors", FUZZ "corpus/shards",
		FUZZ "corpus/torch",
	};
	char folder[80];

	(void)state;
	for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
		snprintf(folder, sizeof folder, "tests/%s", folders[i]);
		for_each(folder, give_readers);
	}
}

static void lists_of_datasets_are_checked(void **state)
{
	(void)state;
	for_each("tests/" FUZZ "corpus/hdf5", fuzz_hdf5);
	for_each("tests/bad", fuzz_hdf5);
}

static void lists_are_read_or_refused(void **state)
{
	(void)state;
	for_each("tests/" FUZZ "corpus/lists", fuzz_lists);
	for_each("tests/good", fuzz_lists);
	for_each("tests/bad", fuzz_lists);
}

/* Which tables are read: all with FULL, else every sixth. */
static bool is_left_out(void)
{
	static size_t files;

	return files++ % 6 && !getenv("FULL");
}

static int give_inspect(const uint8_t *data, size_t n)
{
	return is_left_out() ? 0 : fuzz_inspect(data, n);
}

static int give_compare(const uint8_t *data, size_t n)
{
	return is_left_out() ? 0 : fuzz_compare(data, n);
}

static int give_identify(const uint8_t *data, size_t n)
{
	return is_left_out() ? 0 : fuzz_identify(data, n);
}

static void any_table_has_a_report(void **state)
{
	(void)state;
	for_each("tests/" FUZZ "corpus/inspect", give_inspect);
	for_each("tests/" FUZZ "corpus/compare", give_compare);
	for_each("tests/" FUZZ "corpus/identify", give_identify);
}

static void words_are_read_or_refused(void **state)
{
	(void)state;
	for_each("tests/" FUZZ "words", fuzz_args);
	for_each("tests/" FUZZ "corpus/args", fuzz_args);
}

static void configs_are_read_or_refused(void **state)
{
	(void)state;
	for_each("tests/" FUZZ "configs", fuzz_config);
	for_each("tests/bad", fuzz_config);
}

UNIT(replay,
	TEST(readers_agree_with_themselves),
	TEST(lists_of_datasets_are_checked),
	TEST(lists_are_read_or_refused),
	TEST(configs_are_read_or_refused),
	TEST(any_table_has_a_report),
	/* The last: words that name files close the sandbox */
	TEST(words_are_read_or_refused)
)
