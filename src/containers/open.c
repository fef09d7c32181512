/* open.c: the list of all formats, and reading a table in the right one. */
#include <stdint.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "recipe/recipe.h"
#include "text/words.h"
#include "formats/on_demand.h"
#include "containers/open.h"

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

const char *format_suffix(const struct format *f, size_t i)
{
	return !i ? f->name : i <= READ_SUFFIXES ? f->read_suffixes[i - 1]
	       : NULL;
}

/* Append " .SUFFIX" for the first most suffixes of f to text. */
static void add_suffixes(const struct format *f, size_t most,
			 char text[SUFFIXES_TEXT])
{
	for (size_t i = 0; i < most && format_suffix(f, i); i++) {
		const size_t n = strlen(text);

		snprintf(text + n, SUFFIXES_TEXT - n, "%s.%s", n ? " " : "",
			 format_suffix(f, i));
	}
}

const char *format_suffixes(bool readable, char text[SUFFIXES_TEXT])
{
	text[0] = '\0';
	for (const struct format *const *f = formats; *f; f++)
		if (readable ? (*f)->read != NULL : (*f)->write != NULL)
			add_suffixes(*f, readable ? SIZE_MAX : 1, text);
	return text;
}

const char *format_containers(char text[SUFFIXES_TEXT])
{
	text[0] = '\0';
	for (const struct format *const *f = formats; *f; f++)
		if ((*f)->container)
			add_suffixes(*f, SIZE_MAX, text);
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

/* .index.json comes after .json in list.h. */
const struct format *format_reading(const char *path)
{
	const struct format *found = NULL;

	for (const struct format *const *f = formats; *f; f++) {
		const char *end;

		for (size_t i = 0; (end = format_suffix(*f, i)); i++)
			if (ends_in(path, end))
				found = *f;
	}
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
	/* A pipe may have delivered more, or not */
	const size_t n = in->n < FIRST_BYTES ? in->n : FIRST_BYTES;
	const struct format *f = recognize(true, in->bytes, n);

	if (!f && raw->dim)
		f = bare_format();
	if (!f)
		f = recognize(false, in->bytes, n);
	return f ? f : formats[0];
}

static bool no_format(const char *path, bool container, struct error *err)
{
	char known[SUFFIXES_TEXT];

	return fail_file(err, path, "expected %s in a file with one of the "
			 "suffixes %s", container ? "tensors" : "a table",
			 container ? format_containers(known)
				   : format_suffixes(true, known));
}

bool format_maybe_raw(const char *path)
{
	const struct format *f = by_suffix(path);

	return !suffix(path) || (f && f->bare);
}

/* The first bytes [n] of a regular file; their number. */
static size_t first_bytes(const char *path, unsigned char *to, size_t n)
{
	struct stat st;
	ssize_t got = -1;

	if (strcmp(path, "-") == 0) {
		got = pread(STDIN_FILENO, to, n, 0);
	} else if (stat(path, &st) == 0 && S_ISREG(st.st_mode)) {
		const int fd = open(path, O_RDONLY | O_CLOEXEC);

		got = pread(fd, to, n, 0);
		close(fd);
	}
	return got > 0 ? (size_t)got : 0;
}

bool format_starts_process(const char *path, struct table *owner)
{
	unsigned char first[FIRST_BYTES];
	struct error err = { 0 };  /* told when the file is read */
	const char *tensor, *file = locate(path, owner, &tensor, &err);
	const struct format *f = file ? format_reading(file) : NULL;

	if (file && !suffix(file))
		f = recognize(true, first,
			      first_bytes(file, first, sizeof first));
	return f && f->process;
}

void format_bounds(struct table *t)
{
	const struct survey all = table_survey(t);

	t->lo = all.lo;
	t->hi = all.hi;
	t->finite = !all.odd;
	t->bounds = t->lo <= t->hi ? BOUNDS_TIGHT : BOUNDS_NONE;
}

bool format_name(const char *path, struct table *t, struct error *err)
{
	char *words = table_alloc(t, shell_word(path, NULL) + 1, 1, err);

	if (!words)
		return false;
	shell_word(path, words);
	t->title = path;
	t->from.command = words;
	return true;
}

/* Whether in is no pointer of Git LFS in place of the file. */
static bool check_bytes(struct input_file *in, struct error *err)
{
	static const char pointer[] = "version https://git-lfs";

	if (!in_read(in, FIRST_BYTES, err))
		return false;
	if (strncmp((const char *)in->bytes, pointer, strlen(pointer)) != 0)
		return true;
	return fail_file(err, in->path, "a pointer of Git LFS, not the file; "
			 "'git lfs pull' fetches it");
}

bool format_open(struct opened *o, const char *path, const struct raw_kind *raw,
		 struct table *owner, struct error *err)
{
	const char *file = locate(path, owner, &o->tensor, err);

	if (!file)
		return false;
	o->format = format_reading(file);
	if (suffix(file) && (!o->format || !o->format->read))
		return no_format(file, o->only_containers, err);
	if (!in_open(&o->in, file, err))
		return false;
	if (check_bytes(&o->in, err)) {
		if (!o->format)
			o->format = by_bytes(&o->in, raw);
		return true;
	}
	in_close(&o->in);
	return false;
}

void format_begin(struct table *t)
{
	t->planes = 1;
	t->row_axis = axis_of(AXIS_ROW);
	t->col_axis = axis_of(AXIS_COLUMN);
}

bool format_end(const struct input_file *in, struct table *t,
		struct error *err)
{
	struct error why = { 0 };

	if (!table_check(t, &why))
		return fail_file(err, in->path, "%s", why.text);
	if (!on_demand(t))
		format_bounds(t);
	return in_unchanged(in, err);
}

bool format_read(const char *path, const struct raw_kind *raw,
		 struct table *t, struct error *err)
{
	struct read_options options = { .raw = raw };
	struct opened o = { 0 };
	bool good;

	if (!format_name(path, t, err) || !format_open(&o, path, raw, t, err))
		return false;
	options.tensor = o.tensor;
	options.container = o.format->container;
	format_begin(t);
	t->most = raw->most;
	good = (!o.tensor || o.format->container ||
		fail_file(err, o.in.path, "a file of one table takes no name, "
			  "got ':%.60s'", o.tensor)) &&
	       o.format->read(&o.in, &options, t, err) &&
	       format_end(&o.in, t, err);
	if (t->from.tensor)
		t->from.tensor->format = o.format->name;
	in_close(&o.in);
	return good;
}
