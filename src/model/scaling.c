/* scaling.c: the scaling of rotary frequencies that a configuration says. */
#include <cJSON.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "model/key.h"
#include "model/rotary.h"

const struct scaling_kind scaling_kinds[SCALING_KINDS] = {
	{ .type = "default", .name = "none", .flag = "none", .gguf = "none" },
	{ .type = "mrope", .name = "none" },
	{ .type = "ernie_3d", .name = "none", .own = true },
	{ .type = "linear", .name = "linear", .factor = true,
	  .flag = "linear", .gguf = "linear" },
	{ .type = "dynamic", .name = "dynamic", .factor = true,
	  .original = true },
	{ .type = "xdrope", .name = "dynamic", .factor = true,
	  .original = true, .own = true },
	{ .type = "ntk", .name = "ntk-fixed", .factor = true, .own = true,
	  .flag = "none", .gguf = "none" },
	{ .type = "yarn", .name = "yarn", .factor = true, .original = true,
	  .flag = "yarn", .gguf = "yarn" },
	{ .type = "deepseek_yarn", .name = "deepseek_yarn", .factor = true,
	  .original = true, .only = "vLLM", .flag = "yarn", .gguf = "yarn" },
	{ .type = "telechat3-yarn", .name = "telechat3-yarn", .factor = true,
	  .original = true, .only = "vLLM", .flag = "yarn", .gguf = "yarn" },
	{ .type = "llama3", .name = "llama3", .factor = true,
	  .original = true, .flag = "none", .gguf = "none" },
	{ .type = "longrope", .name = "longrope", .factor = true,
	  .original = true, .gguf = "longrope" },
	{ .type = "su", .name = "longrope", .factor = true, .original = true },
	{ .type = "proportional", .name = "proportional" },
	/* Of dynamic with alpha: a base */
	{ .type = "dynamic", .name = "ntk", .flag = "none", .gguf = "none" },
};

static const char yarns[] = "yarn deepseek_yarn telechat3-yarn";

const struct scaling_number scaling_numbers[SCALING_NUMBERS] = {
#define OF(field) offsetof(struct rotary_scaling, field)
	{ "", "", OF(factor), KEY_FACTOR, false, 0 },
	{ "", "", OF(original), KEY_ORIGINAL, false, 0 },
	{ "fast", yarns, OF(fast), KEY_FAST, false, 32 },
	{ "slow", yarns, OF(slow), KEY_SLOW, false, 1 },
	{ "low", "llama3", OF(low), KEY_LOW, true, 0 },
	{ "high", "llama3", OF(high), KEY_HIGH, true, 0 },
	{ "attention_factor", "yarn deepseek_yarn telechat3-yarn longrope",
	  OF(attention), KEY_ATTENTION, false, 0 },
	{ "mscale", "yarn deepseek_yarn", OF(mscale), KEY_MSCALE, false, 0 },
	{ "mscale_all_dim", "yarn deepseek_yarn", OF(mscale_all),
	  KEY_MSCALE_ALL, false, 0 },
	{ "mixed_b", "ntk-fixed", OF(mixed), KEY_MIXED, false, 0 },
	{ "short_mscale", "longrope", OF(short_mscale), KEY_SHORT_MSCALE,
	  false, 0 },
	{ "long_mscale", "longrope", OF(long_mscale), KEY_LONG_MSCALE, false,
	  0 },
#undef OF
};

enum { LINE = 512 };  /* bytes of a scaling without lists */

double *scaling_field(const struct scaling_number *n,
		      struct rotary_scaling *s)
{
	return (double *)(void *)((char *)s + n->at);
}

/* The value of --scaling while it is written, "yarn:4,8192,fast=32". */
struct line {
	char *text;
	size_t n, room;
	bool begun;    /* a value stands behind the kind */
};

static void put_text(struct line *l, const char *name, const char *value)
{
	l->n += (size_t)snprintf(l->text + l->n, l->room - l->n, "%c%s%s%s",
				 l->begun ? ',' : ':', name, name[0] ? "=" : "",
				 value);
	l->begun = true;
}

static void put(struct line *l, const char *name, double x)
{
	char text[CONFIG_NUMBER];

	if (x > 0)
		put_text(l, name, config_digits(x, text));
}

static void put_list(struct line *l, const char *name, const double *list,
		     size_t n)
{
	char text[CONFIG_NUMBER];

	if (!list)
		return;
	put_text(l, name, config_digits(list[0], text));
	for (size_t i = 1; i < n; i++)
		l->n += (size_t)snprintf(l->text + l->n, l->room - l->n, ":%s",
					 config_digits(list[i], text));
}

