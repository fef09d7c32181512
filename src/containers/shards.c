/* shards.c: the index of a model in several files, by Hugging Face. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "formats/json_scan.h"
#include "containers/tensors.h"
#include "text/words.h"

/* The containers of shards, by their suffixes. */
static const struct {
	const char *suffix;
	const struct container *container;
} kinds[] = {
	{ ".safetensors", &safetensors_container },
	{ ".bin", &torch_container },
};

enum { KINDS = sizeof kinds / sizeof *kinds };

/* The container of a shard's name [n], or NULL. */
static const struct container *find_kind(const char *name, size_t n)
{
	for (size_t i = 0; i < KINDS; i++)
		if (n > strlen(kinds[i].suffix) &&
		    text_ends_in(name, n, kinds[i].suffix))
			return kinds[i].container;
	return NULL;
}

/*
 * Check the name [n] of a shard. It lies beside the index: another folder is
 * none of the model's.
 */
static bool check_shard(const struct json *j, const char *name, size_t n,
			struct error *err)
{
	const int width = name_width(n);

	if (memchr(name, '/', n))
		return json_fail(j, err, "a shard must be a file beside the "
				 "index, got '%.*s'", width, name);
	if (!find_kind(name, n))
		return json_fail(j, err, "a shard must be a .safetensors or "
				 ".bin file, got '%.*s'", width, name);
	return true;
}

/* The file of a tensor. Those that follow one another often share it. */
static bool set_file(struct tensors *all, struct tensor *t,
		     const struct input_file *in, const char *name,
		     struct error *err)
{
	const char *last = all->n > 1 ? t[-1].file : NULL;
	const char *base = last ? strrchr(last, '/') : NULL;

	if (last && strcmp(base ? base + 1 : last, name) == 0)
		t->file = last;
	else
		t->file = path_beside(in, name, strlen(name), all->owner, err);
	return t->file;
}

/* Read "weight_map", an object of tensors and their files. */
static void read_map(struct tensors *all, struct json *j, struct error *err)
{
	const char *text;
	size_t n = 0, length;
	struct tensor *t;

	json_take(j, '{', err);
	while (json_next(j, '}', &n, err)) {
		if (!json_string(j, &text, &length, err))
			return;
		t = tensors_add(all, text, length, err);
		if (!t || !json_take(j, ':', err) ||
		    !json_string(j, &text, &length, err) ||
		    !check_shard(j, text, length, err) ||
		    !set_file(all, t, j->in, text, err))
			return;
	}
}

static bool read_index(struct tensors *all, struct json *j, struct error *err)
{
	char key[JSON_KEY];
	size_t n = 0, found = 0;

	json_take(j, '{', err);
	while (json_next(j, '}', &n, err) && json_key(j, key, err))
		if (strcmp(key, "weight_map") != 0)
			json_skip(j, err);
		else if (found++)
			json_fail(j, err, "duplicate key weight_map");
		else
			read_map(all, j, err);
	if (!err->text[0] && !found)
		json_fail(j, err, "no weight_map in this index");
	return !err->text[0] && json_end(j, err);
}

static bool shards_list(struct tensors *all, struct input_file *in,
			struct error *err)
{
	struct json j;

	json_begin(&j, in, in->size);
	return read_index(all, &j, err) && tensors_check_names(all, in, err);
}

/* A file of the model, and its tensors in the order of names. */
struct shard {
	const struct container *container;
	struct input_file in;
	struct tensors all;
};

/* Open a file; if that fails, it is closed again. */
static bool open_shard(struct shard *s, const char *path, const char *index,
		       struct table *owner, bool cut, struct error *err)
{
	s->container = find_kind(path, strlen(path));
	s->all = (struct tensors){ .owner = owner, .cut = cut };
	if (!open_beside(&s->in, path, index, err))
		return false;
	if (s->container->list(&s->all, &s->in, err)) {
		tensors_sort(&s->all);
		return true;
	}
	free(s->all.at);
	in_close(&s->in);
	return false;
}

static void close_shard(struct shard *s)
{
	free(s->all.at);
	in_close(&s->in);
}

/* Find the tensor in its file, as the index says. */
static const struct tensor *find(const struct shard *s,
				 const struct tensor *one, struct error *err)
{
	const struct tensor *found = tensors_find(&s->all, one->name,
						  one->length);

	if (!found)
		fail_file(err, s->in.path, "has no tensor '%.*s', which the "
			  "index says is here", tensor_width(one), one->name);
	return found;
}

static bool shards_read(struct input_file *in, const struct tensors *all,
			const struct tensor *one, struct table *t,
			struct error *err)
{
	const struct tensor *found;
	struct shard s;
	bool good;

	(void)all;
	if (!open_shard(&s, one->file, in->path, t, false, err))
		return false;
	found = find(&s, one, err);
	good = found && tensors_read(s.container, &s.in, &s.all, found, t, err);
	close_shard(&s);
	return good;
}

static int by_file(const void *left, const void *right)
{
	const struct tensor *a = left, *b = right;

	return strcmp(a->file, b->file);
}

/* Describe tensors [n] of one file, unless it is missing. */
static bool describe_file(struct tensors *all, const struct input_file *in,
			  struct tensor *at, size_t n, struct error *err)
{
	const char *path = at->file;
	struct shard s;
	bool good = true;

	if (access(path, F_OK) != 0)
		return tensors_note_missing(all, path, err);
	if (!open_shard(&s, path, in->path, all->owner, all->cut, err))
		return false;
	if (s.all.note && s.all.cut)
		good = tensors_note(all, err, "%s", s.all.note);
	for (size_t i = 0; good && i < n; i++) {
		const struct tensor *found = find(&s, &at[i], err);

		good = found;
		if (good)
			at[i] = *found;
		at[i].file = path;
	}
	close_shard(&s);
	return good;
}

static bool shards_describe(struct tensors *all, struct input_file *in,
			    struct error *err)
{
	size_t n;

	qsort(all->at, all->n, sizeof *all->at, by_file);
	for (size_t i = 0; i < all->n; i += n) {
		struct tensor *t = &all->at[i];

		n = 1;
		while (i + n < all->n && by_file(t + n, t) == 0)
			n++;
		if (!describe_file(all, in, t, n, err))
			return false;
	}
	return true;
}

static const struct container shards = {
	.list = shards_list,
	.describe = shards_describe,
	.read = shards_read,
};

const struct format shards_format = {
	.name = "index.json",
	.binary = true,
	.container = &shards,
	.read = container_read,
};
