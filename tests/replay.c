/* replay.c: what fuzzers start from and what they found, through each again. */
#include "fuzz/reader.c"

#include "test.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/args.c"
#include "fuzz/config.c"
#include "fuzz/hdf5.c"
#include "fuzz/lists.c"
#include "fuzz/views.c"

enum { MOST = 1 << 20 };

/* Call give() for every file of the folder. */
static void for_each(const char *folder,
		     int (*give)(const uint8_t *data, size_t n))
{
	DIR *here = opendir(folder);
	uint8_t *bytes = test_malloc(MOST);
	char path[600];

	if (!here)
		fail_msg("%s cannot be opened", folder);
	for (const struct dirent *e; (e = readdir(here));) {
		FILE *in;

		if (e->d_name[0] == '.')
			continue;
		snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
		in = fopen(path, "rb");
		assert_non_null(in);
		give(bytes, fread(bytes, 1, MOST, in));
		fclose(in);
	}
	closedir(here);
	test_free(bytes);
}

/* Whatever a file is, no reader may be harmed by it. */
static int give_readers(const uint8_t *data, size_t n)
{
	const struct format *f;

	for (size_t i = 0; (f = format_known(i)); i++)
		if (f->read && !f->process)
			fuzz_reader(f->name, data, n);
	return 0;
}

static void readers_agree_with_themselves(void **state)
{
	(void)state;
	for_each("tests/good", give_readers);
	for_each("tests/bad", give_readers);
	for_each("tests/fuzz/found", give_readers);
	for_each("tests/fuzz/corpus/csv", give_readers);
	for_each("tests/fuzz/corpus/gguf", give_readers);
	for_each("tests/fuzz/corpus/json", give_readers);
	for_each("tests/fuzz/corpus/npy", give_readers);
	for_each("tests/fuzz/corpus/npz", give_readers);
	for_each("tests/fuzz/corpus/onnx", give_readers);
	for_each("tests/fuzz/corpus/raw", give_readers);
	for_each("tests/fuzz/corpus/safetensors", give_readers);
	for_each("tests/fuzz/corpus/shards", give_readers);
	for_each("tests/fuzz/corpus/torch", give_readers);
}

static void lists_of_datasets_are_checked(void **state)
{
	(void)state;
	for_each("tests/fuzz/corpus/hdf5", fuzz_hdf5);
	for_each("tests/bad", fuzz_hdf5);
}

static void lists_are_read_or_refused(void **state)
{
	(void)state;
	for_each("tests/fuzz/corpus/lists", fuzz_lists);
	for_each("tests/good", fuzz_lists);
	for_each("tests/bad", fuzz_lists);
}

static void any_table_has_a_report(void **state)
{
	(void)state;
	for_each("tests/fuzz/corpus/inspect", fuzz_inspect);
	for_each("tests/fuzz/corpus/compare", fuzz_compare);
	for_each("tests/fuzz/corpus/identify", fuzz_identify);
}

static void words_are_read_or_refused(void **state)
{
	(void)state;
	for_each("tests/fuzz/words", fuzz_args);
	for_each("tests/fuzz/corpus/args", fuzz_args);
}

static void configs_are_read_or_refused(void **state)
{
	(void)state;
	for_each("tests/fuzz/configs", fuzz_config);
	for_each("tests/bad", fuzz_config);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(readers_agree_with_themselves),
		cmocka_unit_test(lists_of_datasets_are_checked),
		cmocka_unit_test(lists_are_read_or_refused),
		cmocka_unit_test(configs_are_read_or_refused),
		cmocka_unit_test(any_table_has_a_report),
		/* The last: words that name files close the sandbox */
		cmocka_unit_test(words_are_read_or_refused),
	};

	return cmocka_run_group_tests_name("replay", tests, NULL, NULL);
}
