/* tensors.c: named tensors of a file: the list, and the choice by name. */
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "text/words.h"
#include "files/path.h"
#include "table/sort.h"
#include "containers/quantized.h"
#include "containers/tensors.h"
#include "containers/zip.h"

int name_width(size_t n)
{
	return n < 100 ? (int)n : 100;
}

int tensor_width(const struct tensor *t)
{
	return name_width(t->length);
}

enum { NAMES_ROOM = 1 << 14 };

/* Memory for a name of n bytes and a NUL; many names are in one allocation. */
static char *name_room(struct tensors *all, size_t n, struct error *err)
{
	char *room = all->names;

	if (n >= all->names_left) {
		const size_t size = n < NAMES_ROOM ? NAMES_ROOM : n + 1;

		room = table_alloc(all->owner, size, 1, err);
		if (!room)
			return NULL;
		all->names_left = size;
	}
	all->names = room + n + 1;
	all->names_left -= n + 1;
	return room;
}

struct tensor *tensors_add(struct tensors *all, const char *name, size_t n,
			   struct error *err)
{
	char *copy = name_room(all, n, err);

	if (!copy)
		return NULL;
	memcpy(copy, name, n);
	if (all->n >= all->room) {
		const size_t room = all->room ? 2 * all->room : 16;
		struct tensor *more = realloc(all->at, room * sizeof *more);

		if (!more) {
			fail_memory(err);
			return NULL;
		}
		all->at = more;
		all->room = room;
	}
	all->at[all->n] = (struct tensor){ .name = copy, .length = n };
	return &all->at[all->n++];
}

bool tensors_note(struct tensors *all, struct error *err, const char *format,
		  ...)
{
	va_list list;

	if (all->note)
		return true;
	va_start(list, format);
	all->note = table_format(all->owner, err, format, list);
	va_end(list);
	return all->note;
}

bool tensors_note_cut(struct tensors *all, const struct input_file *in,
		      size_t end, struct error *err)
{
	return tensors_note(all, err, "%s ends at byte %zu of %zu: values "
			    "beyond it are not there", in->path, in->size, end);
}

bool tensors_note_missing(struct tensors *all, const char *path,
			  struct error *err)
{
	return errno == ENOENT ? tensors_note(all, err, "%s is missing", path)
			       : fail_call(err, path);
}

bool tensors_setting(struct tensors *all, const char *name, const char *value,
		     struct error *err)
{
	struct model_setting *s;

	if (!all->settings)
		all->settings = table_alloc(all->owner, SETTINGS_MOST,
					    sizeof *s, err);
	if (!all->settings)
		return false;
	if (all->setting_count == SETTINGS_MOST)
		return true;
	s = &all->settings[all->setting_count++];
	s->name = table_copy(all->owner, name, err);
	s->value = table_copy(all->owner, value, err);
	return s->name && s->value;
}

int tensors_by_name(const void *left, const void *right)
{
	const struct tensor *a = left, *b = right;

	return names_order(a->name, a->length, b->name, b->length);
}

void tensors_sort(struct tensors *all)
{
	qsort(all->at, all->n, sizeof *all->at, tensors_by_name);
}

const struct tensor *tensors_find(const struct tensors *all, const char *name,
				  size_t n)
{
	const struct tensor one = { .name = name, .length = n };

	return bsearch(&one, all->at, all->n, sizeof one, tensors_by_name);
}

bool tensors_check_names(const struct tensors *all, const struct input_file *in,
			 struct error *err)
{
	const struct name *twice;

	if (!all->n)
		return fail_file(err, in->path, "no tensors in this file%s%s",
				 all->note ? "; " : "",
				 all->note ? all->note : "");
	for (size_t i = 0; i < all->n; i++)
		if (memchr(all->at[i].name, '\0', all->at[i].length))
			return fail_file(err, in->path, "a tensor's name has a "
					 "NUL byte after '%s'",
					 all->at[i].name);
	twice = name_twice(all->at, all->n, sizeof *all->at, err);
	if (twice)
		return fail_file(err, in->path, "duplicate tensor name '%.*s'",
				 name_width(twice->length), twice->text);
	return !err->text[0];
}

/* Whether name [n] matches pattern, in which '*' is any text. */
static bool matches(const char *pattern, const char *name, size_t n)
{
	const char *star = NULL, *end = name + n, *back = NULL;

	while (name < end) {
		if (*pattern == '*') {
			star = pattern++;
			back = name;
		} else if (*pattern && *pattern == *name) {
			pattern++;
			name++;
		} else if (star) {
			pattern = star + 1;
			name = ++back;
		} else {
			return false;
		}
	}
	while (*pattern == '*')
		pattern++;
	return !*pattern;
}

