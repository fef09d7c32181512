/* shards.c: the index of a model in several files, by Hugging Face. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/json_scan.h"
#include "containers/tensors.h"

static const char suffix[] = ".safetensors";

/*
 * Check the name [n] of a shard. It lies beside the index: another folder is
 * none of the model's.
 */
static bool check_shard(const struct json *j, const char *name, size_t n,
			struct error *err)
{
	const size_t end = sizeof suffix - 1;
	const int width = n < 100 ? (int)n : 100;

	if (memchr(name, '/', n))
		return json_fail(j, err, "a shard must be a file beside the "
				 "index, got '%.*s'", width, name);
	if (n <= end || memcmp(name + n - end, suffix, end) != 0)
		return json_fail(j, err, "a shard must be a .safetensors "
				 "file, got '%.*s'", width, name);
	return true;
}

/* The file of a tensor. Those that follow one another often share it. */
static bool set_file(struct tensors *all, struct tensor *t,
		     const struct input_file *in, const char *name,
		     struct error *err)
{
	const char *last = all->n > 1 ? t[-1].where : NULL;
	const char *base = last ? strrchr(last, '/') : NULL;

	if (last && strcmp(base ? base + 1 : last, name) == 0)
		t->where = last;
	else
		t->where = path_beside(in, name, strlen(name), all->owner,
				       err);
	return t->where;
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

	in_read(in, 3, err);  /* a failure ends read_index(), too */
	json_begin(&j, in, in->size);
	return read_index(all, &j, err) && tensors_check_names(all, in, err);
}

/* Find the tensor in its file, as the index says. */
static const struct tensor *find(const struct tensors *there,
				 const struct tensor *one,
				 const struct input_file *in,
				 struct error *err)
{
	for (size_t i = 0; i < there->n; i++)
		if (tensors_by_name(&there->at[i], one) == 0)
			return &there->at[i];
	fail_file(err, in->path, "has no tensor '%.*s', which the index says "
		  "is here", tensor_width(one), one->name);
	return NULL;
}

static bool shards_read(struct input_file *in, const struct tensors *all,
			const struct tensor *one, struct table *t,
			struct error *err)
{
	const struct container *c = &safetensors_container;
	struct tensors there = { .owner = t };
	const struct tensor *found = NULL;
	struct input_file shard;
	bool good;

	(void)in;
	(void)all;
	if (!open_beside(&shard, one->where, err))
		return false;
	if (c->list(&there, &shard, err))
		found = find(&there, one, &shard, err);
	good = found && c->read(&shard, &there, found, t, err);
	free(there.at);
	in_close(&shard);
	return good;
}

static const struct container shards = {
	.list = shards_list,
	.read = shards_read,
};

static bool read_shards(struct input_file *in,
			const struct read_options *options, struct table *t,
			struct error *err)
{
	return container_read(&shards, in, options, t, err);
}

const struct format shards_format = {
	.name = "index.json",
	.binary = true,
	.container = &shards,
	.read = read_shards,
};
