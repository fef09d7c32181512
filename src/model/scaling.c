/* scaling.c: the scaling of rotary frequencies that a configuration says. */
#include <cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/rotary.h"
#include "text/words.h"

/* A kind by its name in files and in --scaling, and what it needs. */
static const struct kind {
	const char *type, *name;
	bool factor, original;
} kinds[] = {
	{ "default", "none", false, false },
	{ "mrope", "none", false, false },
	{ "linear", "linear", true, false },
	{ "dynamic", "dynamic", true, true },
	{ "yarn", "yarn", true, true },
	{ "llama3", "llama3", true, true },
	{ "longrope", "longrope", true, true },
	{ "su", "longrope", true, true },
	{ "proportional", "proportional", false, false },
};

/* A parameter of a kind by its name in files and in --scaling. */
static const struct parameter {
	const char *kind, *key, *name;
	bool required;
	double initial;   /* 0: there is none; else also that of 0 */
} parameters[] = {
	{ "yarn", "beta_fast", "fast", false, 32 },
	{ "yarn", "beta_slow", "slow", false, 1 },
	{ "yarn", "attention_factor", "attention_factor", false, 0 },
	{ "llama3", "low_freq_factor", "low", true, 0 },
	{ "llama3", "high_freq_factor", "high", true, 0 },
	{ "longrope", "attention_factor", "attention_factor", false, 0 },
	{ "longrope", "short_mscale", "short_mscale", false, 0 },
	{ "longrope", "long_mscale", "long_mscale", false, 0 },
};

enum {
	KINDS = sizeof kinds / sizeof *kinds,
	PARAMETERS = sizeof parameters / sizeof *parameters,
};

void scaling_put(struct scaling_line *s, const char *before, double x)
{
	char text[CONFIG_NUMBER];

	s->n += (size_t)snprintf(s->text + s->n, s->room - s->n, "%s%s", before,
				 config_digits(x, text));
}

/* Keys of a scaling must not stand there without its type. */
static bool check_unscaled(const struct config *c, const cJSON *rope)
{
	static const char others[] = "rope_theta partial_rotary_factor "
				     "mrope_section mrope_interleaved";

	for (const cJSON *o = rope->child; o; o = o->next)
		if (!cJSON_IsNull(o) && !text_has_word(others, o->string, " "))
			return config_fail(c, o, "expected rope_type beside "
					   "it");
	return true;
}

/* The kind of rope; NULL with an error. */
static const struct kind *kind_of(const struct config *c, const cJSON *rope)
{
	const cJSON *type = config_at(rope, "rope_type");
	const cJSON *old = config_at(rope, "type");

	if (type && old && !cJSON_Compare(type, old, true) &&
	    !config_equals(old, "mrope")) {
		config_fail(c, old, "differs from rope_type");
		return NULL;
	}
	type = type ? type : old;
	if (!type)
		return check_unscaled(c, rope) ? kinds : NULL;
	for (const struct kind *k = kinds; k < kinds + KINDS; k++)
		if (config_equals(type, k->type))
			return k;
	if (cJSON_IsString(type))
		config_fail(c, type, "expected default, linear, dynamic, yarn, "
			    "llama3, longrope or proportional, got '%.40s'",
			    type->valuestring);
	else
		config_fail(c, type, "expected a string");
	return NULL;
}

static bool missing(const struct config *c, const cJSON *rope, const char *key)
{
	return config_fail(c, rope, "expected %s, which is missing", key);
}

/* The lengths before and after scaling; 0: not in the file. */
struct lengths {
	const cJSON *inside;    /* of the scaling */
	const cJSON *above;     /* at the top of the model */
	double original, most;
};

static bool is(const struct kind *kind, const char *name)
{
	return strcmp(kind->name, name) == 0;
}

static bool disagree(const struct config *c, const cJSON *value,
		     const char *four, const char *five)
{
	return config_fail(c, value, "transformers 4 takes %s, transformers 5 "
			   "%s", four, five);
}

/*
 * Refuse an original length that versions of transformers read differently.
 * Version 4 takes the one of the scaling, for longrope the one at the top;
 * version 5 the one at the top before that of the scaling. Files without a
 * model type are read as by version 5, those of hub code as they are.
 */
static bool check_lengths(const struct config *c, const struct kind *kind,
			  const struct lengths *l)
{
	const bool reads = c->row->reads &&
			   text_has_word(c->row->reads, "original", " ");

	if (l->inside && l->above) {
		if (config_differs(l->above->valuedouble,
				   l->inside->valuedouble))
			return disagree(c, l->inside, "one of this and the one "
					"at the top", "the other");
		return true;
	}
	if (!c->row->types || reads || !config_differs(l->original, l->most))
		return true;
	if (is(kind, "longrope") && l->inside)
		return disagree(c, l->inside, "max_position_embeddings",
				"this");
	if (is(kind, "yarn") && l->above)
		return disagree(c, l->above, "max_position_embeddings",
				"this");
	return true;
}

