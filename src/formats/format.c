/* format.c: the list of all formats. */
#include <stdio.h>
#include <string.h>

#include "recipe/recipe.h"
#include "text/words.h"
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

const char *format_suffixes(bool readable, char text[SUFFIXES_TEXT])
{
	const size_t size = SUFFIXES_TEXT;
	size_t n = 0;

	text[0] = '\0';
	for (const struct format *const *f = formats; *f; f++) {
		if (!(*f)->read && readable)
			continue;
		snprintf(text + n, size - n, "%s.%s", n ? " " : "", (*f)->name);
		n += strlen(text + n);
		if (readable && (*f)->read_suffix)
			snprintf(text + n, size - n, " .%s", (*f)->read_suffix);
		n += strlen(text + n);
	}
	return text;
}

/* The text after the last dot of the file's name, or NULL. */
static const char *suffix(const char *path)
{
	const char *base = strrchr(path, '/');
	const char *dot = strrchr(base ? base : path, '.');

	return dot ? dot + 1 : NULL;
}

static const struct format *by_suffix(const char *path)
{
	const char *name = suffix(path);

	for (size_t i = 0; name && formats[i]; i++)
		if (strcmp(name, formats[i]->name) == 0)
			return formats[i];
	return NULL;
}

/* The format for reading a file. */
static const struct format *by_read_suffix(const char *path)
{
	const char *name = suffix(path);

	for (size_t i = 0; name && formats[i]; i++)
		if (formats[i]->read_suffix &&
		    strcmp(name, formats[i]->read_suffix) == 0)
			return formats[i];
	return by_suffix(path);
}

const struct format *format_of(const char *path, struct error *err)
{
	const struct format *f = by_suffix(path);
	char known[SUFFIXES_TEXT];

	if (!f)
		fail_file(err, path, "unknown suffix; expected one of %s, or "
			  "name the format, as in --csv FILE",
			  format_suffixes(false, known));
	return f;
}

bool reads_float64(const struct read_options *options)
{
	const int dtype = options->raw->dtype;

	return dtype != NO_CHOICE && dtype % DTYPES == F64;
}

/* The first binary or text format that recognizes the n bytes at b, or NULL. */
static const struct format *recognize(bool binary, const unsigned char *b,
				      size_t n)
{
	for (size_t i = 0; formats[i]; i++)
		if (formats[i]->binary == binary && formats[i]->recognizes &&
		    formats[i]->recognizes(b, n))
			return formats[i];
	return NULL;
}

/* The format without metadata, which --dim and --dtype describe. */
static const struct format *bare_format(void)
{
	const struct format *f = NULL;

	for (size_t i = 0; formats[i]; i++)
		if (formats[i]->bare)
			f = formats[i];
	return f;
}

/* The format that recognizes the first bytes, or the first of list.h. */
static const struct format *by_bytes(struct input_file *in,
				     const struct raw_kind *raw,
				     struct error *err)
{
	const struct format *f;

	if (!in_read(in, 10, err))
		return NULL;
	f = recognize(true, in->bytes, in->n);
	if (!f && raw->dim)
		f = bare_format();
	if (!f)
		f = recognize(false, in->bytes, in->n);
	return f ? f : formats[0];
}

static bool no_format(const char *path, struct error *err)
{
	char known[SUFFIXES_TEXT];

	return fail_file(err, path, "expected a table in a file with one of "
			 "the suffixes %s",
			 format_suffixes(true, known));
}

/* Read the table of in, in format f or, if NULL, in that of its bytes. */
static bool read_from(struct input_file *in, const struct format *f,
		      const struct read_options *options, struct table *t,
		      struct error *err)
{
	struct error why = { 0 };

	if (!f)
		f = by_bytes(in, options->raw, err);
	if (!f || !f->read(in, options, t, err))
		return false;
	return table_check(t, &why) ? format_bounds(t, err)
				    : fail_file(err, in->path, "%s", why.text);
}

bool format_maybe_raw(const char *path)
{
	const struct format *f = by_suffix(path);

	return !suffix(path) || (f && f->bare);
}

bool format_bounds(struct table *t, struct error *err)
{
	t->bounds = BOUNDS_NONE;
	if (!table_range(t, &t->lo, &t->hi, err))
		return false;
	t->bounds = t->lo <= t->hi ? BOUNDS_TIGHT : BOUNDS_NONE;
	return true;
}

/* Let the table's command be the path, quoted for a shell. */
static bool note_words(const char *path, struct table *t, struct error *err)
{
	char *words = table_alloc(t, shell_word(path, NULL) + 1, 1, err);

	if (!words)
		return false;
	shell_word(path, words);
	t->title = path;
	t->from.command = words;
	return true;
}

/* The colon of "FILE.SUFFIX:NAME" if the format is a container, or NULL. */
static const char *tensor_colon(const char *path)
{
	for (size_t i = 0; formats[i]; i++) {
		char end[40];
		const char *at;

		if (!formats[i]->container)
			continue;
		snprintf(end, sizeof end, ".%s:", formats[i]->name);
		at = strstr(path, end);
		if (at)
			return at + strlen(end) - 1;
	}
	return NULL;
}

bool format_read(const char *path, const struct raw_kind *raw,
		 struct table *t, struct error *err)
{
	const char *colon = tensor_colon(path);
	const size_t n = colon ? (size_t)(colon - path) : strlen(path);
	const struct read_options options = { raw, colon ? colon + 1 : NULL };
	char *file = table_alloc(t, n + 1, 1, err);
	const struct format *f;
	struct input_file in;
	bool good;

	if (!file || !note_words(path, t, err))
		return false;
	memcpy(file, path, n);
	f = by_read_suffix(file);
	if (suffix(file) && (!f || !f->read))
		return no_format(file, err);
	if (!in_open(&in, file, err))
		return false;
	t->planes = 1;
	t->row_axis = axis_of(AXIS_ROW);
	t->col_axis = axis_of(AXIS_COLUMN);
	good = read_from(&in, f, &options, t, err);
	in_close(&in);
	return good;
}
