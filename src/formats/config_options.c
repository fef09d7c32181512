/* config_options.c: what a config.json says, as options of rope. */
#include <cJSON.h>
#include <math.h>
#include <string.h>

#include "formats/config_options.h"

/* The first of some keys, the last NULL, that is there, or NULL. */
static const char *key_of(const struct config *c, const char *const *keys)
{
	while (*keys && !config_found(c, *keys))
		keys++;
	return *keys;
}

/* Its number, or 0. */
static bool first_of(const struct config *c, const char *const *keys,
		     double *x)
{
	const char *key = key_of(c, keys);

	*x = 0;
	return !key || config_number(c, key, 0, x);
}

/* How many of a head's dimensions turn; 0: all. */
static bool turning_of(const struct config *c, double head, bool whole_pairs,
		       double *turning)
{
	static const char *const parts[] = {
		"partial_rotary_factor", "rotary_pct", "rope_pct",
		"rotary_emb_fraction", NULL
	};
	const char *key = key_of(c, parts);
	double part;

	if (!config_number(c, "rotary_dim", 0, turning))
		return false;
	if (*turning > 0 || !key)
		return true;
	if (!config_number(c, key, 0, &part))
		return false;
	if (!(part > 0))
		return config_bad(c, key, "must be above 0, for positions to "
				  "turn anything");
	*turning = whole_pairs ? 2 * floor(head * part / 2)
			       : floor(head * part);
	return true;
}

/* The dimensions of a head, and how many of them turn. */
static bool put_dims(const struct config *c, bool whole_pairs)
{
	static const char *const head_keys[] = {
		"qk_rope_head_dim", "head_dim", NULL
	};
	static const char *const hidden_keys[] = {
		"hidden_size", "n_embd", NULL
	};
	static const char *const count_keys[] = {
		"num_attention_heads", "n_head", NULL
	};
	double head, hidden, heads, turning;

	if (!first_of(c, head_keys, &head) ||
	    !first_of(c, hidden_keys, &hidden) ||
	    !first_of(c, count_keys, &heads))
		return false;
	if (!(head > 0) && hidden > 0 && heads > 0)
		head = floor(hidden / heads);
	if (!(head > 0))
		return config_bad(c, "head_dim", "is missing, or hidden_size "
				  "and num_attention_heads");
	if (!turning_of(c, head, whole_pairs, &turning))
		return false;
	config_double(c, " --dim ", head);
	if (turning > 0)
		config_double(c, " --rotary-dim ", turning);
	return true;
}

/* Whether the model is of one of these types, the last NULL. */
static bool model_is(const struct config *c, const char *const *types)
{
	const cJSON *model = config_value(c->model, "model_type");
	const char *type = cJSON_GetStringValue(model);

	for (; type && *types; types++)
		if (strcmp(type, *types) == 0)
			return true;
	return false;
}

/* Models whose code turns neighbours together; the others turn halves. */
static bool put_pairs(const struct config *c)
{
	static const char *const types[] = {
		"gptj", "codegen", "roformer", "cohere", "cohere2", "glm",
		"glm4", "glm4v_text", "deepseek_v2", "deepseek_v3", "ernie4_5",
		"helium", "moonshine", "llama4_text", NULL
	};
	bool is = model_is(c, types), thirds;

	if (!config_flag(c, "rotary_emb_interleaved", is, &is) ||
	    !config_flag(c, "rope_interleave", is, &is) ||
	    !config_flag(c, "mrope_interleaved", false, &thirds))
		return false;
	if (is)
		config_text(c, " --pairs interleaved");
	if (config_found(c, "mrope_section") &&
	    !config_array(c, " --sections ", "mrope_section", ','))
		return false;
	if (thirds)
		config_text(c, " --mrope interleaved");
	return true;
}

/*
 * Refuse models that have no rotary positions, where no base says otherwise, or
 * others than are known.
 */
static bool check_rotary(const struct config *c, const char *base)
{
	static const char *const without[] = {
		"bert", "roberta", "xlm-roberta", "distilbert", "electra",
		"albert", "gpt2", "gpt_bigcode", "gpt_neo", "opt", "bart",
		"t5", "bloom", "mpt", "deberta", "deberta-v2", NULL
	};
	bool alibi;

	if (!config_flag(c, "alibi", false, &alibi))
		return false;
	if (alibi)
		return config_bad(c, "alibi", "is true: the model has ALiBi "
				  "in place of rotary positions");
	if (!base && model_is(c, without))
		return config_bad(c, "model_type", "is that of a model "
				  "without rotary positions");
	if (config_found(c, "rope_ratio"))
		return config_bad(c, "rope_ratio", "means other things to "
				  "other models: type the options");
	return true;
}

static bool put_base(const struct config *c)
{
	static const char *const keys[] = {
		"rope_theta", "global_rope_theta", "rotary_emb_base", NULL
	};
	const char *key = c->base ? c->base : key_of(c, keys);
	double base;

	if (!check_rotary(c, key))
		return false;
	if (!key)
		return true;
	if (!config_number(c, key, 0, &base))
		return false;
	if (!(base > 0))
		return config_bad(c, key, "must not be 0");
	config_double(c, " --base ", base);
	return true;
}

bool config_put(const struct config *c)
{
	const struct config_law *law = config_law(c);

	return law && put_base(c) &&
	       put_dims(c, strcmp(law->kind, "proportional") == 0) &&
	       put_pairs(c) && config_scaling(c, law) && !c->err->text[0];
}