static bool read_length(const struct config *c, const cJSON *value, double *x)
{
	return !value || config_whole(c, value, 1, 0x1p53, x);
}

static bool read_lengths(struct config *c, const cJSON *rope,
			 const struct kind *kind, struct lengths *l)
{
	static const char key[] = "original_max_position_embeddings";
	const cJSON *longest = config_at(c->model, "max_position_embeddings");

	*l = (struct lengths){ config_at(rope, key), config_at(c->model, key),
			       0, 0 };
	if (!read_length(c, longest, &l->most) ||
	    !read_length(c, l->inside, &l->original) ||
	    !read_length(c, l->above, &l->original))
		return false;
	if (c->row->original > 0 && !l->above && is(kind, "longrope")) {
		l->original = c->row->original;
		return config_note(c, "%s not at the top of the file: "
				   "transformers' %s default %d", key, c->type,
				   c->row->original);
	}
	return is(kind, "dynamic") || check_lengths(c, kind, l);
}

/* What kinds take for an L that the file does not have. */
static bool assume_length(struct config *c, const cJSON *rope,
			  const struct kind *kind, struct lengths *l)
{
	if (is(kind, "dynamic"))
		l->original = l->most;
	if (l->original > 0 || !kind->original)
		return true;
	if (l->most > 0 && !is(kind, "llama3")) {
		l->original = l->most;
		return config_note(c, "original_max_position_embeddings not in "
				   "the file: max_position_embeddings %.0f",
				   l->most);
	}
	return missing(c, rope, is(kind, "dynamic")
		       ? "max_position_embeddings"
		       : "original_max_position_embeddings");
}

/* How many times longer the context becomes. */
static bool read_factor(const struct config *c, const cJSON *rope,
			const struct kind *kind, const struct lengths *l,
			double *factor)
{
	const cJSON *value = config_at(rope, "factor");
	const double ratio = l->original > 0 ? l->most / l->original : 0;

	*factor = 0;
	if (value && !config_within(c, value, 1e-3, 1e9, factor))
		return false;
	if (is(kind, "longrope") && value && l->above && c->row->types &&
	    config_differs(*factor, ratio))
		return disagree(c, value, "max_position_embeddings / "
				"original_max_position_embeddings", "this");
	/* Its classes divide the lengths */
	if (is(kind, "longrope") && !value)
		*factor = ratio;
	if (*factor > 0 || !kind->factor)
		return true;
	return missing(c, rope, "factor");
}

static bool put_parameters(struct config *c, const cJSON *rope,
			   const struct kind *kind, struct scaling_line *line)
{
	char before[40];
	double x;

	for (const struct parameter *p = parameters;
	     p < parameters + PARAMETERS; p++) {
		const cJSON *value = config_at(rope, p->key);

		if (strcmp(p->kind, kind->name) != 0)
			continue;
		if (!value && p->required)
			return missing(c, rope, p->key);
		x = 0;
		if (value && !config_within(c, value, p->initial > 0 ? 0 : 1e-6,
					    1e6, &x))
			return false;
		snprintf(before, sizeof before, ",%s=", p->name);
		if (x > 0)
			scaling_put(line, before, x);
		else if (p->initial > 0 &&
			 !config_note(c, "%s %s in %s: default %g", p->key,
				      value ? "is 0" : "not", rope->string,
				      p->initial))
			return false;
	}
	return true;
}

/* yarn's mscale counts only beside mscale_all_dim. */
static bool put_mscale(struct config *c, const cJSON *rope,
		       struct scaling_line *line)
{
	const cJSON *mscale = config_at(rope, "mscale");
	const cJSON *all = config_at(rope, "mscale_all_dim");
	double x = 0, y = 0;

	if ((mscale && !config_within(c, mscale, 0, 1e6, &x)) ||
	    (all && !config_within(c, all, 0, 1e6, &y)))
		return false;
	if (x > 0 && y > 0) {
		scaling_put(line, ",mscale=", x);
		scaling_put(line, ",mscale_all_dim=", y);
		return true;
	}
	if (x > 0 || y > 0)
		return config_note(c, "mscale and mscale_all_dim have an "
				   "effect only together");
	return true;
}

static bool put_truncate(const struct config *c, const cJSON *rope,
			 struct scaling_line *line)
{
	const cJSON *truncate = config_at(rope, "truncate");

	if (truncate && !cJSON_IsBool(truncate))
		return config_fail(c, truncate, "expected true or false");
	if (!cJSON_IsFalse(truncate))
		return true;
	if (config_layers_are(c, rope->string))
		return config_fail(c, truncate, "transformers does not read it "
				   "for layers of one type");
	line->n += (size_t)snprintf(line->text + line->n, line->room - line->n,
				    ",truncate=false");
	return true;
}

/* A list of longrope: a divisor for each pair. */
static bool put_list(const struct config *c, const cJSON *rope,
		     const char *key, const char *before, double pairs,
		     struct scaling_line *line)
{
	const cJSON *list = config_at(rope, key);
	double x;

