/*
 * readers.c: reads unusual files in tests/good and broken files in tests/bad,
 * and compares the table or the error with the line in the directory's list.
 * Nothing that was read stays in memory.
 */
#include "test.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "text/decimal.h"
#include "containers/hdf5.h"
#include "containers/open.h"

enum { LINE = 1000 };

/* A table as text: "float32 [1, 2, 2] 1 2 3 4". */
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

/* A file, and its table as text, or the error. */
struct reading {
	const char *path;
	struct raw_kind raw;
	char *said;  /* [LINE] */
};

static void read_text(void *self)
{
	const struct reading *r = self;
	struct table t = { 0 };
	struct error err = { 0 };

	if (format_read(r->path, &r->raw, &t, &err))
		table_text(&t, r->said);
	else
		snprintf(r->said, LINE, "%s", err.text);
	table_close(&t);
}

static struct raw_kind raw_kind(const char *dim, const char *dtype)
{
	struct raw_kind raw = { strtoul(dim, NULL, 10), 0, 0, 0 };

	while (dtype_words[raw.dtype] && strcmp(dtype, dtype_words[raw.dtype]))
		raw.dtype++;
	if (!dtype_words[raw.dtype])
		raw.dtype = NO_CHOICE;
	return raw;
}

/* The number of files in the directory, without its list. */
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

static void add_suffix(char known[LINE], const char *suffix)
{
	const size_t n = strlen(known);

	snprintf(known + n, LINE - n, " .%s", suffix);
}

/* Whether suffixes lists all formats that are read. */
static bool all_suffixes(const char *suffixes)
{
	char known[LINE] = "";

	for (size_t i = 0; format_known(i); i++) {
		const struct format *f = format_known(i);

		if (!f->read)
			continue;
		add_suffix(known, f->name);
		for (size_t k = 0; k < READ_SUFFIXES; k++)
			if (f->read_suffixes[k])
				add_suffix(known, f->read_suffixes[k]);
	}
	return strcmp(suffixes, known + 1) == 0;
}

/* The end SUFFIXES of wanted stands for the list of suffixes. */
static bool same_sentence(const char *said, const char *wanted)
{
	const char *list = strstr(wanted, "SUFFIXES");
	const char *other = strstr(wanted, " || ");
	const size_t n = list ? (size_t)(list - wanted) : 0;

	if (list)
		return strncmp(said, wanted, n) == 0 && all_suffixes(said + n);
	if (!other)
		return strcmp(said, wanted) == 0;
	return same_sentence(said, other + strlen(" || ")) ||
	       (strncmp(said, wanted, (size_t)(other - wanted)) == 0 &&
		said[other - wanted] == '\0');
}

/*
 * A line of the list: FILE, --dim, --dtype and the result, separated by tabs.
 */
static void check_line(char *line)
{
	char *rest = NULL, *path = strtok_r(line, "\t", &rest);
	const char *dim = strtok_r(NULL, "\t", &rest);
	const char *dtype = strtok_r(NULL, "\t", &rest);
	const char *wanted = strtok_r(NULL, "\n", &rest);
	char said[LINE];
	struct reading r = { path, raw_kind(dim, dtype), said };

	leaves_nothing(read_text, &r, path);
	if (!wanted || !same_sentence(said, wanted)) {
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
	/* A file may have several lines; none may be missing. */
	assert_true(n >= count_files());
	assert_int_equal(chdir(home), 0);
	free(home);
}

static void unusual_files_are_read(void **state)
{
	(void)state;
	check_folder("tests/good");
}

static void broken_files_are_reported(void **state)
{
	(void)state;
	check_folder("tests/bad");
}

static void hdf5_files_are_read_or_reported(void **state)
{
	char version[HDF5_VERSION];

	(void)state;
	hdf5_version(version);
	if (strncmp(version, "not", 3) == 0) {
		print_message("libhdf5 %s\n", version);
		skip();
	}
	check_folder("tests/hdf5");
}

/*
 * Descriptor 0 is closed: the program opens it at its start, the library does
 * not.
 */
static void closed_input_is_reported(void **state)
{
	const int kept = dup(STDIN_FILENO);
	char said[LINE];
	struct reading r = { "-", { 0, NO_CHOICE, 0, 0 }, said };

	(void)state;
	close(STDIN_FILENO);
	read_text(&r);
	dup2(kept, STDIN_FILENO);
	close(kept);
	assert_string_equal(said, "standard input: Bad file descriptor");
}

UNIT(readers,
	TEST(unusual_files_are_read),
	TEST(broken_files_are_reported),
	TEST(hdf5_files_are_read_or_reported),
	TEST(closed_input_is_reported)
)
