/* open.c: open the configuration that "FILE:PART:LAYERS" or a folder names. */
#include <cJSON.h>
#include <ctype.h>
#include <string.h>
#include <unistd.h>

#include "containers/gguf.h"
#include "formats/json_tree.h"
#include "containers/open.h"
#include "model/config.h"

enum {
	BYTES_MOST = 1 << 24,
	USUAL = 4096,  /* bytes of most files */
	FIRST = 8,     /* bytes that tell GGUF and other binary files */
};

/* Cut "FILE:WORD:WORD" to FILE, unless a file of that name exists. */
static void split(char *path, char *words[2])
{
	for (int i = 0; i < 2 && access(path, F_OK) != 0; i++) {
		char *colon = strrchr(path, ':');

		if (!colon)
			return;
		*colon = '\0';
		words[1] = words[0];
		words[0] = colon + 1;
	}
}

/* Whether the file is none of text: JSON begins otherwise. */
static bool is_binary(const struct input_file *in)
{
	bool control = false;

	for (size_t i = 0; i < FIRST && i < in->n; i++)
		control |= in->bytes[i] < ' ' && !isspace(in->bytes[i]);
	return control && in->bytes[0] != '{';
}

/* Read a config.json and find its part. */
static bool read_json(struct config *c, struct input_file *in,
		      char *const words[2])
{
	if (is_binary(in))
		return fail_file(c->err, c->path, "expected a config.json or a "
				 "GGUF file");
	c->root = json_tree(in, BYTES_MOST, c->err);
	return c->root && config_find_part(c, words) && config_find_layers(c) &&
	       config_choose_number(c) && config_check_keys(c);
}

/* Read a GGUF file, which has no parts. */
static bool read_gguf(struct config *c, struct input_file *in,
		      char *const words[2])
{
	c->layers = words[0];
	if (words[0] && words[1])
		return fail_file(c->err, c->path, "no part '%.60s'", words[0]);
	return gguf_open(c, in) && config_choose_number(c);
}

/* The config.json of a folder, or its GGUF file. */
static const char *in_folder(const char *folder, struct table *owner,
			     struct error *err)
{
	const char *path = path_in(folder, "config.json", owner, err);

	if (path && access(path, F_OK) != 0)
		path = path_in(folder, "params.json", owner, err);
	if (!path || access(path, F_OK) == 0)
		return path;
	path = locate_model(folder, owner, err);
	if (!path || strcmp(format_reading(path)->name, "gguf") == 0)
		return path;
	fail_file(err, folder, "a folder without a config.json or a GGUF file");
	return NULL;
}

bool config_open(struct config *c, const char *path, struct table *owner,
		 struct error *err)
{
	char *words[2] = { NULL, NULL }, *file = table_copy(owner, path, err);
	struct input_file in;
	bool good, folder;

	*c = (struct config){ .owner = owner, .err = err };
	if (!file)
		return false;
	split(file, words);
	folder = is_folder(file);
	c->path = folder ? in_folder(file, owner, err) : file;
	if (!c->path || !(folder ? open_beside(&in, c->path, NULL, err)
				 : in_open(&in, c->path, err)))
		return false;
	in.least = USUAL;
	good = in_read(&in, FIRST, err) &&
	       (gguf_recognizes(in.bytes, in.n) ? read_gguf : read_json)(
		       c, &in, words);
	in_close(&in);
	return good;
}

void config_close(struct config *c)
{
	cJSON_Delete(c->root);
}

const char *config_json(const struct config *c, const cJSON *value)
{
	char *printed = cJSON_PrintUnformatted(value);
	const char *text;

	if (!printed)
		fail_memory(c->err);
	text = printed ? table_copy(c->owner, printed, c->err) : NULL;
	cJSON_free(printed);
	return text ? text : "";
}

const char *config_printed(const struct config *c)
{
	static const char *const others[] = {
		"_name_or_path", "architectures", "dtype", "torch_dtype",
		"transformers_version", "use_cache",
	};
	cJSON *root = cJSON_Duplicate(c->root, true);
	const char *text;

	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		cJSON_DeleteItemFromObjectCaseSensitive(root, others[i]);
	text = config_json(c, root);
	cJSON_Delete(root);
	return text;
}

/* Whether a JSON file holds an object with one of the keys, even if null. */
static bool has_key(const char *path, const char *const *keys,
		    struct error *err)
{
	struct table owner = { 0 };
	struct error why = { 0 };
	struct config c = { 0 };
	bool found = false;

	config_open(&c, path, &owner, &why);
	for (; *keys && !found; keys++)
		found = cJSON_HasObjectItem(c.root, *keys);
	config_close(&c);
	table_close(&owner);
	pass_memory(err, &why);
	return found && !why.memory;
}

bool config_suits(const char *path, struct error *err)
{
	static const char *const keys[] = { "data", NULL };
	const struct format *f = format_reading(path);

	return f && strcmp(f->name, "json") == 0 && !is_folder(path) &&
	       !has_key(path, keys, err) && !err->text[0];
}

bool config_recognizes(const char *path, struct error *err)
{
	static const char *const keys[] = {
		"model_type", "architectures", "max_position_embeddings",
		"rope_theta", "rope_scaling", "rope_parameters", NULL,
	};
	const char *folder = strrchr(path, '/');
	const char *name = folder ? folder + 1 : path;

	return config_suits(path, err) &&
	       (strcmp(name, "config.json") == 0 || has_key(path, keys, err));
}