/* The names that match pattern, or all, as "a, b and 3 more". */
static const char *names_text(const struct tensors *all, const char *pattern,
			      char text[240])
{
	size_t n = 0, more = 0;

	for (size_t i = 0; i < all->n; i++) {
		const struct tensor *t = &all->at[i];

		if (pattern && !matches(pattern, t->name, t->length))
			continue;
		if (more || (n && n + t->length > 200))
			more++;
		else
			n += (size_t)snprintf(text + n, 240 - n, "%s%.*s",
					      n ? ", " : "", t->length < 200
					      ? (int)t->length : 200, t->name);
	}
	if (more)
		snprintf(text + n, 240 - n, " and %zu more", more);
	return text;
}

static bool no_tensor(const struct tensors *all, const struct input_file *in,
		      const char *pattern, struct error *err)
{
	const char *note = all->note ? all->note : "";
	const char *then = all->note ? "; " : "";
	struct lookup l = lookup_begin(pattern);
	char names[240], name[40];

	for (size_t i = 0; i < all->n; i++) {
		const struct tensor *t = &all->at[i];

		snprintf(name, sizeof name, "%.*s",
			 t->length < sizeof name ? (int)t->length : 0, t->name);
		if (name[0])
			lookup_is(&l, name);
	}
	if (l.nearest[0])
		return fail_file(err, in->path, "no tensor '%.60s' (did you "
				 "mean '%s'?)%s%.200s", pattern, l.nearest,
				 then, note);
	return fail_file(err, in->path, "no tensor '%.60s'; the file has %s%s"
			 "%.200s", pattern, names_text(all, NULL, names), then,
			 note);
}

const struct tensor *tensors_choose(struct tensors *all,
				    const struct input_file *in,
				    const char *pattern, struct error *err)
{
	const struct tensor *found = NULL;
	char names[240];
	size_t n = 0;

	for (size_t i = 0; i < all->n; i++) {
		const struct tensor *t = &all->at[i];

		if (pattern && strlen(pattern) == t->length &&
		    memcmp(pattern, t->name, t->length) == 0)
			return t;
		if (!pattern || matches(pattern, t->name, t->length)) {
			found = t;
			n++;
		}
	}
	if (n == 1)
		return found;
	tensors_sort(all);
	if (!n)
		no_tensor(all, in, pattern, err);
	else if (pattern)
		fail_file(err, in->path, "%zu tensors match '%.60s': %s", n,
			  pattern, names_text(all, pattern, names));
	else if (in->fd == STDIN_FILENO)
		fail_file(err, in->path, "the file has %zu tensors; choose one "
			  "as -:NAME: %s", n, names_text(all, NULL, names));
	else
		fail_file(err, in->path, "the file has %zu tensors ('posenc "
			  "list %.60s' lists them); choose one as %.60s:NAME: "
			  "%s", n, in->path, in->path,
			  names_text(all, NULL, names));
	return NULL;
}

bool tensor_check(const struct input_file *in, const struct tensor *one,
		  struct error *err)
{
	const int n = tensor_width(one);

	if (one->unread)
		return fail_file(err, in->path, "tensor '%.*s': %s", n,
				 one->name, one->unread);
	if (!tensor_readable(one))
		return fail_file(err, in->path, "tensor '%.*s' has dtype %s, "
				 "which posenc does not read", n, one->name,
				 one->dtype);
	if (one->rank < 1 || one->rank > RANK_MOST)
		return fail_file(err, in->path, "tensor '%.*s': expected 1 to "
				 "8 dimensions, got %zu", n, one->name,
				 one->rank);
	return true;
}

/* Read values that begin so many bytes behind the beginning of in. */
static bool read_from(struct input_file *in, size_t begin,
		      const struct tensor *one, struct table *t,
		      struct error *err)
{
	if (one->quantization)
		return quantized_read(in, one, t, err);
	return binary_shape(in, one->element, one->shape, one->rank, t, err) &&
	       in_skip(in, begin, err) &&
	       (one->strides
		? binary_read_strided(in, one->element, one->shape,
				      one->strides, one->rank, t, err)
		: binary_read(in, one->element, t, err)) &&
	       in_unchanged(in, err);
}

