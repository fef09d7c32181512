/* temperature.c: factors by which queries are multiplied, by position. */
#include <cJSON.h>

#include "model/key.h"
#include "model/rotary.h"

/* Llama 4 has them in layers that do not rotate. */
static bool read_llama4(struct config *c, struct query_factors *f)
{
	const char *tuning = keys[KEY_QUERY_TUNING].json;
	const cJSON *is = key_value(c, KEY_QUERY_TUNING);

	*f = (struct query_factors){ 0.1, 8192, 1 };
	/* The same numbers stand in llama.cpp's code */
	if (c->gguf)
		return true;
	if (config_is_null(c, tuning) || cJSON_IsFalse(is) ||
	    config_equals(is, "0")) {
		f->scale = 0;
		return true;
	}
	if (!is && !config_note(c, "%s not in the file: transformers' %s "
				"default true", tuning, c->type))
		return false;
	return key_assume(c, KEY_QUERY_SCALE, f->scale, &f->scale) &&
	       key_assume(c, KEY_QUERY_LENGTH, f->length, &f->length);
}

bool query_factors_read(struct config *c, struct query_factors *f)
{
	const cJSON *scale = config_value(c, c->gguf
		? "attention.temperature_scale"
		: "rope_parameters.llama_4_scaling_beta|"
		  "rope_scaling.llama_4_scaling_beta|llama_4_scaling.beta");
	const cJSON *length = config_value(c, c->gguf
		? "attention.temperature_length|"
		  "rope.scaling.original_context_length|context_length"
		: "rope_parameters.original_max_position_embeddings|"
		  "rope_scaling.original_max_position_embeddings|"
		  "llama_4_scaling.original_max_position_embeddings|"
		  "original_max_position_embeddings");

	*f = (struct query_factors){ 0 };
	if (c->row->layers == LAYERS_CHUNKED)
		return !config_layers_are(c, "full_attention") ||
		       read_llama4(c, f);
	return !scale || !length ||
	       (config_within(c, scale, 0, 1e6, &f->scale) &&
		config_whole(c, length, 1, 0x1p53, &f->length));
}

bool query_factors_options(struct config *c, struct assignments *a)
{
	struct query_factors f;

	if (!query_factors_read(c, &f) || !(f.scale > 0))
		return false;
	config_assign_number(c, a, "attn-scale", f.scale);
	config_assign_number(c, a, "floor-scale", f.length);
	config_assign_number(c, a, "shift", f.shift);
	return true;
}
