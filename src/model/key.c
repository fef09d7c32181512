/* key.c: the table of what files state, and how it is read. */
#include <cJSON.h>
#include <float.h>
#include <stdio.h>
#include <string.h>

#include "model/key.h"
#include "model/rotary.h"
#include "text/words.h"

enum { SIZE_MOST = 1 << 30 };

#define RANGE(from, to) .least = from, .most = to
#define COUNT RANGE(1, 0x1p53), .whole = true     /* of tokens, layers */
#define SIZE RANGE(1, SIZE_MOST), .whole = true   /* of a vector; heads */
#define HEAD RANGE(2, HEAD_MOST), .whole = true   /* of a head, or a part */
#define BASE RANGE(1e-300, DBL_MAX)
#define FACTOR RANGE(1e-3, 1e9)
#define POSITIVE RANGE(1e-6, 1e6)
#define NATURAL RANGE(0, 1e6)                     /* 0: as if missing */
#define OF(layers) 1u << LAYERS_##layers

/* Those that are not here have no name but the row's. */
const struct key_row keys[KEYS] = {
	[KEY_BASE] = { .json = "rope_theta", .gguf = "rope.freq_base", BASE,
		.flag = "--rope-freq-base" },
	[KEY_LOCAL_BASE] = { .gguf = "rope.freq_base_swa", BASE },
	[KEY_RATIO] = { POSITIVE },
	[KEY_PARTIAL] = { .json = "partial_rotary_factor", POSITIVE },
	[KEY_DIMS] = { .gguf = "rope.dimension_count", HEAD },
	[KEY_LOCAL_DIMS] = { .gguf = "rope.dimension_count_swa", HEAD },
	[KEY_HEAD] = { .json = "head_dim", .gguf = "attention.key_length",
		HEAD },
	[KEY_LOCAL_HEAD] = { .gguf = "attention.key_length_swa", HEAD },
	[KEY_GLOBAL_HEAD] = { .json = "global_head_dim",
		.layers = OF(GLOBAL_HEAD), HEAD },
	[KEY_OTHER_HEAD] = { .json = "qk_nope_head_dim", .most = HEAD_MOST,
		.whole = true },
	[KEY_INDEXER_HEAD] = { .json = "index_head_dim", HEAD },
	[KEY_SECTIONS] = { .json = "mrope_section|xdrope_section",
		.gguf = "rope.dimension_sections", .scaling = true },
	[KEY_ALTERNATE] = { .json = "mrope_interleaved", .scaling = true },

	[KEY_SCALING] = { .json = "rope_type|type", .gguf = "rope.scaling.type",
		.scaling = true, .flag = "--rope-scaling" },
	[KEY_FACTOR] = { .json = "factor",
		.gguf = "rope.scaling.factor|rope.scale_linear",
		.scaling = true, FACTOR, .flag = "--rope-scale" },
	[KEY_ORIGINAL] = { .json = "original_max_position_embeddings",
		.gguf = "rope.scaling.original_context_length", .scaling = true,
		COUNT, .flag = "--yarn-orig-ctx" },
	[KEY_ATTENTION] = { .json = "attention_factor",
		.gguf = "rope.scaling.attn_factor", .scaling = true, POSITIVE },
	[KEY_FAST] = { .json = "beta_fast",
		.gguf = "rope.scaling.yarn_beta_fast", .scaling = true, NATURAL,
		.flag = "--yarn-beta-fast" },
	[KEY_SLOW] = { .json = "beta_slow",
		.gguf = "rope.scaling.yarn_beta_slow", .scaling = true, NATURAL,
		.flag = "--yarn-beta-slow" },
	[KEY_MSCALE] = { .json = "mscale", .scaling = true, NATURAL },
	[KEY_MSCALE_ALL] = { .json = "mscale_all_dim", .scaling = true,
		NATURAL },
	[KEY_LOG_MULTIPLIER] = { .gguf = "rope.scaling.yarn_log_multiplier",
		.scaling = true, NATURAL },
	[KEY_EXTRAPOLATION] = { .gguf = "rope.scaling.yarn_ext_factor",
		.scaling = true, .least = -1e9, .most = 1e9 },
	[KEY_YARN_ATTENTION] = { .gguf = "rope.scaling.yarn_attn_factor",
		.scaling = true, .least = -1e9, .most = 1e9 },
	[KEY_TRUNCATE] = { .json = "truncate", .scaling = true },
	[KEY_LOW] = { .json = "low_freq_factor", .scaling = true, POSITIVE },
	[KEY_HIGH] = { .json = "high_freq_factor", .scaling = true, POSITIVE },
	[KEY_MIXED] = { .json = "mixed_b", .scaling = true, POSITIVE },
	[KEY_SHORT] = { .json = "short_factor", .scaling = true },
	[KEY_LONG] = { .json = "long_factor", .scaling = true },
	[KEY_SHORT_MSCALE] = { .json = "short_mscale", .scaling = true,
		POSITIVE },
	[KEY_LONG_MSCALE] = { .json = "long_mscale", .scaling = true,
		POSITIVE },
	[KEY_ALPHA] = { .json = "alpha", .scaling = true, FACTOR },

	[KEY_HIDDEN] = { .json = "hidden_size", .gguf = "embedding_length",
		SIZE },
	[KEY_HEADS] = { .json = "num_attention_heads",
		.gguf = "attention.head_count", SIZE },
	[KEY_KEY_HEADS] = { .json = "num_key_value_heads",
		.gguf = "attention.head_count_kv", SIZE },
	[KEY_LAYERS] = { .json = "num_hidden_layers|n_layer|n_layers|"
			"num_layers", .gguf = "block_count", SIZE },
	[KEY_CONTEXT] = { .json = "max_position_embeddings|n_positions|"
			"max_seq_len|max_sequence_length|n_ctx|seq_length|"
			"max_target_positions", .gguf = "context_length", COUNT,
		.flag = "--ctx-size" },

	[KEY_LAYER_TYPES] = { .json = "layer_types" },
	[KEY_RATIOS] = { .json = "compress_ratios", .layers = OF(COMPRESSED) },
	[KEY_ROTATES] = { .json = "no_rope_layers",
		.layers = OF(LISTED) | OF(CHUNKED) },
	[KEY_ROTATES_EVERY] = { .json = "no_rope_layer_interval",
		.layers = OF(LISTED) | OF(CHUNKED), .least = 1, .most = 1e6,
		.whole = true },
	[KEY_FULL_AT] = { .json = "full_attn_idxs", .layers = OF(CONV) },
	[KEY_WINDOW] = { .json = "sliding_window",
		.gguf = "attention.sliding_window", COUNT },
	[KEY_BOTH_SIDES] = { COUNT },
	[KEY_CHUNK] = { .json = "attention_chunk_size", .layers = OF(CHUNKED),
		COUNT },
	[KEY_WINDOWED] = { .json = "use_sliding_window" },
	[KEY_WINDOW_FROM] = { .json = "max_window_layers", .most = 0x1p53,
		.whole = true },
	[KEY_CAUSAL] = { .json = "is_causal", .gguf = "attention.causal" },
	[KEY_BIDIRECTIONAL] = { .json = "use_bidirectional_attention" },

	[KEY_LOGIT_SCALE] = { .gguf = "attention.scale", POSITIVE },
	[KEY_QUERY_SCALAR] = { POSITIVE },
	[KEY_SOFTCAP] = { .gguf = "attn_logit_softcapping", POSITIVE },
	[KEY_QUERY_BETA] = { .json = "llama_4_scaling_beta",
		.gguf = "attention.temperature_scale", .scaling = true,
		NATURAL },
	[KEY_QUERY_TUNING] = { .json = "attn_temperature_tuning",
		.layers = OF(CHUNKED) },
	[KEY_QUERY_SCALE] = { .json = "attn_scale", .layers = OF(CHUNKED),
		.most = 0x1p53 },
	[KEY_QUERY_LENGTH] = { .json = "floor_scale",
		.gguf = "attention.temperature_length", .layers = OF(CHUNKED),
		.least = 1, .most = 0x1p53 },
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
