/* keys.c: keys of a configuration that are unknown or without effect. */
#include <cJSON.h>
#include <stdio.h>
#include <string.h>

#include "model/key.h"
#include "model/rotary.h"
#include "text/words.h"

/*
 * Keys about rotary positions, and values, separated by '|', with which they
 * change nothing: "*": any; NULL: none, unless the row of the model reads them.
 */
static const struct known {
	const char *name, *without_effect;
} knowns[] = {
	{ "dual_chunk_attention_config", "*" },  /* rotary.c notes it */
	{ "rope_scaling_factor", NULL },  /* of params.json, as the next */
	{ "rope_high_freq_factor", NULL },
	{ "use_scaled_rope", NULL },
	{ "compress_rope_theta", "*" },  /* beside rope_parameters */
	{ "rope_theta", "*" },  /* rotary.c judges these three */
	{ "rope_scaling", "*" },
	{ "rope_parameters", "*" },
	{ "rope_interleaved", "false" },
	{ "rope_interleave", "false" },
	{ "rotary_emb_interleaved", "false" },
	{ "rope_local_base_freq", NULL },
	{ "local_rope_theta", NULL },
	{ "global_rope_theta", NULL },
	{ "rotary_emb_base", NULL },
	{ "rotary_emb_scale_base", NULL },
	{ "rotary_scaling_factor", "1" },
	{ "rope_embedding_base", NULL },
	{ "rope_position_scale", "1" },
	{ "rope_ratio", "1" },
	{ "rotary", "true" },
	{ "original_rope", "true" },
	{ "use_rope", "true" },
	{ "use_mrope", "false" },
	{ "use_rotary_pos_emb", "true" },
	{ "rope_traditional", "false" },   /* MLX: interleaved */
	{ "rope_full_precision", "*" },    /* of queries and keys */
	{ "rope_max_length", "*" },        /* of a cached table */
	{ "flash_rotary", "*" },           /* a kernel */
	{ "rotary_value", "*" },
	{ "partial_rotary_factor", "1" },
	{ "rotary_pct", "1" },
	{ "rope_pct", "1" },
	{ "rotary_percent", "1" },
	{ "rotary_emb_fraction", "1" },
	{ "rope_percent", "*" },  /* beside partial_rotary_factor (Nemotron) */
	{ "rotary_dim", NULL },
	{ "qk_rope_head_dim", NULL },
	{ "qk_nope_head_dim", "*" },
	{ "no_rope_layers", NULL },
	{ "no_rope_layer_interval", "*" },
	{ "alibi", "false" },
	{ "alibi_bias_max", "*" },
	{ "position_embedding_type", "rope|rotary" },
	{ "mrope_section", NULL },
	{ "mrope_interleaved", "false" },
};

enum {
	KNOWNS = sizeof knowns / sizeof *knowns,
	EDITS = 2,     /* of a misspelt key; 1 where it is short */
	SHORT = 8, SHORTER = 6, SHORTEST = 4,  /* letters of such a key */
};

/* Whether text has the key as a word: "rotary_dim=8: ...". */
static bool mentions(const char *text, const char *key)
{
	return text && text_has_word(text, key, "=!;|. ");
}

/* Whether the model reads a key, or a condition of its type does. */
static bool is_read(const struct config *c, const char *key)
{
	if (key_is_read(c, key) ||
	    (c->row == &params_model &&
	     text_has_word(params_keys, key, "|")))
		return true;
	for (const struct model *m = models; m->types; m++)
		if (c->type && text_has_word(m->types, c->type, " ") &&
		    (mentions(m->when, key) || mentions(m->refuse, key)))
			return true;
	return false;
}

/* Whether a value is one of those without effect. */
static bool has_no_effect(const struct known *k, const cJSON *value)
{
	char text[32];

	if (!k->without_effect)
		return false;
	if (strcmp(k->without_effect, "*") == 0)
		return true;
	for (const char *at = k->without_effect; *at; at += *at == '|') {
		const size_t n = strcspn(at, "|");

		snprintf(text, sizeof text, "%.*s", (int)n, at);
		if (config_equals(value, text))
			return true;
		at += n;
	}
	return false;
}

/*
 * Whether a word of the key, between underscores, is about such positions. A
 * model type decides more than position_embedding_type, which classes ignore.
 */
static bool is_about_positions(const struct config *c, const char *key)
{
	if (strcmp(key, "position_embedding_type") == 0)
		return !c->type;
	return text_has_word(key, "rope", "_-") ||
	       text_has_word(key, "mrope", "_-") ||
	       text_has_word(key, "rotary", "_-") ||
	       text_has_word(key, "nope", "_-") ||
	       text_has_word(key, "alibi", "_-") ||
	       strncmp(key, "rope", 4) == 0 || strncmp(key, "rotary", 6) == 0;
}

/* A rope_type at the top that says what the scaling says, too. */
static bool is_repeated(const struct config *c, const cJSON *item)
{
	const cJSON *inside = config_at(c->model, "rope_parameters.rope_type|"
					"rope_scaling.rope_type");

	return strcmp(item->string, "rope_type") == 0 && inside &&
	       cJSON_Compare(item, inside, true);
}

/* A key about positions: known, and read or without effect. */
static bool check_position_key(const struct config *c, const cJSON *item)
{
	struct lookup l = lookup_begin(item->string);

	for (const struct known *k = knowns; k < knowns + KNOWNS; k++) {
		if (!lookup_is(&l, k->name))
			continue;
		if (is_read(c, k->name) || has_no_effect(k, item))
			return true;
		return c->type ? config_fail(c, item, "%s does not read it, so "
					     "its effect is unknown", c->type)
			       : config_fail(c, item, "without model_type its "
					     "effect is unknown");
	}
	if (is_read(c, item->string) || is_repeated(c, item))
		return true;
	return config_unknown_key(c, item, l.nearest);
}

