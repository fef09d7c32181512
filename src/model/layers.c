/* layers.c: the types of layers of a configuration. */
#include <cJSON.h>
#include <string.h>

#include "model/config.h"

bool config_is_plain(const char *name)
{
	return name[0] && !name[strspn(name, "abcdefghijklmnopqrstuvwxyz"
					     "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
					     "0123456789_-")];
}

static bool add_layer_type(struct config *c, const char *type)
{
	if (!config_is_plain(type))
		return fail_file(c->err, c->path, "expected a type of layers "
				 "of letters, digits, _ and -, got '%.60s'",
				 type);
	for (size_t i = 0; i < c->layer_type_count; i++)
		if (strcmp(c->layer_types[i], type) == 0)
			return true;
	if (c->layer_type_count == LAYER_TYPES)
		return fail_file(c->err, c->path, "more than %d types of "
				 "layers", LAYER_TYPES);
	/* A report is shown when the tree is gone */
	type = table_copy(c->owner, type, c->err);
	c->layer_types[c->layer_type_count] = type;
	c->layer_type_count += type != NULL;
	return type;
}

/* The two types of the layers of a row: a file has no others. */
static bool add_two_types(struct config *c, const char *one, const char *two)
{
	for (size_t i = 0; i < c->layer_type_count; i++)
		if (strcmp(c->layer_types[i], one) != 0 &&
		    strcmp(c->layer_types[i], two) != 0)
			return fail_file(c->err, c->path, "layers of type "
					 "'%.60s': %s has %s and %s",
					 c->layer_types[i], c->type, one, two);
	c->layer_types[0] = one;
	c->layer_types[1] = two;
	c->layer_type_count = 2;
	return true;
}

/* The types that a rule of the row adds to those of the file. */
static bool add_types_of_rule(struct config *c)
{
	switch (c->row->layers) {
	case LAYERS_OWN_BASE:
	case LAYERS_OWN_BASE_BOTH:
	case LAYERS_GLOBAL_HEAD:
	case LAYERS_OLMO3:
		return add_two_types(c, "full_attention", "sliding_attention");
	case LAYERS_SLIDING:
		return add_two_types(c, "sliding_attention", "full_attention");
	case LAYERS_CHUNKED:
		return add_two_types(c, "chunked_attention", "full_attention");
	case LAYERS_WINDOWS:
		if (c->layer_type_count)
			return true;
		return add_two_types(c, "full_attention", "sliding_attention");
	case LAYERS_LINEAR:
		if (c->layer_type_count)
			return true;
		return add_two_types(c, "full_attention", "linear_attention");
	case LAYERS_CONV:
		if (c->layer_type_count || !config_at(c->model,
							"full_attn_idxs"))
			return true;
		return add_two_types(c, "full_attention", "conv");
	case LAYERS_COMPRESSED:
		if (c->layer_type_count)
			return true;
		return add_two_types(c, "compressed_attention",
				     "sliding_attention");
	case LAYERS_ALIKE:
	case LAYERS_LISTED:
	case LAYERS_BY_TYPE:
	default:
		return !c->row->roles || c->part || c->layer_type_count ||
		       add_two_types(c, "decoder", "encoder");
	}
}

bool config_find_layers(struct config *c)
{
	const cJSON *types = config_at(c->model, "layer_types");
	const cJSON *rope = config_at(c->model, "rope_parameters");

	if (types && !cJSON_IsArray(types))
		return config_fail(c, types, "expected an array, got %s",
				   config_kind_of(types));
	for (const cJSON *t = types ? types->child : NULL; t; t = t->next) {
		if (!cJSON_IsString(t))
			return config_fail(c, t, "layer_types: expected a "
					   "string, got %s", config_kind_of(t));
		if (!add_layer_type(c, t->valuestring))
			return false;
	}
	if (c->row->layers == LAYERS_COMPRESSED)
		rope = NULL;
	for (const cJSON *o = rope ? rope->child : NULL; o; o = o->next)
		if (cJSON_IsObject(o) && !add_layer_type(c, o->string))
			return false;
	return add_types_of_rule(c);
}
