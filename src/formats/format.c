/* format.c: the list of all formats. */
#include <stdio.h>
#include <string.h>

#include "core/recipe.h"
#include "formats/format.h"

#define FORMAT(name) extern const struct format name##_format;
#include "formats/list.h"
#undef FORMAT

#define FORMAT(name) &name##_format,
static const struct format *const formats[] = {
#include "formats/list.h"
	NULL
};

const struct format *format_at(size_t i)
{
	return formats[i];
}

/* ".csv .json .raw" of all formats, or of those that are read. */
static const char *suffixes(bool readable, char *text, size_t size)
{
	const char *between = "";
	size_t n = 0;

	for (size_t i = 0; formats[i]; i++)
		if (formats[i]->read || !readable) {
			snprintf(text + n, size - n, "%s.%s", between,
				 formats[i]->name);
			n += strlen(text + n);
			between = " ";
		}
	return text;
}

static const struct format *by_name(const char *name)
{
	for (size_t i = 0; formats[i]; i++)
		if (strcmp(name, formats[i]->name) == 0)
			return formats[i];
	return NULL;
}

/* What follows the last dot of the file's name, or NULL. */
static const char *suffix(const char *path)
{
	const char *base = strrchr(path, '/');
	const char *dot = strrchr(base ? base : path, '.');

	return dot ? dot + 1 : NULL;
}

static const struct format *by_suffix(const char *path)
{
	const char *name = suffix(path);

	return name ? by_name(name) : NULL;
}

const struct format *format_of(const char *path, struct error *err)
{
	const struct format *f = by_suffix(path);
	char known[120];

	if (!f)
		fail_file(err, path, "the suffix must be one of %s, or use "
			  "--csv FILE and the like",
			  suffixes(false, known, sizeof known));
	return f;
}

bool asked_doubles(const struct asked *asked)
{
	const int dtype = asked->raw->dtype;

	return dtype != NOT_GIVEN && dtype % DTYPES == F64;
}

/* The format that the first bytes look like. */
static const struct format *by_bytes(struct in *in,
				     const struct raw_kind *raw,
				     struct error *err)
{
	const unsigned char *b;
	size_t i = 0;

	if (!in_read(in, 10, err))
		return NULL;
	b = in->bytes;
	if (in->n >= 6 && memcmp(b, "\x93NUMPY", 6) == 0)
		return by_name("npy");
	/* The length of a header below 4 GB, then the header, an object. */
	if (in->n >= 9 && b[8] == '{' && !memcmp(b + 4, "\0\0\0", 4) &&
	    (in->n == 9 || memchr("\"} \t\r\n", b[9], 6)))
		return by_name("safetensors");
	if (raw->dim)
		return by_name("raw");
	if (in->n >= 3 && memcmp(b, "\xef\xbb\xbf", 3) == 0)
		i = 3;
	while (i < in->n && strchr(" \t\r\n", b[i]) && b[i])
		i++;
	return by_name(b[i] == '{' || b[i] == '[' ? "json" : "csv");
}

static bool no_format(const char *path, struct error *err)
{
	char known[120];

	return fail_file(err, path, "tables are read from files in %s .tsv",
			 suffixes(true, known, sizeof known));
}

/* Read the table of in, in the format f or, without, in that of its bytes. */
static bool read_from(struct in *in, const struct format *f,
		      const struct asked *asked, struct table *t,
		      struct error *err)
{
	struct error why = { 0 };

	if (!f)
		f = by_bytes(in, asked->raw, err);
	if (!f || !f->read(in, asked, t, err))
		return false;
	return table_check(t, &why) ? format_bounds(t, err)
				    : fail_file(err, in->path, "%s", why.text);
}

bool format_maybe_raw(const char *path)
{
	return !suffix(path) || by_suffix(path) == by_name("raw");
}

bool format_bounds(struct table *t, struct error *err)
{
	t->bounds = BOUNDS_NONE;
	if (!table_range(t, &t->lo, &t->hi, err))
		return false;
	t->bounds = t->lo <= t->hi ? BOUNDS_TIGHT : BOUNDS_NONE;
	return true;
}

/* The words that name the file, as a shell reads them. */
static bool note_words(const char *path, struct table *t, struct error *err)
{
	char *words = table_alloc(t, shell_word(path, NULL) + 1, 1, err);

	if (!words)
		return false;
	shell_word(path, words);
	t->title = path;
	t->command = words;
	return true;
}

bool format_read(const char *path, const struct raw_kind *raw,
		 struct table *t, struct error *err)
{
	static const char tensors[] = ".safetensors:";
	const char *colon = strstr(path, tensors);
	const size_t n = colon ? (size_t)(colon - path) + strlen(tensors) - 1
			       : strlen(path);
	const struct asked asked = { raw, colon ? path + n + 1 : NULL };
	char *file = table_alloc(t, n + 1, 1, err);
	const struct format *f;
	struct in in;
	bool good;

	if (!file || !note_words(path, t, err))
		return false;
	memcpy(file, path, n);
	f = strcmp(suffix(file) ? suffix(file) : "", "tsv") == 0
		? by_name("csv") : by_suffix(file);
	if (suffix(file) && (!f || !f->read))
		return no_format(file, err);
	if (!in_open(&in, file, err))
		return false;
	t->planes = 1;
	t->down = (struct axis){ .name = "row", .step = 1 };
	t->across = (struct axis){ .name = "column", .step = 1 };
	good = read_from(&in, f, &asked, t, err);
	in_close(&in);
	return good;
}