bool scaling_write(struct config *c, struct rotary_positions *r)
{
	const struct rotary_scaling *s = &r->scale;
	const size_t pairs = (size_t)(r->dims / 2);
	struct line l = {
		.room = LINE + 2 * (pairs * CONFIG_NUMBER),
	};

	r->scaling = NULL;
	if (!s->kind)
		return true;
	l.text = table_alloc(c->owner, l.room, 1, c->err);
	if (!l.text)
		return false;
	l.n = (size_t)snprintf(l.text, l.room, "%s", s->kind);
	for (size_t i = 0; i < SCALING_NUMBERS; i++)
		put(&l, scaling_numbers[i].name,
		    *scaling_field(&scaling_numbers[i], &r->scale));
	if (s->sharp)
		put_text(&l, "truncate", "false");
	put_list(&l, strcmp(s->kind, "yarn") == 0 ? "divisors" : "short",
		 s->near, pairs);
	put_list(&l, "long", s->far, pairs);
	r->scaling = l.text;
	return true;
}

/* Keys of a scaling must not stand there without its type. */
static bool check_unscaled(const struct config *c)
{
	static const char others[] = "rope_theta partial_rotary_factor "
				     "mrope_section mrope_interleaved";

	for (const cJSON *o = c->rope->child; o; o = o->next)
		if (!cJSON_IsNull(o) && !text_has_word(others, o->string, " "))
			return config_fail(c, o, "expected rope_type beside "
					   "it");
	return true;
}

/* Whether the class reads a key of the scaling that others do not. */
static bool class_reads(const struct config *c, const char *key)
{
	return c->row->reads && text_has_word(c->row->reads, key, " ");
}

/* The kind of c->rope; NULL with an error. */
static const struct scaling_kind *kind_of(const struct config *c)
{
	const cJSON *type = config_at(c->rope, "rope_type");
	const cJSON *old = config_at(c->rope, "type");

	if (type && old && !cJSON_Compare(type, old, true) &&
	    !config_equals(old, "mrope")) {
		config_fail(c, old, "differs from rope_type");
		return NULL;
	}
	type = type ? type : old;
	if (!type)
		return check_unscaled(c) ? scaling_kinds : NULL;
	for (const struct scaling_kind *k = scaling_kinds;
	     k < scaling_kinds + SCALING_KINDS; k++)
		if (config_equals(type, k->type) &&
		    (!k->own || class_reads(c, k->type)))
			return k;
	if (cJSON_IsString(type))
		config_fail(c, type, "expected default, linear, dynamic, yarn, "
			    "llama3, longrope or proportional, got '%.40s'",
			    type->valuestring);
	else
		config_fail(c, type, "expected a string");
	return NULL;
}

static bool missing(const struct config *c, const char *key)
{
	return config_fail(c, c->rope, "expected %s, which is missing", key);
}

/* The lengths before and after scaling; 0: not in the file. */
struct lengths {
	const cJSON *inside;    /* of the scaling */
	const cJSON *above;     /* at the top of the model */
	double original, most;
};

