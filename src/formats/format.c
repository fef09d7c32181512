/* format.c: the list of all formats. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "recipe/recipe.h"
#include "text/words.h"
#include "formats/format.h"

#define FORMAT(name) extern const struct format name##_format;
#define READ(name) FORMAT(name)
#include "formats/list.h"
#undef FORMAT

#define FORMAT(name) &name##_format,
static const struct format *const formats[] = {
#include "formats/list.h"
	NULL
};

const struct format *format_at(size_t i)
{
	return formats[i]->write ? formats[i] : NULL;
}

const struct format *format_known(size_t i)
{
	return formats[i];
}

const char *format_suffixes(bool readable, char text[SUFFIXES_TEXT])
{
	const size_t size = SUFFIXES_TEXT;
	size_t n = 0;

	text[0] = '\0';
	for (const struct format *const *f = formats; *f; f++) {
		if (!(readable ? (*f)->read != NULL : (*f)->write != NULL))
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

/* Whether the path ends in ".NAME". */
static bool ends_in(const char *path, const char *name)
{
	const size_t n = strlen(path), m = strlen(name);

	return n > m && path[n - m - 1] == '.' &&
	       strcmp(path + n - m, name) == 0;
}

/* The format in which a file is written. */
static const struct format *by_suffix(const char *path)
{
	for (size_t i = 0; format_at(i); i++)
		if (ends_in(path, formats[i]->name))
			return formats[i];
	return NULL;
}

/* The format for reading a file: .index.json comes after .json in list.h. */
static const struct format *by_read_suffix(const char *path)
{
	const struct format *found = NULL;

	for (const struct format *const *f = formats; *f; f++)
		if (((*f)->read_suffix && ends_in(path, (*f)->read_suffix)) ||
		    ends_in(path, (*f)->name))
			found = *f;
	return found;
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
static const struct format *by_bytes(const struct input_file *in,
				     const struct raw_kind *raw)
{
	const struct format *f = recognize(true, in->bytes, in->n);

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
	static const char pointer[] = "version https://git-lfs";
	struct error why = { 0 };

	if (!in_read(in, FIRST_BYTES, err))
		return false;
	if (in->n >= sizeof pointer - 1 &&
	    !memcmp(in->bytes, pointer, sizeof pointer - 1))
		return fail_file(err, in->path, "a pointer of Git LFS, not the "
				 "file; 'git lfs pull' fetches it");
	if (!f)
		f = by_bytes(in, options->raw);
	if (!f->read(in, options, t, err))
		return false;
	if (!table_check(t, &why))
		return fail_file(err, in->path, "%s", why.text);
	format_bounds(t);
	return true;
}

bool format_maybe_raw(const char *path)
{
	const struct format *f = by_suffix(path);

	return !suffix(path) || (f && f->bare);
}

void format_bounds(struct table *t)
{
	const struct survey all = table_survey(t);

	t->lo = all.lo;
	t->hi = all.hi;
	t->finite = !all.odd;
	t->bounds = t->lo <= t->hi ? BOUNDS_TIGHT : BOUNDS_NONE;
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

static bool is_folder(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* Bytes of a file's name in a folder, with the slash before and a NUL. */
enum { FILE_ROOM = 40 };

/* The colon of "FOLDER:NAME", or NULL; copy has room for path. */
static const char *folder_colon(const char *path, char *copy)
{
	for (const char *at = strchr(path, ':'); at; at = strchr(at + 1, ':')) {
		const size_t n = (size_t)(at - path);

		memcpy(copy, path, n);
		copy[n] = '\0';
		if (is_folder(copy))
			return at;
	}
	return NULL;
}

/* The first colon of "FILE.SUFFIX:NAME", of a container, or NULL. */
static const char *tensor_colon(const char *path)
{
	const char *first = NULL;

	for (size_t i = 0; formats[i]; i++) {
		char end[40];
		const char *at;

		if (!formats[i]->container)
			continue;
		snprintf(end, sizeof end, ".%s:", formats[i]->name);
		at = strstr(path, end);
		if (at && (!first || at + strlen(end) - 1 < first))
			first = at + strlen(end) - 1;
	}
	return first;
}

/* The file of a model's tensors in a folder; false: there is none. */
static bool find_model(const char *folder, char *file, struct error *err)
{
	static const char *const names[] = {
		"model.safetensors.index.json", "model.safetensors",
	};
	struct stat st;

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		snprintf(file, strlen(folder) + FILE_ROOM, "%s/%s", folder,
			 names[i]);
		if (stat(file, &st) == 0)
			return true;
	}
	return fail_file(err, folder, "a folder without %s and %s", names[0],
			 names[1]);
}

/*
 * Split "FILE:NAME" into the file, in memory of t, and *tensor, or NULL. A
 * folder becomes the file of its model. NULL: an error.
 */
static const char *split(const char *path, struct table *t,
			 const char **tensor, struct error *err)
{
	const size_t room = strlen(path) + FILE_ROOM;
	char *folder = table_alloc(t, room, 1, err);
	char *file = table_alloc(t, room, 1, err);
	const char *colon;
	size_t n;

	if (!file || !folder)
		return NULL;
	colon = tensor_colon(path);
	if (!colon && !is_folder(path))
		colon = folder_colon(path, folder);
	*tensor = colon ? colon + 1 : NULL;
	n = colon ? (size_t)(colon - path) : strlen(path);
	memcpy(folder, path, n);
	folder[n] = '\0';
	if (by_read_suffix(folder) || !is_folder(folder))
		return folder;
	return find_model(folder, file, err) ? file : NULL;
}

bool format_read(const char *path, const struct raw_kind *raw,
		 struct table *t, struct error *err)
{
	struct read_options options = { .raw = raw };
	const char *file = split(path, t, &options.tensor, err);
	const struct format *f;
	struct input_file in;
	bool good;

	if (!file || !note_words(path, t, err))
		return false;
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
