/* locate.c: the file, and the tensor in it, that a TABLE argument names. */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "containers/open.h"

bool is_folder(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

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

/* Behind the first colon of "FILE.SUFFIX:NAME" of a suffix, or NULL. */
static const char *after_suffix(const char *path, const char *suffix)
{
	char end[40];
	const char *at;

	snprintf(end, sizeof end, ".%s:", suffix);
	at = strstr(path, end);
	return at ? at + strlen(end) : NULL;
}

/* The first colon of "FILE.SUFFIX:NAME", of a container, or NULL. */
static const char *tensor_colon(const char *path)
{
	const struct format *f;
	const char *first = NULL;

	for (size_t i = 0; (f = format_known(i)); i++) {
		const char *suffix, *at;

		for (size_t k = 0; f->container &&
				   (suffix = format_suffix(f, k)); k++) {
			at = after_suffix(path, suffix);
			if (at && (!first || at < first))
				first = at;
		}
	}
	return first ? first - 1 : NULL;
}

char *path_in(const char *folder, const char *name, struct table *owner,
	      struct error *err)
{
	const size_t n = strlen(folder), room = n + strlen(name) + 2;
	char *path = table_alloc(owner, room, 1, err);

	if (path)
		snprintf(path, room, "%s%s%s", folder,
			 folder[n - 1] == '/' ? "" : "/", name);
	return path;
}

/* Whether it is NAME-I-of-N.SUFFIX, of five digits each, and I is not 1. */
static bool is_later_part(const char *name)
{
	static const char first[] = "-00001-of-";
	const char *dot = strrchr(name, '.');
	const char *at = dot - name >= 15 ? dot - 15 : NULL;

	return at && strspn(at + 1, "0123456789") == 5 &&
	       memcmp(at + 6, "-of-", 4) == 0 &&
	       strspn(at + 10, "0123456789") == 5 &&
	       memcmp(at, first, sizeof first - 1) != 0;
}

/* Files of a folder, in the order in which they are preferred. */
enum {
	INDEX_USUAL, FILE_USUAL, INDEX_TORCH, FILE_TORCH,
	INDEX, FILE_OTHER, LATER_PART, KINDS,
	USUAL = 4,
};

static const char *const usual[USUAL] = {
	[INDEX_USUAL] = "model.safetensors.index.json",
	[FILE_USUAL] = "model.safetensors",
	[INDEX_TORCH] = "pytorch_model.bin.index.json",
	[FILE_TORCH] = "pytorch_model.bin",
};

/* Those of one kind: their number, and the first two in order of names. */
struct candidates {
	size_t n;
	char first[NAME_MAX + 1], second[NAME_MAX + 1];
};

static void add_candidate(struct candidates *c, const char *name)
{
	const size_t room = sizeof c->first;

	if (!c->n++ || strcmp(name, c->first) < 0) {
		memcpy(c->second, c->first, room);
		snprintf(c->first, room, "%s", name);
	} else if (c->n == 2 || strcmp(name, c->second) < 0) {
		snprintf(c->second, room, "%s", name);
	}
}

/* Note a file of a folder by its kind, if it holds tensors. */
static void look_at(const char *name, struct candidates kinds[KINDS])
{
	static const char index[] = ".index.json";
	const struct format *f = format_reading(name);
	const size_t n = strlen(name), end = sizeof index - 1;
	size_t kind = 0;

	if (!f || !f->container)
		return;
	while (kind < USUAL && strcmp(name, usual[kind]) != 0)
		kind++;
	if (kind == USUAL)
		kind = n > end && strcmp(name + n - end, index) == 0 ? INDEX
		       : f->numbered && is_later_part(name) ? LATER_PART
		       : FILE_OTHER;
	add_candidate(&kinds[kind], name);
}

static bool look_through(const char *folder, struct candidates kinds[KINDS],
			 struct error *err)
{
	DIR *d = opendir(folder);
	const struct dirent *entry;

	if (!d)
		return fail_file(err, folder, "%s", strerror(errno));
	while ((entry = readdir(d)))
		look_at(entry->d_name, kinds);
	closedir(d);
	return true;
}

/* Fail where a folder has several files of the preferred kind. */
static void refuse_several(const char *folder, const struct candidates *c,
			   struct error *err)
{
	char more[40] = "";

	if (c->n > 2)
		snprintf(more, sizeof more, " and %zu more", c->n - 2);
	fail_file(err, folder, "a folder with several files of tensors, %.80s%s"
		  "%.80s%s: name one", c->first, c->n > 2 ? ", " : " and ",
		  c->second, more);
}

/* A file of a folder; NULL unless it is a regular one, which has an end. */
static const char *regular_in(const char *folder, const char *name,
			      struct table *owner, struct error *err)
{
	const char *path = path_in(folder, name, owner, err);
	struct stat st;

	if (path && stat(path, &st) == 0 && !S_ISREG(st.st_mode)) {
		fail_file(err, path, "not a regular file");
		return NULL;
	}
	return path;
}

bool locate_none(const char *folder, struct table *owner, struct error *err)
{
	struct candidates *kinds = table_alloc(owner, KINDS, sizeof *kinds,
					       err);
	size_t i = 0;

	if (!kinds || !look_through(folder, kinds, err))
		return false;
	while (i < KINDS && !kinds[i].n)
		i++;
	return i == KINDS;
}

const char *locate_model(const char *folder, struct table *owner,
			 struct error *err)
{
	struct candidates *kinds = table_alloc(owner, KINDS, sizeof *kinds,
					       err);
	char suffixes[SUFFIXES_TEXT];
	size_t i = 0;

	if (!kinds || !look_through(folder, kinds, err))
		return NULL;
	while (i < KINDS && !kinds[i].n)
		i++;
	if (i < KINDS && kinds[i].n == 1)
		return regular_in(folder, kinds[i].first, owner, err);
	if (i < KINDS)
		refuse_several(folder, &kinds[i], err);
	else
		fail_file(err, folder, "a folder without a file of tensors "
			  "(%s)", format_containers(suffixes));
	return NULL;
}

const char *locate(const char *path, struct table *owner, const char **tensor,
		   struct error *err)
{
	char *file = table_alloc(owner, strlen(path) + 1, 1, err);
	const char *colon;
	size_t n;

	if (!file)
		return NULL;
	colon = strncmp(path, "-:", 2) == 0 ? path + 1 : tensor_colon(path);
	if (!colon && !is_folder(path))
		colon = folder_colon(path, file);
	*tensor = colon ? colon + 1 : NULL;
	n = colon ? (size_t)(colon - path) : strlen(path);
	memcpy(file, path, n);
	file[n] = '\0';
	if (format_reading(file) || !is_folder(file))
		return file;
	return locate_model(file, owner, err);
}
