/* gguf.c: the keys of a GGUF file in place of a config.json. */
#include <cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "containers/gguf.h"
#include "model/key.h"
#include "text/words.h"

enum {
	KEYS_MOST = 1000,
	FACTORS_MOST = 4096,  /* of a tensor of rotary factors */
	SHARDS_MOST = 99999,
	EDITS = 2,            /* of a misspelt key */
};

/* Tensors whose values are read, too. */
static const char *const factors[] = {
	"rope_freqs.weight", "rope_factors_long.weight",
	"rope_factors_short.weight",
};

enum { FACTORS = sizeof factors / sizeof *factors };

/* Whether name begins with what. */
static bool begins(const char *name, const char *what)
{
	return strncmp(name, what, strlen(what)) == 0;
}

/* Add item to an object, or to an array, whose key is NULL. */
static bool add(cJSON *all, const char *key, cJSON *item, struct error *err)
{
	if (item && (key ? cJSON_AddItemToObject(all, key, item)
			 : cJSON_AddItemToArray(all, item)))
		return true;
	cJSON_Delete(item);
	return fail_memory(err);
}

static cJSON *number_item(enum gguf_kind kind, double x)
{
	cJSON *item = kind == GGUF_BOOL ? cJSON_CreateBool(x > 0)
					: cJSON_CreateNumber(x);

	/* See json_place(): it has no line and column */
	if (item)
		item->valueint = 0;
	return item;
}

/* Add numbers as an array. */
static bool add_array(cJSON *all, const char *key, enum gguf_kind kind,
		      const double *x, size_t n, struct error *err)
{
	cJSON *array = cJSON_CreateArray();

	if (!add(all, key, array, err))
		return false;
	for (size_t i = 0; i < n; i++)
		if (!add(array, NULL, number_item(kind, x[i]), err))
			return false;
	return true;
}

/* Keep a key of the model; there are up to KEYS_MOST, all different. */
static bool add_key(void *self, const char *name,
		    const struct gguf_value *value, struct error *err)
{
	struct config *c = self;

	if (begins(name, "tokenizer.") ||
	    (begins(name, "general.") &&
	     strcmp(name, "general.architecture") != 0))
		return true;
	if (cJSON_GetObjectItemCaseSensitive(c->root, name))
		return fail_file(err, c->path, "duplicate key '%.60s'", name);
	if (cJSON_GetArraySize(c->root) == KEYS_MOST)
		return fail_file(err, c->path, "more than %d keys besides "
				 "those of the tokenizer", KEYS_MOST);
	if (value->array)
		return add_array(c->root, name, value->kind, value->x,
				 value->n, err);
	return add(c->root, name, value->text
		   ? cJSON_CreateString(value->text)
		   : number_item(value->kind, *value->x), err);
}

static bool no_architecture(const struct config *c)
{
	const cJSON *shard = cJSON_GetObjectItemCaseSensitive(c->root,
							      "split.no");

	return fail_file(c->err, c->path, "general.architecture is missing%s",
			 shard && shard->valuedouble > 0
			 ? ": the first shard of a model has its keys" : "");
}

/* Find the row of the architecture. */
static bool find_row(struct config *c)
{
	const cJSON *type = config_value(c, "general.architecture");

	if (!type)
		return no_architecture(c);
	if (!cJSON_IsString(type))
		return config_fail(c, type, "expected a string, got %s",
				   config_kind_of(type));
	c->type = type->valuestring;
	c->row = config_row(c, c->type);
	return c->row ||
	       fail_file(c->err, c->path, "unknown architecture '%.60s'; "
			 "without it, 'posenc rope' takes --base, --dim and "
			 "--pairs", c->type);
}

/* Whether a key behind the architecture is known, or not about rotation. */
static bool is_known(struct lookup *l)
{
	for (enum key k = 0; k < KEYS; k++)
		if (key_look_up(l, keys[k].gguf, "|"))
			return true;
	if (lookup_is(l, "rope.scaling.finetuned"))
		return true;
	return !text_has_word(l->name, "rope", "._") && l->edits > EDITS;
}

/* A key about rotary positions that llama.cpp does not have may change them. */
static bool check_keys(const struct config *c)
{
	const size_t skip = strlen(c->type);

	for (const cJSON *o = c->root->child; o; o = o->next) {
		const bool own = begins(o->string, c->type) &&
				 o->string[skip] == '.';
		struct lookup l = lookup_begin(o->string +
					       (own ? skip + 1 : 0));

		if (own && !is_known(&l))
			return config_unknown_key(c, o, l.nearest);
	}
	return true;
}

/* Add the values of a tensor as an array. */
static bool add_tensor(struct config *c, struct input_file *in,
		       const struct tensors *all, const struct tensor *one)
{
	struct table t = { 0 };
	double *x;
	bool good;

	if (one->rank != 1 || one->shape[0] > FACTORS_MOST)
		return fail_file(c->err, in->path, "tensor '%s': expected one "
				 "dimension of up to %d values", one->name,
				 FACTORS_MOST);
	good = gguf_container.read(in, all, one, &t, c->err);
	x = good ? table_alloc(&t, t.cols, sizeof *x, c->err) : NULL;
	good = x && add_array(c->root, one->name, GGUF_NUMBER,
			      t.row(&t, 0, x), t.cols, c->err);
	table_close(&t);
	return good;
}

