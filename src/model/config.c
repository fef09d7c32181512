/* config.c: the rotary positions of a model, from its config.json. */
#include <cJSON.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "text/decimal.h"
#include "formats/json_tree.h"
#include "model/config.h"

enum { BYTES_MOST = 1 << 20 };

/* Options as text, each after a blank. */
struct config_line {
	size_t n;
	char text[1 << 20];
};

/* A configuration, and the options that it becomes. */
struct config {
	const char *path;
	const char *layers;    /* TYPE of FILE:TYPE, or NULL */
	const struct cJSON *model;    /* the object of the model */
	const struct cJSON *rope;     /* that of rotary positions, or NULL */
	const char *base;             /* key of the base, or NULL: the usual */
	struct config_line *line;     /* the result, initially zero */
	struct error *err;
};

/* A name of scaling in a model, and the kind of --scaling. */
struct scaling_name {
	const char *type, *kind;
	int numbers;           /* how many of F and L it needs */
};

/* Fail with what is wrong with a key. */
static bool config_bad(const struct config *c, const char *key,
		       const char *what)
{
	return fail_file(c->err, c->path, "%s %s", key, what);
}

/* The value of a key, or NULL if it is null or missing. */
static const cJSON *config_value(const cJSON *object, const char *key)
{
	const cJSON *x = cJSON_GetObjectItemCaseSensitive(object, key);

	return cJSON_IsNull(x) ? NULL : x;
}

/* The value of a key of the rotary positions, or else of the model. */
static const cJSON *config_found(const struct config *c, const char *key)
{
	const cJSON *x = config_value(c->rope, key);

	return x ? x : config_value(c->model, key);
}

/*
 * The number, or whether the value is true, of a key; initial if missing. Fails
 * for other types of values.
 */
static bool config_number(const struct config *c, const char *key,
			  double initial, double *x)
{
	const cJSON *item = config_found(c, key);

	*x = item ? item->valuedouble : initial;
	if (item && !cJSON_IsNumber(item))
		return config_bad(c, key, "must be a number");
	if (*x < 0)
		return config_bad(c, key, "must not be negative");
	return true;
}

static bool config_flag(const struct config *c, const char *key, bool initial,
			bool *is)
{
	const cJSON *item = config_found(c, key);

	*is = item ? cJSON_IsTrue(item) : initial;
	if (item && !cJSON_IsBool(item))
		return config_bad(c, key, "must be true or false");
	return true;
}

static void config_text(const struct config *c, const char *text)
{
	struct config_line *line = c->line;
	const size_t n = strlen(text);

	if (n < sizeof line->text - line->n) {
		memcpy(line->text + line->n, text, n);
		line->n += n;
	} else {
		fail_file(c->err, c->path, "too many values for a command "
			  "line");
	}
}

static void config_double(const struct config *c, const char *before, double x)
{
	char text[NUMBER_ROOM + 1];

	text[number_text(text, x, F64, 0)] = '\0';
	config_text(c, before);
	config_text(c, text);
}

/* Append the numbers of an array, separated by a character. */
static bool config_array(const struct config *c, const char *before,
			 const char *key, char between)
{
	const char mark[2] = { between, '\0' };
	const cJSON *array = config_found(c, key);
	const cJSON *first = array && cJSON_IsArray(array) ? array->child
							   : NULL;

	if (!first)
		return config_bad(c, key, "must be an array of numbers");
	config_text(c, before);
	for (const cJSON *item = first; item; item = item->next) {
		if (!cJSON_IsNumber(item))
			return config_bad(c, key,
					  "must be an array of numbers");
		config_double(c, item == first ? "" : mark,
			      item->valuedouble);
	}
	return true;
}

