/* config_scaling.c: how a config.json says that frequencies are scaled. */
#include <cJSON.h>
#include <string.h>

#include "formats/config_options.h"

/* The laws by the names that models have for them. */
static const struct config_law laws[] = {
	{ "default", "none", 0 },
	{ "mrope", "none", 0 },
	{ "linear", "linear", 1 },
	{ "dynamic", "dynamic", 2 },
	{ "yarn", "yarn", 2 },
	{ "llama3", "llama3", 2 },
	{ "longrope", "longrope", 2 },
	{ "su", "longrope", 2 },
	{ "proportional", "proportional", 1 },
	{ NULL, NULL, 0 },
};

const struct config_law *config_law(const struct config *c)
{
	const cJSON *type = config_value(c->rope, "rope_type");
	const char *name = "default";

	type = type ? type : config_value(c->rope, "type");
	if (type)
		name = cJSON_GetStringValue(type);
	if (!name) {
		config_bad(c, "rope_type", "must be a name");
		return NULL;
	}
	for (const struct config_law *law = laws; law->type; law++)
		if (strcmp(law->type, name) == 0)
			return law;
	fail_file(c->err, c->path, "unknown rope_type '%.60s'", name);
	return NULL;
}

/* "name=X" for each number that a law heeds and the model has. */
static bool put_named(const struct config *c, const char *kind)
{
	static const char *const names[][3] = {
		{ "yarn", "beta_fast", ",fast=" },
		{ "yarn", "beta_slow", ",slow=" },
		{ "yarn", "mscale", ",mscale=" },
		{ "yarn", "mscale_all_dim", ",mscale_all_dim=" },
		{ "yarn", "attention_factor", ",attention_factor=" },
		{ "llama3", "low_freq_factor", ",low=" },
		{ "llama3", "high_freq_factor", ",high=" },
		{ "longrope", "attention_factor", ",attention_factor=" },
	};
	bool whole;
	double x;

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		if (strcmp(names[i][0], kind) != 0 ||
		    !config_found(c, names[i][1]))
			continue;
		if (!config_number(c, names[i][1], 0, &x))
			return false;
		config_double(c, names[i][2], x);
	}
	if (!config_flag(c, "truncate", true, &whole))
		return false;
	if (strcmp(kind, "yarn") == 0 && !whole)
		config_text(c, ",truncate=false");
	return strcmp(kind, "longrope") != 0 ||
	       (config_array(c, ",short=", "short_factor", ':') &&
		config_array(c, ",long=", "long_factor", ':'));
}

/* "yarn:F,L,fast=32" */
bool config_scaling(const struct config *c, const struct config_law *law)
{
	double factor, original, most;

	if (!law->numbers)
		return true;
	if (!config_number(c, "factor", 0, &factor) ||
	    !config_number(c, "original_max_position_embeddings", 0,
			   &original) ||
	    !config_number(c, "max_position_embeddings", 0, &most))
		return false;
	if (!(factor > 0) && original > 0)
		factor = most / original;
	if (!(factor > 0) && strcmp(law->kind, "proportional") == 0)
		factor = 1;
	if (!(factor > 0))
		return config_bad(c, law->type, "scaling without a factor");
	config_text(c, " --scaling ");
	config_text(c, law->kind);
	config_double(c, ":", factor);
	/* This law alone counts from the context that the model has. */
	if (!(original > 0) || strcmp(law->kind, "dynamic") == 0)
		original = most;
	if (law->numbers > 1 && !(original > 0))
		return config_bad(c, "max_position_embeddings", "is missing");
	if (law->numbers > 1)
		config_double(c, ",", original);
	return put_named(c, law->kind);
}
