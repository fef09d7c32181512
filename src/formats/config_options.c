/* config_options.c: what a config.json says, as options of rope. */
#include <cJSON.h>
#include <math.h>
#include <string.h>

#include "formats/config_options.h"
#include "formats/number.h"

static bool bad(const struct config *c, const char *key, const char *what)
{
	return fail_file(c->err, c->path, "%s %s", key, what);
}

const cJSON *config_value(const cJSON *object, const char *key)
{
	const cJSON *x = cJSON_GetObjectItemCaseSensitive(object, key);

	return cJSON_IsNull(x) ? NULL : x;
}

/* Of the rotary positions, or of the model. */
static const cJSON *value(const struct config *c, const char *key)
{
	const cJSON *x = config_value(c->rope, key);

	return x ? x : config_value(c->model, key);
}

/* The number of a key, initial where it is missing; false: it is no number. */
static bool number(const struct config *c, const char *key, double initial,
		   double *x)
{
	const cJSON *item = value(c, key);

	*x = item ? item->valuedouble : initial;
	if (item && !cJSON_IsNumber(item))
		return bad(c, key, "must be a number");
	if (*x < 0)
		return bad(c, key, "must not be negative");
	return true;
}

/* The number of the first of two keys that is there, or 0. */
static bool either(const struct config *c, const char *one, const char *other,
		   double *x)
{
	return number(c, other, 0, x) && number(c, one, *x, x);
}

static void put_text(const struct config *c, const char *text)
{
	struct config_line *line = c->line;
	const size_t n = strlen(text);

	if (n < sizeof line->text - line->n) {
		memcpy(line->text + line->n, text, n);
		line->n += n;
	} else {
		fail_file(c->err, c->path, "more options than one can type");
	}
}

static void put(const struct config *c, const char *before, double x)
{
	char text[NUMBER_ROOM + 1];

	text[number_text(text, x, F64, 0)] = '\0';
	put_text(c, before);
	put_text(c, text);
}

/* The dimensions of a head, and how many of them turn. */
static bool put_dims(const struct config *c, bool whole_pairs)
{
	double head, hidden, heads, turning, part;

	if (!either(c, "qk_rope_head_dim", "head_dim", &head) ||
	    !either(c, "hidden_size", "n_embd", &hidden) ||
	    !either(c, "num_attention_heads", "n_head", &heads) ||
	    !number(c, "rotary_dim", 0, &turning) ||
	    !either(c, "partial_rotary_factor", "rotary_pct", &part))
		return false;
	if (!(head > 0) && hidden > 0 && heads > 0)
		head = floor(hidden / heads);
	if (!(head > 0))
		return bad(c, "head_dim", "is missing, or hidden_size and "
			   "num_attention_heads");
	if (part > 0 && !(turning > 0))
		turning = whole_pairs ? 2 * floor(head * part / 2)
				      : floor(head * part);
	put(c, " --dim ", head);
	if (turning > 0)
		put(c, " --rotary-dim ", turning);
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
static bool interleaved(const struct config *c)
{
	static const char *const types[] = {
		"gptj", "codegen", "roformer", "cohere", "cohere2", "glm",
		"glm4", "deepseek_v2", "deepseek_v3", NULL
	};
	const cJSON *said = value(c, "rope_interleave");

	return said ? cJSON_IsTrue(said) : model_is(c, types);
}

/* The numbers of an array, parted by a character. */
static bool put_array(const struct config *c, const char *before,
		      const char *key, char between)
{
	const char mark[2] = { between, '\0' };
	const cJSON *array = value(c, key), *item;

	if (!cJSON_IsArray(array) || !array->child)
		return bad(c, key, "must be an array of numbers");
	put_text(c, before);
	for (item = array->child; item; item = item->next) {
		if (!cJSON_IsNumber(item))
			return bad(c, key, "must be an array of numbers");
		put(c, item == array->child ? "" : mark, item->valuedouble);
	}
	return true;
}

/* The laws by the names that models have for them. */
static const struct law {
	const char *type, *kind;
	int numbers;           /* of F and L */
} laws[] = {
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

static const struct law *law_of(const struct config *c)
{
	const cJSON *type = config_value(c->rope, "rope_type");
	const char *name = "default";

	type = type ? type : config_value(c->rope, "type");
	if (type)
		name = cJSON_GetStringValue(type);
	if (!name) {
		bad(c, "rope_type", "must be a name");
		return NULL;
	}
	for (const struct law *law = laws; law->type; law++)
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
	double x;

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		if (strcmp(names[i][0], kind) != 0 || !value(c, names[i][1]))
			continue;
		if (!number(c, names[i][1], 0, &x))
			return false;
		put(c, names[i][2], x);
	}
	if (strcmp(kind, "yarn") == 0 && cJSON_IsFalse(value(c, "truncate")))
		put_text(c, ",truncate=false");
	return strcmp(kind, "longrope") != 0 ||
	       (put_array(c, ",short=", "short_factor", ':') &&
		put_array(c, ",long=", "long_factor", ':'));
}

/* "yarn:F,L,fast=32" */
static bool put_scaling(const struct config *c, const struct law *law)
{
	double factor, original, most;

	if (!law->numbers)
		return true;
	if (!number(c, "factor", 0, &factor) ||
	    !number(c, "original_max_position_embeddings", 0, &original) ||
	    !number(c, "max_position_embeddings", 0, &most))
		return false;
	if (!(factor > 0) && original > 0)
		factor = most / original;
	if (!(factor > 0) && strcmp(law->kind, "proportional") == 0)
		factor = 1;
	if (!(factor > 0))
		return bad(c, law->type, "scaling without a factor");
	put_text(c, " --scaling ");
	put_text(c, law->kind);
	put(c, ":", factor);
	/* This law alone counts from the context that the model has. */
	if (!(original > 0) || strcmp(law->kind, "dynamic") == 0)
		original = most;
	if (law->numbers > 1 && !(original > 0))
		return bad(c, "max_position_embeddings", "is missing");
	if (law->numbers > 1)
		put(c, ",", original);
	return put_named(c, law->kind);
}

static bool put_base(const struct config *c)
{
	const char *key = value(c, "rope_theta") ? "rope_theta"
						 : "rotary_emb_base";
	static const char *const without[] = {
		"bert", "roberta", "distilbert", "electra", "albert", "gpt2",
		"opt", "bart", "t5", "bloom", "deberta", "deberta-v2", NULL
	};
	double base;

	if (!value(c, key) && model_is(c, without))
		return bad(c, "model_type", "is that of a model without "
			   "rotary positions");
	if (!value(c, key))
		return true;
	if (!number(c, key, 0, &base))
		return false;
	if (!(base > 0))
		return bad(c, key, "must not be 0");
	put(c, " --base ", base);
	return true;
}

bool config_put(const struct config *c)
{
	const struct law *law = law_of(c);

	if (!law || !put_base(c) ||
	    !put_dims(c, strcmp(law->kind, "proportional") == 0))
		return false;
	if (interleaved(c))
		put_text(c, " --pairs interleaved");
	if (value(c, "mrope_section") &&
	    !put_array(c, " --sections ", "mrope_section", ','))
		return false;
	if (cJSON_IsTrue(value(c, "mrope_interleaved")))
		put_text(c, " --mrope interleaved");
	return put_scaling(c, law) && !c->err->text[0];
}
