/* format.c: the list of all formats. */
#include <stdio.h>
#include <string.h>

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
	return i < sizeof formats / sizeof *formats ? formats[i] : NULL;
}

/* ".csv .json .raw" of all formats, or of those that are read. */
static const char *suffixes(bool readable, char *text, size_t size)
{
	size_t n = 0;

	for (size_t i = 0; formats[i] && n < size; i++)
		if (formats[i]->read || !readable)
			n += (size_t)snprintf(text + n, size - n, "%s.%s",
					      n ? " " : "", formats[i]->name);
	return text;
}

static const struct format *by_suffix(const char *path)
{
	const char *base = strrchr(path, '/');
	const char *dot = strrchr(base ? base : path, '.');

	for (size_t i = 0; dot && formats[i]; i++)
		if (strcmp(dot + 1, formats[i]->name) == 0)
			return formats[i];
	return NULL;
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

bool format_read(const char *path, struct table *t, struct error *err)
{
	const struct format *f = by_suffix(path);
	char known[120];

	if (!f || !f->read)
		return fail_file(err, path, "tables are read from files in %s",
				 suffixes(true, known, sizeof known));
	t->title = t->command = path;
	t->planes = 1;
	if (!f->read(path, t, err) || !table_check(t, err) ||
	    !table_range(t, &t->lo, &t->hi, err))
		return false;
	t->bounds = BOUNDS_TIGHT;
	return true;
}