static bool is(const struct rotary_scaling *s, const char *kind)
{
	return s->kind && strcmp(s->kind, kind) == 0;
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
static bool check_lengths(const struct config *c,
			  const struct rotary_scaling *s,
			  const struct lengths *l)
{
	if (l->inside && l->above) {
		if (config_differs(l->above->valuedouble,
				   l->inside->valuedouble))
			return disagree(c, l->inside, "one of this and the one "
					"at the top", "the other");
		return true;
	}
	if (!c->row->types || class_reads(c, "original") ||
	    !config_differs(l->original, l->most))
		return true;
	if (is(s, "longrope") && l->inside)
		return disagree(c, l->inside, "max_position_embeddings",
				"this");
	if (is(s, "yarn") && l->above)
		return disagree(c, l->above, "max_position_embeddings",
				"this");
	return true;
}

static bool read_length(const struct config *c, const cJSON *value, double *x)
{
	return !value || config_whole(c, value, 1, 0x1p53, x);
}

static bool read_lengths(struct config *c, const struct rotary_scaling *s,
			 struct lengths *l)
{
	static const char key[] = "original_max_position_embeddings";
	const cJSON *longest = config_at(c->model, "max_position_embeddings");

	*l = (struct lengths){ config_at(c->rope, key),
			       config_at(c->model, key), 0, 0 };
	if (!read_length(c, longest, &l->most) ||
	    !read_length(c, l->inside, &l->original) ||
	    !read_length(c, l->above, &l->original))
		return false;
	if (c->row->original > 0 && !l->above && is(s, "longrope")) {
		l->original = c->row->original;
		return config_note(c, "%s not at the top of the file: "
				   "transformers' %s default %d", key, c->type,
				   c->row->original);
	}
	return is(s, "dynamic") || check_lengths(c, s, l);
}

/* What kinds take for an L that the file does not have. */
static bool assume_length(struct config *c, const struct rotary_scaling *s,
			  struct lengths *l)
{
	const bool dynamic = is(s, "dynamic");

	if (dynamic)
		l->original = l->most;
	if (l->original > 0)
		return true;
	if (l->most > 0 && !is(s, "llama3")) {
		l->original = l->most;
		return config_note(c, "original_max_position_embeddings not in "
				   "the file: max_position_embeddings %.0f",
				   l->most);
	}
	return missing(c, dynamic ? "max_position_embeddings"
				  : "original_max_position_embeddings");
}

/*
 * Transformers of March to August 2025 (4.50 to 4.55) divided lengths in place
 * of reading YaRN's factor.
 */
static bool note_ratio(struct config *c, const struct lengths *l,
		       double factor)
{
	const double ratio = l->original > 0 ? l->most / l->original : 0;
	char text[CONFIG_NUMBER];

	if (!l->inside || !(ratio > 0) || !config_differs(factor, ratio))
		return true;
	return config_note(c, "transformers of March to August 2025 took "
			   "max_position_embeddings / "
			   "original_max_position_embeddings, %s, for the "
			   "factor of yarn", config_digits(ratio, text));
}

/* How many times longer the context becomes. */
static bool read_factor(struct config *c, const struct scaling_kind *kind,
			const struct lengths *l, struct rotary_scaling *s)
{
	const cJSON *value = config_at(c->rope, "factor");
	const double ratio = l->original > 0 ? l->most / l->original : 0;
	const cJSON *null = cJSON_GetObjectItemCaseSensitive(c->rope,
							     "factor");

	if (!key_number(c, KEY_FACTOR, &s->factor))
		return false;
	if (is(s, "longrope") && value && l->above && c->row->types &&
	    config_differs(s->factor, ratio))
		return disagree(c, value, "max_position_embeddings / "
				"original_max_position_embeddings", "this");
	if (is(s, "yarn") && value)
		return note_ratio(c, l, s->factor);
	/* Its classes divide the lengths */
	if (is(s, "longrope") && !value)
		s->factor = ratio;
	if (is(s, "yarn") && null && ratio > 0) {
		s->factor = ratio;
		return config_note(c, "factor is null: "
				   "max_position_embeddings / "
				   "original_max_position_embeddings");
	}
	return s->factor > 0 || !kind->factor || missing(c, "factor");
}

static bool read_parameters(struct config *c, struct rotary_scaling *s)
{
	for (size_t i = 0; i < SCALING_NUMBERS; i++) {
		const struct scaling_number *p = &scaling_numbers[i];
		double *x = scaling_field(p, s);
		const bool there = key_value(c, p->key);

		if (!text_has_word(p->kinds, s->kind, " "))
			continue;
		if (!there && p->required)
			return missing(c, key_names(c, p->key));
		if (p->key == KEY_ATTENTION && !there)
			*x = c->row->attention;
		if (!key_number(c, p->key, x))
			return false;
		if (!(*x > 0) && p->initial > 0 &&
		    !config_note(c, "%s %s in %s: default %g",
				 key_names(c, p->key), there ? "is 0" : "not",
				 c->rope->string, p->initial))
			return false;
	}
	return true;
}

/* yarn's mscale counts only beside mscale_all_dim. */
static bool check_mscale(struct config *c, struct rotary_scaling *s)
{
	if (!(s->mscale > 0) == !(s->mscale_all > 0))
		return true;
	s->mscale = s->mscale_all = 0;
	return config_note(c, "mscale and mscale_all_dim have an effect only "
			   "together");
}

static bool read_truncate(const struct config *c, struct rotary_scaling *s)
{
	bool truncate = true;

	if (!key_flag(c, KEY_TRUNCATE, &truncate))
		return false;
	s->sharp = !truncate;
	return !s->sharp || !config_layers_are(c, c->rope->string) ||
	       config_fail(c, key_value(c, KEY_TRUNCATE), "transformers does "
			   "not read it for layers of one type");
}

/* A list of longrope: a divisor for each pair. */
static bool read_list(const struct config *c, enum key key, double pairs,
		      const double **list)
{
	const cJSON *value = key_value(c, key);
	double *x;

	if (!value)
		return missing(c, key_names(c, key));
	if (!cJSON_IsArray(value))
		return config_fail(c, value, "expected an array of numbers");
	if (cJSON_GetArraySize(value) != (int)pairs)
		return config_fail(c, value, "expected %.0f numbers, one per "
				   "pair, got %d", pairs,
				   cJSON_GetArraySize(value));
	*list = x = table_alloc(c->owner, (size_t)pairs, sizeof *x, c->err);
	for (const cJSON *o = value->child; x && o; o = o->next)
		if (!config_within(c, o, 1e-3, 1e9, x++))
			return false;
	return x;
}

/* "alpha" of Hunyuan: the base is multiplied by alpha^(d / (d - 2)). */
static bool read_alpha(struct config *c, struct rotary_scaling *s)
{
	double most;

	s->kind = "ntk";
	if (!key_number(c, KEY_ALPHA, &s->factor) ||
	    !config_find(c, "max_position_embeddings", 0, 1, &most))
		return false;
	if (most > 0)
		return config_note(c, "alpha holds for positions below "
				   "max_position_embeddings, %.0f", most);
	return true;
}

static bool read_kind(struct config *c, const struct scaling_kind *kind,
		      struct rotary_positions *r)
{
	struct rotary_scaling *s = &r->scale;
	struct lengths l;

	s->kind = kind->name;
	if (is(s, "dynamic") && key_value(c, KEY_ALPHA))
		return read_alpha(c, s);
	if (!read_lengths(c, s, &l) ||
	    (kind->original && !assume_length(c, s, &l)) ||
	    !read_factor(c, kind, &l, s))
		return false;
	s->original = kind->original ? l.original : 0;
	return read_parameters(c, s) &&
	       (!is(s, "yarn") || check_mscale(c, s)) &&
	       (!text_has_word(yarns, s->kind, " ") || read_truncate(c, s)) &&
	       (!is(s, "longrope") ||
		(read_list(c, KEY_SHORT, r->dims / 2, &s->near) &&
		 read_list(c, KEY_LONG, r->dims / 2, &s->far)));
}

/* The class's scaling, where the file has none. */
static bool assume_scaling(struct config *c, struct rotary_positions *r)
{
	const struct rotary_scaling *own = c->row->scaling;

	if (!rotary_sections(c, r) || !own)
		return !c->err->text[0];
	r->scale = *own;
	if (key_is_own(c, KEY_FACTOR))
		return key_number(c, KEY_FACTOR, &r->scale.factor) &&
		       key_assume(c, KEY_ORIGINAL, c->row->original,
				  &r->scale.original) && scaling_write(c, r);
	if (!scaling_write(c, r))
		return false;
	if (config_is_null(c, "rope_scaling"))
		return fail_file(c->err, c->path, "rope_scaling is null: "
				 "transformers 4 does not scale, transformers "
				 "5 takes the class's scaling %s", r->scaling);
	if (config_layers_are(c, "sliding_attention") &&
	    c->row->local_base > 0) {
		r->scale.kind = r->scaling = NULL;
		return true;
	}
	return config_note(c, "rope_parameters not in the file: transformers' "
			   "%s default scaling %s", c->type, r->scaling);
}

/* Keys that only some classes read. */
static bool check_own_keys(const struct config *c)
{
	static const char *const own[] = {
		"alpha", "short_mscale", "long_mscale"
	};

	for (size_t i = 0; i < sizeof own / sizeof *own; i++)
		if (config_at(c->rope, own[i]) && !class_reads(c, own[i]))
			return config_fail(c, config_at(c->rope, own[i]), "%s "
					   "does not read it, so its effect is "
					   "unknown", c->type ? c->type :
					   "a file without model_type");
	return true;
}

/* A factor beside rope_type default scales nothing. */
static bool note_unscaled(struct config *c)
{
	const cJSON *factor = config_at(c->rope, "factor");

	return !factor || config_equals(factor, "1") ||
	       config_note(c, "factor in %s has no effect: its rope_type is "
			   "%s", c->rope->string,
			   config_at(c->rope, "rope_type|type")->valuestring);
}

bool rotary_scaling(struct config *c, struct rotary_positions *r)
{
	const struct scaling_kind *kind;

	if (c->row == &params_model)
		return params_scaling(c, r);
	if (!c->rope)
		return assume_scaling(c, r);
	kind = kind_of(c);
	if (!kind || !rotary_sections(c, r))
		return false;
	if (strcmp(kind->name, "none") == 0)
		return note_unscaled(c);
	if (c->row->fixed)
		return config_fail(c, c->rope, "%s does not read it: its code "
				   "has the frequencies of the base %g",
				   rotary_name(c), c->row->base);
	if (kind->only &&
	    !config_note(c, "rope_type %s is of %s: transformers does not "
			 "know it", kind->type, kind->only))
		return false;
	if (config_at(c->rope, "llama_4_scaling_beta") &&
	    !config_equals(config_at(c->rope, "llama_4_scaling_beta"), "0") &&
	    !config_note(c, "queries are also multiplied by 1 + beta ln(1 + "
			 "floor(p / L)) (llama_4_scaling_beta)"))
		return false;
	return check_own_keys(c) && read_kind(c, kind, r) &&
	       scaling_write(c, r);
}