/* Read values in a member of an archive, which is unpacked if need be. */
static bool read_packed(struct input_file *in, const struct tensor *one,
			struct table *t, struct error *err)
{
	const struct zip_member *m = one->member;
	const char *path = path_of_member(in, m->name, t, err);
	struct input_file member;
	struct zip_stream s;
	size_t begin;
	bool good;

	if (!path)
		return false;
	if (zip_stored(m))
		return zip_find(in, m, path, &begin, err) &&
		       read_from(in, begin + one->begin, one, t, err);
	if (!zip_check_unpacked(m, t->most, path, err) ||
	    !zip_open(&s, in, m, false, path, &member, err))
		return false;
	good = read_from(&member, one->begin, one, t, err);
	zip_close(&s, &member);
	return good;
}

bool tensor_read(struct input_file *in, const struct tensor *one,
		 struct table *t, struct error *err)
{
	struct input_file other;
	bool good;

	if (!tensor_check(in, one, err))
		return false;
	if (one->member)
		return read_packed(in, one, t, err);
	if (!one->file)
		return read_from(in, one->begin, one, t, err);
	if (!open_beside(&other, one->file, in->path, err))
		return false;
	good = read_from(&other, one->begin, one, t, err);
	in_close(&other);
	return good;
}

bool tensors_read(const struct container *c, struct input_file *in,
		  const struct tensors *all, const struct tensor *one,
		  struct table *t, struct error *err)
{
	return c->read ? c->read(in, all, one, t, err)
		       : tensor_read(in, one, t, err);
}

const char *path_beside(const struct input_file *in, const char *name, size_t n,
			struct table *owner, struct error *err)
{
	const char *base = strrchr(in->path, '/');
	const size_t folder = base ? (size_t)(base + 1 - in->path) : 0;
	char *path = table_alloc(owner, folder + n + 1, 1, err);

	if (path) {
		memcpy(path, in->path, folder);
		memcpy(path + folder, name, n);
	}
	return path;
}

const char *path_of_member(const struct input_file *in, const char *name,
			   struct table *owner, struct error *err)
{
	const size_t room = strlen(in->path) + strlen(name) + sizeof ":";
	char *path = table_alloc(owner, room, 1, err);

	if (path)
		snprintf(path, room, "%s:%s", in->path, name);
	return path;
}

bool open_beside(struct input_file *in, const char *path, const char *from,
		 struct error *err)
{
	struct stat st;

	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
		return fail_file(err, path, "not a regular file");
	if (from && !path_is_beside(path, from))
		return fail_file(err, path, "a symbolic link to another "
				 "folder; expected one to that of %.200s, or "
				 "of the file that it is a link to", from);
	return in_open(in, path, err);
}

bool tensors_title(const char *pattern, const struct tensor *one,
		   struct table *t, struct error *err)
{
	size_t n;
	char *title;

	if (!pattern)
		return true;
	n = strlen(t->title) - strlen(pattern);
	title = table_alloc(t, n + one->length + 1, 1, err);
	if (!title)
		return false;
	memcpy(title, t->title, n);
	memcpy(title + n, one->name, one->length);
	title[n + one->length] = '\0';
	t->title = title;
	return true;
}

/* Let t say which tensor of a file it is. */
static bool note_tensor(const struct input_file *in, const struct tensors *all,
			const struct tensor *one, struct table *t,
			struct error *err)
{
	struct stored_tensor *s = table_alloc(t, 1, sizeof *s, err);
	char *name = table_alloc(t, one->length + 1, 1, err);

	if (!s || !name)
		return false;
	memcpy(name, one->name, one->length);
	*s = (struct stored_tensor){
		.path = in->seeks ? table_copy(t, in->path, err) : NULL,
		.name = name, .dtype = table_copy(t, one->dtype, err),
		.bytes = one->end - one->begin,
	};
	t->from.tensor = s;
	for (size_t i = 0; i < all->setting_count; i++)
		if (strcmp(all->settings[i].name, "command") == 0)
			s->command = all->settings[i].value;
	return !err->text[0];
}

bool container_read(struct input_file *in, const struct read_options *options,
		    struct table *t, struct error *err)
{
	const struct container *c = options->container;
	struct tensors all = { .owner = t };
	const struct tensor *one = NULL;
	bool good;

	if (c->list(&all, in, err))
		one = tensors_choose(&all, in, options->tensor, err);
	good = one && note_tensor(in, &all, one, t, err) &&
	       tensors_read(c, in, &all, one, t, err) &&
	       tensors_title(options->tensor, one, t, err);
	free(all.at);
	return good;
}