static bool is_factors(const struct tensor *t)
{
	for (size_t k = 0; k < FACTORS; k++)
		if (strcmp(t->name, factors[k]) == 0)
			return true;
	return false;
}

/* Whether a comes before b in their file. */
static bool is_before(const struct tensor *a, const struct tensor *b)
{
	return a->begin < b->begin || (a->begin == b->begin && a < b);
}

/* The rotary factors that come next, after last or first of all. */
static const struct tensor *next_factors(const struct tensors *all,
					 const struct tensor *last)
{
	const struct tensor *next = NULL;

	for (size_t i = 0; i < all->n; i++)
		if (is_factors(&all->at[i]) &&
		    (!last || is_before(last, &all->at[i])) &&
		    (!next || is_before(&all->at[i], next)))
			next = &all->at[i];
	return next;
}

/* Add the rotary factors of a file, which may be a pipe, from front to back. */
static bool add_tensors(struct config *c, struct input_file *in,
			const struct tensors *all)
{
	const struct tensor *one = NULL;

	while ((one = next_factors(all, one)))
		if (!add_tensor(c, in, all, one))
			return false;
	return true;
}

/* Whether rotary factors were found. */
static bool has_factors(const struct config *c)
{
	for (size_t k = 0; k < FACTORS; k++)
		if (cJSON_GetObjectItemCaseSensitive(c->root, factors[k]))
			return true;
	return false;
}

/* Add the rotary factors of another shard, or say that it is not there. */
static bool add_shard(struct config *c, const char *path)
{
	struct tensors all = { .owner = c->owner };
	struct input_file in;
	bool good;

	if (access(path, F_OK) != 0)
		return config_note(c, "%.300s is missing: rotary factors "
				   "that it may have are unknown", path);
	if (!open_beside(&in, path, c->path, c->err))
		return false;
	good = gguf_keys(&in, &all, NULL, NULL, c->err) &&
	       add_tensors(c, &in, &all);
	free(all.at);
	in_close(&in);
	return good;
}

/*
 * Look for rotary factors in the other shards, "NAME-00002-of-00003.gguf" and
 * so on, where the first one has none.
 */
static bool add_shards(struct config *c)
{
	const cJSON *number = cJSON_GetObjectItemCaseSensitive(c->root,
							       "split.count");
	double count = 1;

	if (number && !config_whole(c, number, 1, SHARDS_MOST, &count))
		return false;
	if (count > 1 && !has_factors(c) &&
	    !gguf_is_part(c->path, 1, (unsigned)count))
		return config_note(c, "a shard without -00001-of-%05.0f.gguf "
				   "in its name: rotary factors that others "
				   "may have are unknown", count);
	for (unsigned k = 2; k <= count && !has_factors(c); k++) {
		const char *path = gguf_part(c->path, k, c->owner, c->err);

		if (!path || !add_shard(c, path))
			return false;
	}
	return true;
}

static bool set_layers(struct config *c, const char *others)
{
	c->layer_types[0] = "full_attention";
	c->layer_types[1] = others;
	c->layer_type_count = 2;
	return true;
}

bool gguf_find_layers(struct config *c)
{
	const bool chunked = c->row->layers == LAYERS_CHUNKED;
	const bool window = c->row->layers == LAYERS_OWN_BASE ||
			    c->row->layers == LAYERS_OLMO3 ||
			    c->row->layers == LAYERS_SLIDING ||
			    c->row->layers == LAYERS_WINDOWS;
	double most;

	if (c->row->layers == LAYERS_LINEAR)
		return set_layers(c, "linear_attention");
	if (!chunked && !window && !config_value(c, "rope.freq_base_swa"))
		return true;
	if (!config_find(c, "attention.sliding_window", 1, 0, &most))
		return false;
	/* llama.cpp takes 0 as no window at all */
	if (!(most > 0))
		return true;
	return set_layers(c, chunked ? "chunked_attention"
				     : "sliding_attention");
}

bool gguf_open(struct config *c, struct input_file *in)
{
	struct tensors all = { .owner = c->owner };
	bool good;

	c->gguf = true;
	c->root = cJSON_CreateObject();
	c->model = c->root;
	good = (c->root || fail_memory(c->err)) &&
	       gguf_keys(in, &all, add_key, c, c->err) && find_row(c) &&
	       (c->row->kind != MODEL_ROTARY ||
		(check_keys(c) && add_tensors(c, in, &all) && add_shards(c) &&
		 gguf_find_layers(c)));
	for (size_t i = 0; i < all.n; i++)
		c->table |= strcmp(all.at[i].name, "position_embd.weight") == 0;
	free(all.at);
	return good;
}