	if (!list)
		return missing(c, rope, key);
	if (!cJSON_IsArray(list))
		return config_fail(c, list, "expected an array of numbers");
	if (cJSON_GetArraySize(list) != (int)pairs)
		return config_fail(c, list, "expected %.0f numbers, one per "
				   "pair, got %d", pairs,
				   cJSON_GetArraySize(list));
	for (const cJSON *o = list->child; o; o = o->next) {
		if (!config_within(c, o, 1e-3, 1e9, &x))
			return false;
		scaling_put(line, o == list->child ? before : ":", x);
	}
	return true;
}

/* "alpha" of Hunyuan: the base is multiplied by alpha^(d / (d - 2)). */
static bool put_alpha(struct config *c, const cJSON *alpha,
		      struct scaling_line *line)
{
	double x, most;

	if (!config_within(c, alpha, 1e-3, 1e9, &x) ||
	    !config_find(c, "max_position_embeddings", 0, 1, &most))
		return false;
	scaling_put(line, "ntk:", x);
	if (most > 0)
		return config_note(c, "alpha holds for positions below "
				   "max_position_embeddings, %.0f", most);
	return true;
}

static bool write_kind(struct config *c, const cJSON *rope,
		       const struct kind *kind,
		       const struct rotary_positions *r,
		       struct scaling_line *line)
{
	struct lengths l;
	double factor;

	if (!read_lengths(c, rope, kind, &l) ||
	    !assume_length(c, rope, kind, &l) ||
	    !read_factor(c, rope, kind, &l, &factor))
		return false;
	line->n = (size_t)snprintf(line->text, line->room, "%s", kind->name);
	if (factor > 0)
		scaling_put(line, ":", factor);
	if (kind->original)
		scaling_put(line, ",", l.original);
	return put_parameters(c, rope, kind, line) &&
	       (!is(kind, "yarn") || (put_mscale(c, rope, line) &&
				      put_truncate(c, rope, line))) &&
	       (!is(kind, "longrope") ||
		(put_list(c, rope, "short_factor", ",short=", r->dims / 2,
			  line) &&
		 put_list(c, rope, "long_factor", ",long=", r->dims / 2,
			  line)));
}

/* The class's scaling, where the file has none. */
static bool assume_scaling(struct config *c, struct rotary_positions *r)
{
	const bool sliding = config_layers_are(c, "sliding_attention");

	if (!rotary_sections(c, NULL, r))
		return false;
	if (c->row->scaling && config_is_null(c, "rope_scaling"))
		return fail_file(c->err, c->path, "rope_scaling is null: "
				 "transformers 4 does not scale, transformers "
				 "5 takes the class's scaling %s",
				 c->row->scaling);
	r->scaling = sliding && c->row->local_base > 0 ? NULL
						       : c->row->scaling;
	if (r->scaling && strchr(r->scaling, '{')) {
		r->scaling = config_fill(c, r->scaling, strlen(r->scaling));
		return r->scaling;
	}
	if (!r->scaling)
		return true;
	return config_note(c, "rope_parameters not in the file: transformers' "
			   "%s default scaling %s", c->type, r->scaling);
}

/* Keys that only some classes read. */
static bool check_own_keys(const struct config *c, const cJSON *rope)
{
	static const char *const keys[] = {
		"alpha", "short_mscale", "long_mscale"
	};
	const char *reads = c->row->reads ? c->row->reads : "";

	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		if (config_at(rope, keys[i]) &&
		    !text_has_word(reads, keys[i], " "))
			return config_fail(c, config_at(rope, keys[i]), "%s "
					   "does not read it, so its effect is "
					   "unknown", c->type ? c->type :
					   "a file without model_type");
	return true;
}

bool rotary_scaling(struct config *c, const cJSON *rope,
		    struct rotary_positions *r)
{
	const struct kind *kind;
	struct scaling_line line = {
		.room = 512 + (size_t)r->dims * CONFIG_NUMBER,
	};
	const cJSON *alpha;

	if (!rope)
		return assume_scaling(c, r);
	kind = kind_of(c, rope);
	if (!kind || !rotary_sections(c, rope, r))
		return false;
	if (is(kind, "none"))
		return true;
	if (config_at(rope, "llama_4_scaling_beta") &&
	    !config_note(c, "queries are also multiplied by 1 + beta ln(1 + "
			 "floor(p / L)) (llama_4_scaling_beta)"))
		return false;
	if (!check_own_keys(c, rope))
		return false;
	line.text = table_alloc(c->owner, line.room, 1, c->err);
	r->scaling = line.text;
	if (!line.text)
		return false;
	alpha = is(kind, "dynamic") ? config_at(rope, "alpha") : NULL;
	return alpha ? put_alpha(c, alpha, &line)
		     : write_kind(c, rope, kind, r, &line);
}
