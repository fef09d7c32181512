/* config.c: the rotary positions of a model, from its config.json. */
#include <cJSON.h>
#include <string.h>
#include <unistd.h>

#include "formats/config.h"
#include "formats/config_options.h"
#include "formats/json_tree.h"

enum { BYTES_MOST = 1 << 20 };

static bool layers_differ(const struct config *c, const char *type)
{
	return fail_file(c->err, c->path, "types of layers differ; choose one, "
			 "as --config FILE:%.60s", type);
}

static bool no_layers(const struct config *c)
{
	return fail_file(c->err, c->path, "no layers of type '%.60s'",
			 c->layers);
}

/* Whether layers of several types each have an object. */
static bool typed(const struct config *c)
{
	return c->rope && c->rope->child && cJSON_IsObject(c->rope->child);
}

/* Choose the one asked for. */
static bool choose_layers(struct config *c)
{
	if (typed(c) && !c->layers)
		return layers_differ(c, c->rope->child->string);
	if (!c->layers)
		return true;
	c->rope = config_value(c->rope, c->layers);
	if (!cJSON_IsObject(c->rope))
		return no_layers(c);
	return true;
}

/*
 * Or those with a window have a base of their own, at the key local, and are
 * not scaled (ModernBERT, Gemma 3).
 */
static bool choose_base(struct config *c, const char *local)
{
	if (!c->layers)
		return layers_differ(c, "full_attention");
	if (strcmp(c->layers, "full_attention") == 0)
		return true;
	if (strcmp(c->layers, "sliding_attention") != 0)
		return no_layers(c);
	c->base = local;
	c->rope = NULL;
	return true;
}

/* Where the model and its rotary positions are spoken of. */
static bool choose(struct config *c, const cJSON *root)
{
	static const char *const locals[] = {
		"local_rope_theta", "rope_local_base_freq", NULL
	};
	const cJSON *text = config_value(root, "text_config");

	if (text && !cJSON_IsObject(text))
		return fail_file(c->err, c->path, "text_config must be an "
				 "object");
	c->model = text ? text : root;
	c->rope = config_value(c->model, "rope_parameters");
	if (!c->rope)
		c->rope = config_value(c->model, "rope_scaling");
	if (c->rope && !cJSON_IsObject(c->rope))
		return fail_file(c->err, c->path, "rope_parameters or "
				 "rope_scaling must be an object");
	for (size_t i = 0; locals[i]; i++)
		if (config_value(c->model, locals[i]) && !typed(c))
			return choose_base(c, locals[i]);
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
