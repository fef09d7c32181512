/* config.c: the rotary positions of a model, from its config.json. */
#include <cJSON.h>
#include <string.h>
#include <unistd.h>

#include "formats/config.h"
#include "formats/config_options.h"
#include "formats/json_tree.h"

enum { BYTES_MOST = 1 << 20 };

/* Layers of several types each have an object; choose the one asked for. */
static bool choose_layers(struct config *c)
{
	const cJSON *first = c->rope ? c->rope->child : NULL;

	if (first && cJSON_IsObject(first) && !c->layers)
		return fail_file(c->err, c->path, "types of layers differ; "
				 "choose one, as --config FILE:%.60s",
				 first->string);
	if (!c->layers)
		return true;
	c->rope = config_value(c->rope, c->layers);
	if (!cJSON_IsObject(c->rope))
		return fail_file(c->err, c->path, "no layers of type '%.60s'",
				 c->layers);
	return true;
}

/* Where the model and its rotary positions are spoken of. */
static bool choose(struct config *c, const cJSON *root)
{
	const cJSON *text = config_value(root, "text_config");

	c->model = cJSON_IsObject(text) ? text : root;
	c->rope = config_value(c->model, "rope_parameters");
	if (!c->rope)
		c->rope = config_value(c->model, "rope_scaling");
	if (c->rope && !cJSON_IsObject(c->rope))
		return fail_file(c->err, c->path, "rope_parameters or "
				 "rope_scaling must be an object");
	return choose_layers(c);
}

/* "FILE:TYPE" unless that is a file; the type, and FILE in path. */
static const char *split(char *path)
{
	char *colon = strrchr(path, ':');

	if (!colon || access(path, F_OK) == 0)
		return NULL;
	*colon = '\0';
	return colon + 1;
}

bool config_read(const char *path, struct table *owner, const char **options,
		 struct error *err)
{
	char *file = table_copy(owner, path, err);
	struct config c = { .path = file, .err = err };
	cJSON *root;
	bool good;

	c.line = table_alloc(owner, 1, sizeof *c.line, err);
	if (!file || !c.line)
		return false;
	c.layers = split(file);
	root = json_tree(file, BYTES_MOST, err);
	good = root && choose(&c, root) && config_put(&c);
	*options = good ? c.line->text : NULL;
	cJSON_Delete(root);
	return good;
}