/*
 * Compare a key of length letters with those that the model reads, by its row
 * or conditions of its type, and if it is long enough by all.
 */
static void look_up_read(const struct config *c, size_t length,
			 struct lookup *l)
{
	for (enum key k = 0; k < KEYS; k++) {
		const char *names = key_names(c, k);
		char first[64];

		if (!key_is_of(c, k) || keys[k].scaling)
			continue;
		/* Others than the first are words that many files have */
		snprintf(first, sizeof first, "%.*s",
			 (int)strcspn(names, "|"), names);
		if (key_is_own(c, k))
			key_look_up(l, names, ".|");
		else if (length >= SHORTER)
			key_look_up(l, first, "|");
	}
	for (const struct model *m = models; m->types; m++)
		if (c->type && text_has_word(m->types, c->type, " "))
			key_look_up(l, m->when, ".=!|");
	if (c->row == &params_model)
		key_look_up(l, params_keys, "|");
	key_look_up(l, config_pattern_key(c), "|");
	if (length >= SHORTER)
		key_look_up(l, "original_max_position_embeddings|model_type|"
			"partial_rotary_factor|text_config|rope_scaling|"
			    "rope_parameters", "|");
}

/* Another key: none that is nearly one which the part lacks. */
static bool check_other_key(const struct config *c, const cJSON *item)
{
	const size_t length = strlen(item->string);
	struct lookup l = lookup_begin(item->string);

	/* One of their own, and nearly head_dim */
	if (length < SHORTEST || is_read(c, item->string) ||
	    strcmp(item->string, "v_head_dim") == 0)
		return true;
	look_up_read(c, length, &l);
	if (!l.nearest[0] || l.edits > (length < SHORT ? 1 : EDITS) ||
	    cJSON_GetObjectItemCaseSensitive(c->model, l.nearest))
		return true;
	return config_unknown_key(c, item, l.nearest);
}

/* A key of a scaling. */
static bool check_parameter(const struct config *c, const cJSON *item)
{
	struct lookup l = lookup_begin(item->string);

	for (enum key k = 0; k < KEYS; k++)
		if (keys[k].scaling && key_look_up(&l, keys[k].json, "|"))
			return true;
	return key_look_up(&l, "rope_theta|partial_rotary_factor|interleaved|"
			   "max_position_embeddings|finetuned", "|") ||
	       config_unknown_key(c, item, l.nearest);
}

/* The keys of a scaling, or of those of several types of layers. */
static bool check_parameters(const struct config *c, const cJSON *scaling)
{
	for (const cJSON *o = scaling->child; o; o = o->next)
		if (!(cJSON_IsObject(o) ? check_parameters(c, o)
					: check_parameter(c, o)))
			return false;
	return true;
}

/* "key=true" and "key!=false" need true or false; classes take other values */
static bool check_flag(const struct config *c, const char *condition)
{
	const char *equals = condition + strcspn(condition, "=");
	char key[64];
	const cJSON *value;

	if (strcmp(equals, "=true") != 0 && strcmp(equals, "=false") != 0)
		return true;
	snprintf(key, sizeof key, "%.*s",
		 (int)(equals - condition) - (equals[-1] == '!'), condition);
	value = config_at(c->model, key);
	return !value || cJSON_IsBool(value) ||
	       config_fail(c, value, "expected true or false");
}

/* The flags that choose between the rows of the type. */
static bool check_flags(const struct config *c)
{
	for (const struct model *m = models; m->types; m++)
		if (m->when && c->type &&
		    text_has_word(m->types, c->type, " ") &&
		    !check_flag(c, m->when))
			return false;
	return true;
}

/* Whether a key stands in a command of the row. */
static bool is_field(const struct config *c, const char *key)
{
	return (c->row->commands &&
		text_has_word(c->row->commands, key, "{}|=+/. ")) ||
	       (c->row->first &&
		text_has_word(c->row->first, key, "{}|=+/. "));
}

/* Compare with the keys in braces, "{key|key=8+2/other}". */
static void look_up_fields(struct lookup *l, const char *text)
{
	for (const char *at = text ? strchr(text, '{') : NULL; at;
	     at = strchr(at, '{'))
		key_look_up(l, ++at, ".=+/|}");
}

/* Keys of other tables: none that is nearly one which a command has. */
static bool check_fields(const struct config *c)
{
	for (const cJSON *o = c->model->child; o; o = o->next) {
		struct lookup l = lookup_begin(o->string);
		const size_t length = strlen(o->string);

		if (length < SHORTEST || cJSON_IsNull(o))
			continue;
		look_up_fields(&l, c->row->commands);
		look_up_fields(&l, c->row->first);
		if (l.nearest[0] && l.edits <= (length < SHORT ? 1 : EDITS) &&
		    !is_field(c, o->string) &&
		    !cJSON_GetObjectItemCaseSensitive(c->model, l.nearest))
			return config_unknown_key(c, o, l.nearest);
	}
	return true;
}

bool config_check_keys(struct config *c)
{
	if (!check_flags(c))
		return false;
	if (c->row->kind != MODEL_ROTARY)
		return check_fields(c);
	for (const cJSON *o = c->model->child; o; o = o->next) {
		const bool scaling = strcmp(o->string, "rope_scaling") == 0 ||
				     strcmp(o->string, "rope_parameters") == 0;

		if (cJSON_IsNull(o))
			continue;
		if (is_about_positions(c, o->string)
		    ? !check_position_key(c, o) : !check_other_key(c, o))
			return false;
		if (scaling && cJSON_IsObject(o) && !check_parameters(c, o))
			return false;
	}
	return true;
}
