/*
 * params.c: the scaling of params.json, of Meta's llama-models (model.py,
 * apply_scaling: the original length 8192 stands in its code) and of Mistral
 * (vLLM, transformers_utils/configs/mistral.py). Their weights are of pairs of
 * neighbours.
 */
#include <cJSON.h>
#include <string.h>

#include "model/key.h"
#include "model/rotary.h"

const char params_keys[] = "use_scaled_rope|rope_scaling_factor|"
			   "rope_high_freq_factor|yarn|llama_4_scaling";

bool params_recognized(const struct config *c)
{
	return config_at(c->model, "dim") && config_at(c->model, "n_heads") &&
	       config_at(c->model, "n_layers");
}

/* A number of the file, or what the project takes, with a note. */
static bool read_or(struct config *c, const char *key, double initial,
		    const char *project, double *x)
{
	const cJSON *value = config_at(c->model, key);
	char text[CONFIG_NUMBER];

	*x = initial;
	if (value)
		return config_within(c, value, 1e-6, 1e9, x);
	return config_note(c, "%s not in the file: default %s of %s", key,
			   config_digits(initial, text), project);
}

static bool read_llama3(struct config *c, struct rotary_scaling *s)
{
	s->kind = "llama3";
	s->original = 8192;
	s->low = 1;
	return read_or(c, "rope_scaling_factor", 8, "llama-models",
		       &s->factor) &&
	       read_or(c, "rope_high_freq_factor", 4, "llama-models",
		       &s->high);
}

/* alpha and beta are numbers of rotations, the slow and the fast one. */
static bool read_yarn(struct config *c, const cJSON *yarn,
		      struct rotary_scaling *s)
{
	static const char known[] = "factor original_max_position_embeddings "
				    "alpha beta apply_scale";
	const cJSON *scale = config_at(yarn, "apply_scale");

	for (const cJSON *o = yarn->child; o; o = o->next)
		if (!text_has_word(known, o->string, " "))
			return config_unknown_key(c, o, "");
	if (scale && !cJSON_IsBool(scale))
		return config_fail(c, scale, "expected true or false");
	s->kind = "yarn";
	s->attention = cJSON_IsFalse(scale) ? 1 : 0;
	return read_or(c, "yarn.factor", 1, "vLLM", &s->factor) &&
	       read_or(c, "yarn.original_max_position_embeddings", 8192,
		       "vLLM", &s->original) &&
	       read_or(c, "yarn.alpha", 1, "vLLM", &s->slow) &&
	       read_or(c, "yarn.beta", 32, "vLLM", &s->fast);
}

bool params_scaling(struct config *c, struct rotary_positions *r)
{
	const cJSON *yarn = config_at(c->model, "yarn");
	const cJSON *scaled = config_at(c->model, "use_scaled_rope");
	const cJSON *queries = config_at(c->model, "llama_4_scaling");

	for (const cJSON *o = queries ? queries->child : NULL; o; o = o->next)
		if (!text_has_word("beta original_max_position_embeddings",
				   o->string ? o->string : "", " "))
			return config_unknown_key(c, o, "");
	if (scaled && !cJSON_IsBool(scaled))
		return config_fail(c, scaled, "expected true or false");
	if (yarn && !cJSON_IsObject(yarn))
		return config_fail(c, yarn, "expected an object");
	if (yarn && cJSON_IsTrue(scaled))
		return config_fail(c, yarn, "expected either this or "
				   "use_scaled_rope");
	if (yarn ? !read_yarn(c, yarn, &r->scale)
		 : cJSON_IsTrue(scaled) && !read_llama3(c, &r->scale))
		return false;
	return scaling_write(c, r);
}
