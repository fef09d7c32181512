/* key.c: the table of what files state, and how it is read. */
#include <cJSON.h>
#include <float.h>
#include <stdio.h>
#include <string.h>

#include "model/key.h"
#include "model/rotary.h"
#include "text/words.h"

enum { SIZE_MOST = 1 << 30 };

#define COUNT 1, 0x1p53, true              /* of tokens, layers */
#define SIZE 1, SIZE_MOST, true            /* of a vector; of heads */
#define HEAD 2, HEAD_MOST, true            /* of a head, or a part of it */
#define BASE 1e-300, DBL_MAX, false
#define FACTOR 1e-3, 1e9, false
#define POSITIVE 1e-6, 1e6, false
#define NATURAL 0, 1e6, false              /* 0: as if it were missing */
#define OF(layers) 1u << LAYERS_##layers
#define WINDOWED ~(OF(CHUNKED))

const struct key_row keys[KEYS] = {
	[KEY_BASE] = { "rope_theta", "rope.freq_base", 0, 0, BASE,
		       "--rope-freq-base" },
	[KEY_BASES] = { NULL, NULL },
	[KEY_LOCAL_BASE] = { NULL, "rope.freq_base_swa", 0, 0, BASE },
	[KEY_RATIO] = { NULL, NULL, 0, 0, POSITIVE },
	[KEY_PARTIAL] = { "partial_rotary_factor", NULL, 0, 0, POSITIVE },
	[KEY_DIMS] = { NULL, "rope.dimension_count", 0, 0, HEAD },
	[KEY_LOCAL_DIMS] = { NULL, "rope.dimension_count_swa", 0, 0, HEAD },
	[KEY_PAIRS] = { NULL, NULL },
	[KEY_HEAD] = { "head_dim", "attention.key_length", 0, 0, HEAD },
	[KEY_LOCAL_HEAD] = { NULL, "attention.key_length_swa", 0, 0, HEAD },
	[KEY_GLOBAL_HEAD] = { "global_head_dim", NULL, 0, OF(GLOBAL_HEAD),
			      HEAD },
	[KEY_OTHER_HEAD] = { "qk_nope_head_dim", NULL, 0, 0,
			     0, HEAD_MOST, true },
	[KEY_INDEXER_HEAD] = { "index_head_dim", NULL, 0, 0, HEAD },
	[KEY_INDEXER_PAIRS] = { NULL, NULL },
	[KEY_SECTIONS] = { "mrope_section|xdrope_section",
			   "rope.dimension_sections", true },
	[KEY_ALTERNATE] = { "mrope_interleaved", NULL, true },

	[KEY_SCALING] = { "rope_type|type", "rope.scaling.type", true,
			  .flag = "--rope-scaling" },
	[KEY_FACTOR] = { "factor", "rope.scaling.factor|rope.scale_linear",
			 true, 0, FACTOR, "--rope-scale" },
	[KEY_ORIGINAL] = { "original_max_position_embeddings",
			   "rope.scaling.original_context_length", true, 0,
			   COUNT, "--yarn-orig-ctx" },
	[KEY_ATTENTION] = { "attention_factor", "rope.scaling.attn_factor",
			    true, 0, POSITIVE },
	[KEY_FAST] = { "beta_fast", "rope.scaling.yarn_beta_fast", true, 0,
		       NATURAL, "--yarn-beta-fast" },
	[KEY_SLOW] = { "beta_slow", "rope.scaling.yarn_beta_slow", true, 0,
		       NATURAL, "--yarn-beta-slow" },
	[KEY_MSCALE] = { "mscale", NULL, true, 0, NATURAL },
	[KEY_MSCALE_ALL] = { "mscale_all_dim", NULL, true, 0, NATURAL },
	[KEY_LOG_MULTIPLIER] = { NULL, "rope.scaling.yarn_log_multiplier",
				 true, 0, NATURAL },
	[KEY_EXTRAPOLATION] = { NULL, "rope.scaling.yarn_ext_factor", true, 0,
				-1e9, 1e9, false },
	[KEY_YARN_ATTENTION] = { NULL, "rope.scaling.yarn_attn_factor", true,
				 0, -1e9, 1e9, false },
	[KEY_TRUNCATE] = { "truncate", NULL, true },
	[KEY_LOW] = { "low_freq_factor", NULL, true, 0, POSITIVE },
	[KEY_HIGH] = { "high_freq_factor", NULL, true, 0, POSITIVE },
	[KEY_MIXED] = { "mixed_b", NULL, true, 0, POSITIVE },
	[KEY_SHORT] = { "short_factor", NULL, true },
	[KEY_LONG] = { "long_factor", NULL, true },
	[KEY_SHORT_MSCALE] = { "short_mscale", NULL, true, 0, POSITIVE },
	[KEY_LONG_MSCALE] = { "long_mscale", NULL, true, 0, POSITIVE },
	[KEY_ALPHA] = { "alpha", NULL, true, 0, FACTOR },

	[KEY_HIDDEN] = { "hidden_size", "embedding_length", 0, 0, SIZE },
	[KEY_HEADS] = { "num_attention_heads", "attention.head_count", 0, 0,
			SIZE },
	[KEY_KEY_HEADS] = { "num_key_value_heads", "attention.head_count_kv",
			    0, 0, SIZE },
	[KEY_LAYERS] = { "num_hidden_layers|n_layer|n_layers|num_layers",
			 "block_count", 0, 0, SIZE },
	[KEY_CONTEXT] = { "max_position_embeddings|n_positions|max_seq_len|"
			  "max_sequence_length|n_ctx|seq_length|"
			  "max_target_positions", "context_length", 0, 0,
			  COUNT, "--ctx-size" },

	[KEY_LAYER_TYPES] = { "layer_types", NULL },
	[KEY_ROTATES] = { "no_rope_layers", NULL, 0, OF(LISTED) | OF(CHUNKED) },
	[KEY_ROTATES_EVERY] = { "no_rope_layer_interval", NULL, 0,
				OF(LISTED) | OF(CHUNKED), 1, 1e6, true },
	[KEY_FULL_AT] = { "full_attn_idxs", NULL, 0, OF(CONV) },
	[KEY_WINDOW] = { "sliding_window", "attention.sliding_window", 0, 0,
			 COUNT },
	[KEY_BOTH_SIDES] = { NULL, NULL, 0, 0, COUNT },
	[KEY_CHUNK] = { "attention_chunk_size", NULL, 0, OF(CHUNKED), COUNT },
	[KEY_WINDOWED] = { "use_sliding_window", NULL },
	[KEY_WINDOW_FROM] = { "max_window_layers", NULL, 0, 0,
			      0, 0x1p53, true },
	[KEY_CAUSAL] = { "is_causal", "attention.causal" },
	[KEY_BIDIRECTIONAL] = { "use_bidirectional_attention", NULL },

	[KEY_LOGIT_SCALE] = { NULL, "attention.scale", 0, 0, POSITIVE },
	[KEY_QUERY_SCALAR] = { NULL, NULL, 0, 0, POSITIVE },
	[KEY_SOFTCAP] = { NULL, "attn_logit_softcapping", 0, 0, POSITIVE },
	[KEY_QUERY_BETA] = { "llama_4_scaling_beta",
			     "attention.temperature_scale", true, 0, NATURAL },
	[KEY_QUERY_TUNING] = { "attn_temperature_tuning", NULL, 0,
			       OF(CHUNKED) },
	[KEY_QUERY_SCALE] = { "attn_scale", NULL, 0, OF(CHUNKED),
			      0, 0x1p53, false },
	[KEY_QUERY_LENGTH] = { "floor_scale", "attention.temperature_length",
			       0, OF(CHUNKED), 1, 0x1p53, false },
};