/* The scalings by their names in models. */
static const struct scaling_name scalings[] = {
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

static const struct scaling_name *find_scaling(const struct config *c)
{
	const cJSON *type = config_value(c->rope, "rope_type");
	const char *name = "default";

	type = type ? type : config_value(c->rope, "type");
	if (type)
		name = cJSON_GetStringValue(type);
	if (!name) {
		config_bad(c, "rope_type", "must be a string");
		return NULL;
	}
	for (const struct scaling_name *s = scalings; s->type; s++)
		if (strcmp(s->type, name) == 0)
			return s;
	fail_file(c->err, c->path, "unknown rope_type '%.60s'", name);
	return NULL;
}

/* Append "name=X" for each parameter of a kind that the model has. */
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

/* Append --scaling, such as "yarn:F,L,fast=32". */
static bool put_scaling(const struct config *c,
			const struct scaling_name *scaling)
{
	double factor, original, most;

	if (!scaling->numbers)
		return true;
	if (!config_number(c, "factor", 0, &factor) ||
	    !config_number(c, "original_max_position_embeddings", 0,
			   &original) ||
	    !config_number(c, "max_position_embeddings", 0, &most))
		return false;
	if (!(factor > 0) && original > 0)
		factor = most / original;
	if (!(factor > 0) && strcmp(scaling->kind, "proportional") == 0)
		factor = 1;
	if (!(factor > 0))
		return config_bad(c, scaling->type, "scaling without a factor");
	config_text(c, " --scaling ");
	config_text(c, scaling->kind);
	config_double(c, ":", factor);
	/* Dynamic scaling begins at the context of the model. */
	if (!(original > 0) || strcmp(scaling->kind, "dynamic") == 0)
		original = most;
	if (scaling->numbers > 1 && !(original > 0))
		return config_bad(c, "max_position_embeddings", "is missing");
	if (scaling->numbers > 1)
		config_double(c, ",", original);
	return put_named(c, scaling->kind);
}

/* The first of keys (ends with NULL) that the model has, or NULL. */
static const char *key_of(const struct config *c, const char *const *keys)
{
	while (*keys && !config_found(c, *keys))
		keys++;
	return *keys;
}

/* The number of that key, or 0. */
static bool first_of(const struct config *c, const char *const *keys,
		     double *x)
{
	const char *key = key_of(c, keys);

	*x = 0;
	return !key || config_number(c, key, 0, x);
}

/* The number of rotary dimensions of a head; 0: all. */
static bool rotary_dim_of(const struct config *c, double head, bool whole_pairs,
		       double *rotary)
{
	static const char *const parts[] = {
		"partial_rotary_factor", "rotary_pct", "rope_pct",
		"rotary_emb_fraction", NULL
	};
	const char *key = key_of(c, parts);
	double part;

	if (!config_number(c, "rotary_dim", 0, rotary))
		return false;
	if (*rotary > 0 || !key)
		return true;
	if (!config_number(c, key, 0, &part))
		return false;
	if (!(part > 0))
		return config_bad(c, key, "must be greater than 0");
	*rotary = whole_pairs ? 2 * floor(head * part / 2)
			       : floor(head * part);
	return true;
}

/* Append --dim and --rotary-dim. */
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
	double head, hidden, heads, rotary;

	if (!first_of(c, head_keys, &head) ||
	    !first_of(c, hidden_keys, &hidden) ||
	    !first_of(c, count_keys, &heads))
		return false;
	if (!(head > 0) && hidden > 0 && heads > 0)
		head = floor(hidden / heads);
	if (!(head > 0))
		return config_bad(c, "head_dim", "is missing; expected it, or "
				  "hidden_size and num_attention_heads");
	if (!rotary_dim_of(c, head, whole_pairs, &rotary))
		return false;
	config_double(c, " --dim ", head);
	if (rotary > 0)
		config_double(c, " --rotary-dim ", rotary);
	return true;
}

/* Whether the model has one of these types (ends with NULL). */
static bool model_is(const struct config *c, const char *const *types)
{
	const cJSON *model = config_value(c->model, "model_type");
	const char *type = cJSON_GetStringValue(model);

	for (; type && *types; types++)
		if (strcmp(type, *types) == 0)
			return true;
	return false;
}

/* Append --pairs: these models rotate adjacent pairs, others split halves. */
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
 * Fail for models without rotary positions (unless they give a base), and with
 * a scaling that is not known.
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
		return config_bad(c, "alibi", "is true: the model uses ALiBi "
				  "instead of rotary positions");
	if (!base && model_is(c, without))
		return config_bad(c, "model_type", "names a model without "
				  "rotary positions");
	if (config_found(c, "rope_ratio"))
		return config_bad(c, "rope_ratio", "has a meaning that depends "
				  "on the model; give the options of rope "
				  "instead");
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

static bool put_options(const struct config *c)
{
	const struct scaling_name *scaling = find_scaling(c);

	return scaling && put_base(c) &&
	       put_dims(c, strcmp(scaling->kind, "proportional") == 0) &&
	       put_pairs(c) && put_scaling(c, scaling) && !c->err->text[0];
}

static bool layers_differ(const struct config *c, const char *type)
{
	return fail_file(c->err, c->path, "layer types differ; choose one, "
			 "such as --config FILE:%.60s", type);
}

static bool no_layers(const struct config *c)
{
	return fail_file(c->err, c->path, "no layers of type '%.60s'",
			 c->layers);
}

/* Whether there is an object for each of several layer types. */
static bool typed(const struct config *c)
{
	return c->rope && c->rope->child && cJSON_IsObject(c->rope->child);
}

/* Choose the object of c->layers. */
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
 * The other way: layers with a window have a base of their own, under the key
 * local, and no scaling (ModernBERT, Gemma 3).
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

/* Find the objects of the model and its rotary positions. */
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

/*
 * Cut path, "FILE:TYPE" unless a file of that name exists, to FILE; TYPE or
 * NULL.
 */
static const char *split(char *path)
{
	char *colon = strrchr(path, ':');

	if (!colon || access(path, F_OK) == 0)
		return NULL;
	*colon = '\0';
	return colon + 1;
}

bool config_read(const char *path, struct table *owner, char **options,
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
	good = root && choose(&c, root) && put_options(&c);
	*options = good ? c.line->text : NULL;
	cJSON_Delete(root);
	return good;
}
