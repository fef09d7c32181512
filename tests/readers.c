/*
 * readers.c: what every reader makes of files that are odd, in tests/good, and
 * of files that are broken, in tests/bad: a line of the folder's list for each.
 */
#include "test.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/parse.h"
#include "formats/format.h"
#include "formats/number.h"

enum { LINE = 1000 };

/* "float32 [1, 2, 2] 1 2 3 4": all that a table says. */
static void table_text(const struct table *t, char text[LINE])
{
	size_t n = (size_t)snprintf(text, LINE, "%s [%zu, %zu, %zu]",
				    dtype_name(t->dtype), t->planes, t->rows,
				    t->cols);

	for (size_t i = 0; i < t->end; i++) {
		const double *x = t->row(t, i, NULL);

		for (size_t j = 0; j < t->cols; j++) {
			text[n++] = ' ';
			n += number_text(text + n, x[j], F64, 0);
		}
	}
	text[n] = '\0';
}

/* What reading the file gives: its table, or the sentence. */
static void read_text(const char *path, const struct raw_kind *raw,
		      char text[LINE])
{
	struct table t = { 0 };
	struct error err = { 0 };

	if (format_read(path, raw, &t, &err))
		table_text(&t, text);
	else
		snprintf(text, LINE, "%s", err.text);
	table_close(&t);
}

static struct raw_kind raw_kind(const char *dim, const char *dtype)
{
	struct raw_kind raw = { strtoul(dim, NULL, 10), 0 };

	while (dtype_words[raw.dtype] && strcmp(dtype, dtype_words[raw.dtype]))
		raw.dtype++;
	if (!dtype_words[raw.dtype])
		raw.dtype = NOT_GIVEN;
	return raw;
}

/* Files of the folder, but for its list. */
static size_t count_files(void)
{
	DIR *here = opendir(".");
	size_t n = 0;

	assert_non_null(here);
	for (const struct dirent *e; (e = readdir(here));)
		n += e->d_name[0] != '.' && strcmp(e->d_name, "list") != 0;
	closedir(here);
	return n;
}

/* FILE, --dim, --dtype and what is said, parted by tabs. */
static void check_line(char *line)
{
	char *rest = NULL, *path = strtok_r(line, "\t", &rest);
	const char *dim = strtok_r(NULL, "\t", &rest);
	const char *dtype = strtok_r(NULL, "\t", &rest);
	const char *wanted = strtok_r(NULL, "\n", &rest);
	const struct raw_kind raw = raw_kind(dim, dtype);
	char said[LINE];

	read_text(path, &raw, said);
	if (!wanted || strcmp(said, wanted) != 0) {
		print_message("%s\t%s\t%s\t%s\n", path, dim, dtype, said);
		fail_msg("%s: wanted %s", path, wanted);
	}
}

static void check_folder(const char *folder)
{
	char line[LINE], *home = getcwd(NULL, 0);
	size_t n = 0;
	FILE *list;

	assert_int_equal(chdir(folder), 0);
	list = fopen("list", "r");
	assert_non_null(list);
	for (; fgets(line, sizeof line, list); n++)
		check_line(line);
	fclose(list);
	/* A file may stand more than once, none may be forgotten. */
	assert_true(n >= count_files());
	assert_int_equal(chdir(home), 0);
	free(home);
}

static void odd_files_are_read(void **state)
{
	(void)state;
	check_folder("tests/good");
}

static void broken_files_are_told(void **state)
{
	(void)state;
	check_folder("tests/bad");
}

/* The program opens what is closed, but its library does not. */
static void closed_input_is_told(void **state)
{
	const struct raw_kind raw = { 0, NOT_GIVEN };
	const int kept = dup(STDIN_FILENO);
	char said[LINE];

	(void)state;
	close(STDIN_FILENO);
	read_text("-", &raw, said);
	dup2(kept, STDIN_FILENO);
	close(kept);
	assert_string_equal(said, "standard input: Bad file descriptor");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(odd_files_are_read),
		cmocka_unit_test(broken_files_are_told),
		cmocka_unit_test(closed_input_is_told),
	};

	return cmocka_run_group_tests_name("readers", tests, NULL, NULL);
}