const char *key_names(const struct config *c, enum key k)
{
	if (key_is_own(c, k))
		return c->row->key[k];
	return c->gguf ? keys[k].gguf : keys[k].json;
}

const cJSON *key_value(const struct config *c, enum key k)
{
	const char *names = key_names(c, k);

	if (!names)
		return NULL;
	if (!c->gguf && keys[k].scaling && !key_is_own(c, k))
		return c->rope ? config_at(c->rope, names) : NULL;
	return config_value(c, names);
}

bool key_number(const struct config *c, enum key k, double *x)
{
	const struct key_row *key = &keys[k];
	const cJSON *value = key_value(c, k);

	if (!value)
		return true;
	return key->whole
	       ? config_whole(c, value, key->least, key->most, x)
	       : config_within(c, value, key->least, key->most, x);
}

bool key_assume(struct config *c, enum key k, double initial, double *x)
{
	*x = initial;
	return key_value(c, k) ? key_number(c, k, x)
			       : rotary_assume(c, key_names(c, k), initial);
}

bool key_flag(const struct config *c, enum key k, bool *x)
{
	const cJSON *value = key_value(c, k);

	if (!value)
		return true;
	if (!cJSON_IsBool(value))
		return config_fail(c, value, "expected true or false");
	*x = cJSON_IsTrue(value);
	return true;
}

bool key_missing(const struct config *c, enum key k)
{
	return rotary_missing(c, key_names(c, k));
}

bool key_is_own(const struct config *c, enum key k)
{
	return k < KEYS_OF_ROWS && c->row->key[k];
}

bool key_is_of(const struct config *c, enum key k)
{
	if (key_is_own(c, k))
		return true;
	if (!key_names(c, k))
		return false;
	if (k == KEY_PARTIAL)
		return c->row->partial > 0;
	return !keys[k].layers || (keys[k].layers >> c->row->layers & 1);
}

bool key_is_read(const struct config *c, const char *name)
{
	for (enum key k = 0; k < KEYS; k++)
		if (key_is_of(c, k) && !keys[k].scaling &&
		    text_has_word(key_names(c, k), name, "|."))
			return true;
	return false;
}

bool key_look_up(struct lookup *l, const char *names, const char *ends)
{
	char name[64];

	for (const char *at = names; at; at = strchr(at + 1, '|')) {
		at += *at == '|';
		snprintf(name, sizeof name, "%.*s", (int)strcspn(at, ends),
			 at);
		if (lookup_is(l, name))
			return true;
	}
	return false;
}
