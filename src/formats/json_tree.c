/* json_tree.c: cJSON's trees: of a small file, more strictly; and made. */
#include <cJSON.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "formats/json_scan.h"
#include "formats/json_tree.h"

enum {
	KEYS_MOST = 1000,  /* each is compared with all before */
	USUAL = 4096,      /* bytes of such a file, hardly ever more */
};

static bool keys_differ(const cJSON *object, const char *path,
			struct error *err)
{
	const cJSON *item, *before;
	size_t n = 0;

	for (item = object->child; item; item = item->next) {
		if (cJSON_IsObject(object) && ++n > KEYS_MOST)
			return fail_file(err, path, "an object with more than "
					 "%d keys", KEYS_MOST);
		for (before = object->child; cJSON_IsObject(object) &&
		     before != item; before = before->next)
			if (strcmp(before->string, item->string) == 0)
				return fail_file(err, path, "the key '%.60s' "
						 "comes twice", item->string);
		if (item->child && !keys_differ(item, path, err))
			return false;
	}
	return true;
}

/* Whether the bytes are an object and nothing else. They are used up. */
static bool is_object(struct in *in, struct error *err)
{
	struct json j;

	json_begin(&j, in, SIZE_MAX);
	if (json_peek(&j, err) != '{')
		return json_unexpected(&j, "an object's '{'", err);
	return json_skip(&j, err) && json_end(&j, err);
}

/*
 * text [n] is an object, of which cJSON can lack nothing but memory; and those
 * before 1.7.19, room for a number of 64 characters.
 */
static cJSON *parse(const char *text, size_t n, const char *path,
		    struct error *err)
{
	cJSON *tree = cJSON_ParseWithLengthOpts(text, n + 1, NULL, 1);

	if (!tree)
		fail_memory(err);
	else if (keys_differ(tree, path, err))
		return tree;
	cJSON_Delete(tree);
	return NULL;
}

static cJSON *tree_of(struct in *in, size_t most, struct error *err)
{
	const size_t n = in->n;
	cJSON *tree = NULL;
	char *text;

	if (n > most) {
		fail_file(err, in->path, "more than %zu bytes of JSON", most);
		return NULL;
	}
	text = malloc(n + 1);
	if (!text) {
		fail_memory(err);
		return NULL;
	}
	memcpy(text, in->bytes, n);
	text[n] = '\0';
	if (is_object(in, err))
		tree = parse(text, n, in->path, err);
	free(text);
	return tree;
}

struct cJSON *json_tree(const char *path, size_t most, struct error *err)
{
	struct in in;
	cJSON *tree = NULL;

	if (!in_open(&in, path, err))
		return NULL;
	in.least = USUAL;
	if (in_read(&in, most + 1, err))
		tree = tree_of(&in, most, err);
	in_close(&in);
	return tree;
}

bool json_add(cJSON *all, const char *key, cJSON *value)
{
	if (value && cJSON_AddItemToObject(all, key, value))
		return true;
	cJSON_Delete(value);
	return false;
}

const char *json_tree_version(void)
{
	return cJSON_Version();
}
