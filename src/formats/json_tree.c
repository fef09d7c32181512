/* json_tree.c: a small JSON file as a tree of cJSON's, more strictly. */
#include <cJSON.h>
#include <stdlib.h>
#include <string.h>

#include "core/utf8.h"
#include "formats/in.h"
#include "formats/json_tree.h"

enum {
	KEYS_MOST = 1000,  /* each is compared with all before */
	USUAL = 4096,      /* bytes of such a file, hardly ever more */
};

static bool keys_differ(const cJSON *object)
{
	const cJSON *item, *before;
	size_t n = 0;

	for (item = object->child; item; item = item->next) {
		if (cJSON_IsObject(object) && ++n > KEYS_MOST)
			return false;
		for (before = object->child; cJSON_IsObject(object) &&
		     before != item; before = before->next)
			if (strcmp(before->string, item->string) == 0)
				return false;
		if (item->child && !keys_differ(item))
			return false;
	}
	return true;
}

/* The bytes as a string, to be freed; NULL where they are none. */
static char *string_of(const struct in *in)
{
	char *text = malloc(in->n + 1);

	if (!text)
		return NULL;
	memcpy(text, in->bytes, in->n);
	text[in->n] = '\0';
	return text;
}

static cJSON *parse(const struct in *in, size_t most, struct error *err)
{
	char *text = string_of(in);
	cJSON *tree = NULL;

	if (!text)
		fail_memory(err);
	else if (in->n > most)
		fail_file(err, in->path, "more than %zu bytes of JSON", most);
	else if (strlen(text) != in->n || !utf8_valid(text))
		fail_file(err, in->path, "not a text in UTF-8");
	else
		tree = cJSON_ParseWithLengthOpts(text, in->n + 1, NULL, 1);
	free(text);
	if (tree && cJSON_IsObject(tree) && keys_differ(tree))
		return tree;
	if (tree && cJSON_IsObject(tree))
		fail_file(err, in->path, "a key comes twice, or there are more "
			  "than %d", KEYS_MOST);
	else
		fail_file(err, in->path, "not a JSON object");
	cJSON_Delete(tree);
	return NULL;
}

struct cJSON *json_tree(const char *path, size_t most, struct error *err)
{
	struct in in;
	cJSON *tree = NULL;

	if (!in_open(&in, path, err))
		return NULL;
	in.least = USUAL;
	if (in_read(&in, most + 1, err))
		tree = parse(&in, most, err);
	in_close(&in);
	return tree;
}

const char *json_tree_version(void)
{
	return cJSON_Version();
}
