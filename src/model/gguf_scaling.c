/* gguf_scaling.c: the scaling that GGUF keys and tensors of factors say. */
#include <cJSON.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "exact/floating.h"
#include "model/rotary.h"

enum { LINE_ROOM = 512 };

/* What the scaling of frequencies is made of. */
struct parts {
	const char *type;        /* "linear", "yarn", "none", "longrope" */
	double factor;           /* from the original context to the new */
	double original;         /* the original context; 0: not needed */
	double attention;        /* factor of cosines and sines; 0: by type */
	const cJSON *divisors;   /* of all lengths, or NULL */
	const cJSON *near, *far; /* up to the original context, and beyond */
	size_t pairs;
};

/* The kind of scaling, "linear" where the file has none. */
static bool read_type(const struct config *c, struct parts *p)
{
	static const char *const types[] = {
		"none", "linear", "yarn", "longrope",
	};
	const cJSON *value = config_value(c, "rope.scaling.type");

	p->type = "linear";
	if (!value)
		return true;
	if (!cJSON_IsString(value))
		return config_fail(c, value, "expected a string, got %s",
				   config_kind_of(value));
	for (size_t i = 0; i < sizeof types / sizeof *types; i++)
		if (config_equals(value, types[i])) {
			p->type = types[i];
			return true;
		}
	return config_fail(c, value, "expected none, linear, yarn or longrope, "
			   "got '%.40s'", value->valuestring);
}

static bool is(const struct parts *p, const char *type)
{
	return strcmp(p->type, type) == 0;
}

/* The factor, by its new name or its old one; 0 and none mean 1. */
static bool read_factor(struct config *c, struct parts *p)
{
	static const char keys[] = "rope.scaling.factor|rope.scale_linear";
	const cJSON *value = config_value(c, keys);

	p->factor = 1;
	if (!value || config_equals(value, "0"))
		return true;
	if (!config_agree(c, keys) ||
	    !config_within(c, value, 1e-3, 1e9, &p->factor))
		return false;
	if (!is(p, "none") || !config_differs(p->factor, 1))
		return true;
	p->factor = 1;
	return config_note(c, "%s has no effect: rope.scaling.type is none",
			   value->string);
}

/* A list of a divisor for each pair, or NULL. */
static bool read_list(const struct config *c, const char *name, size_t pairs,
		      const cJSON **list)
{
	double x;

	*list = cJSON_GetObjectItemCaseSensitive(c->root, name);
	if (!*list)
		return true;
	if (cJSON_GetArraySize(*list) != (int)pairs)
		return config_fail(c, *list, "expected %zu values, one per "
				   "pair, got %d", pairs,
				   cJSON_GetArraySize(*list));
	for (const cJSON *o = (*list)->child; o; o = o->next) {
		x = o->valuedouble;
		if (!(x >= 1e-3 && x <= 1e9))
			return config_fail(c, *list, "expected values from "
					   "0.001 to 1e9, got %g", x);
	}
	return true;
}

static bool read_lists(const struct config *c, struct parts *p)
{
	if (!read_list(c, "rope_freqs.weight", p->pairs, &p->divisors) ||
	    !read_list(c, "rope_factors_short.weight", p->pairs, &p->near) ||
	    !read_list(c, "rope_factors_long.weight", p->pairs, &p->far))
		return false;
	if (!p->near != !p->far)
		return config_fail(c, p->near ? p->near : p->far, "expected "
				   "rope_factors_%s.weight beside it",
				   p->near ? "long" : "short");
	if (p->near && p->divisors)
		return config_fail(c, p->divisors, "expected either this or "
				   "rope_factors_long.weight and "
				   "rope_factors_short.weight");
	if (is(p, "longrope") && !p->near)
		return fail_file(c->err, c->path, "rope.scaling.type longrope "
				 "needs the tensors rope_factors_long.weight "
				 "and rope_factors_short.weight");
	return true;
}

/* The original context, which yarn and the long factors need. */
static bool read_original(struct config *c, struct parts *p)
{
	static const char key[] = "rope.scaling.original_context_length";
	const cJSON *own = config_value(c, key);
	const cJSON *value = own ? own : config_value(c, "context_length");

	if (!is(p, "yarn") && !p->near)
		return true;
	if (!value)
		return rotary_missing(c, key);
	return config_whole(c, value, 1, 0x1p53, &p->original) &&
	       (own || config_note(c, "%.60s.%s not in the file: "
				   "context_length %.0f", c->type, key,
				   p->original));
}

/* YaRN's temperature: 0.1 m ln F + 1 */
static double temperature(double factor, double m)
{
	return factor > 1 ? 0.1 * m * floating_log(factor) + 1 : 1;
}

/* What YaRN multiplies cosines and sines by, before attn_factor. */
static bool read_temperature(struct config *c, const struct parts *p,
			     double *x)
{
	static const char key[] = "rope.scaling.yarn_log_multiplier";
	const cJSON *value = config_value(c, key);
	double all = 0;

	*x = temperature(p->factor, 1);
	if (value && !config_within(c, value, 0, 1e6, &all))
		return false;
	if (all > 0 && !c->row->reads)
		return config_fail(c, value, "llama.cpp does not read it for "
				   "%.60s, so its effect is unknown", c->type);
	if (!c->row->reads)
		return true;
	/* DeepSeek: the logits are multiplied by the temperature instead */
	if (c->row->head_key && !value)
		return rotary_missing(c, key);
	*x = c->row->head_key ? 1 : *x / temperature(p->factor, all);
	return true;
}

/* The factor of cosines and sines. */
static bool read_attention(struct config *c, struct parts *p)
{
	const cJSON *value = config_value(c, "rope.scaling.attn_factor");
	double x = 1;

	p->attention = 1;
	if (value && !config_within(c, value, 1e-6, 1e6, &p->attention))
		return false;
	if (is(p, "yarn") && !read_temperature(c, p, &x))
		return false;
	p->attention *= x;
	return true;
}

/* Keys that switch parts of YaRN on or off, where they change something. */
static bool check_switches(const struct config *c, const struct parts *p)
{
	const cJSON *mix = config_value(c, "rope.scaling.yarn_ext_factor");
	const cJSON *more = config_value(c, "rope.scaling.yarn_attn_factor");
	double x;

	if (mix && (!config_number(c, mix, -1e9, &x) ||
		    (x >= 0 && config_differs(x, is(p, "yarn")) &&
		     !config_fail(c, mix, "expected %d, as rope.scaling.type "
				  "%s has it, got %g", is(p, "yarn"), p->type,
				  x))))
		return false;
	return !more || (config_number(c, more, -1e9, &x) &&
			 (x < 0 || !config_differs(x, 1) ||
			  config_fail(c, more, "versions of llama.cpp differ "
				      "in whether they read it")));
}

/* The list of divisors, each times a factor. */
static void put_list(struct scaling_line *l, const char *before,
		     const cJSON *list, double factor)
{
	for (const cJSON *o = list->child; o; o = o->next)
		scaling_put(l, o == list->child ? before : ":",
		    o->valuedouble * factor);
}

/* A bound of YaRN's ramp: the file's, or llama.cpp's. */
static bool read_bound(struct config *c, const char *key, double initial,
		       double *x)
{
	const cJSON *value = config_value(c, key);

	*x = initial;
	return value ? config_within(c, value, 1e-6, 1e6, x)
		     : rotary_assume(c, key, initial);
}

/* The pair, a fraction, that rotates so often within the original context. */
static double pair_of(const struct parts *p, double base, double rotations)
{
	const double turns = p->original / (6.283185307179586 * rotations);

	return (double)p->pairs * log(turns) / log(base);
}

static bool put_yarn(struct config *c, const struct parts *p, double base,
		     struct scaling_line *l)
{
	double fast, slow;

	if (!read_bound(c, "rope.scaling.yarn_beta_fast",
			c->row->fast > 0 ? c->row->fast : 32, &fast) ||
	    !read_bound(c, "rope.scaling.yarn_beta_slow", 1, &slow))
		return false;
	if (base > 1 && fmax(floor(pair_of(p, base, fast)), 0) >
	    fmin(ceil(pair_of(p, base, slow)), 2 * (double)p->pairs - 1))
		return fail_file(c->err, c->path, "YaRN's ramp between "
				 "frequencies is empty: llama.cpp and "
				 "transformers differ");
	l->n = (size_t)snprintf(l->text, l->room, "yarn");
	scaling_put(l, ":", p->factor);
	scaling_put(l, ",", p->original);
	scaling_put(l, ",fast=", fast);
	scaling_put(l, ",slow=", slow);
	if (p->divisors)
		put_list(l, ",divisors=", p->divisors, 1);
	return true;
}

/* Write the scaling: "" where it changes nothing. */
static bool write_scaling(struct config *c, const struct parts *p, double base,
			  struct scaling_line *l)
{
	const bool yarn = is(p, "yarn");

	if (yarn && p->near)
		return config_fail(c, p->near, "no such factors are known "
				   "beside YaRN");
	if (yarn && !put_yarn(c, p, base, l))
		return false;
	if (!yarn && (p->near || p->divisors))
		l->n = (size_t)snprintf(l->text, l->room, "longrope:");
	if (!yarn && p->near) {
		scaling_put(l, "1,", p->original);
		put_list(l, ",short=", p->near, p->factor);
		put_list(l, ",long=", p->far, p->factor);
	} else if (!yarn && p->divisors) {
		put_list(l, "short=", p->divisors, p->factor);
	} else if (!yarn && config_differs(p->factor, 1)) {
		l->n = (size_t)snprintf(l->text, l->room, "linear");
		scaling_put(l, ":", p->factor);
	}
	if (!l->n && config_differs(p->attention, 1))
		l->n = (size_t)snprintf(l->text, l->room, "none:");
	if (l->n && config_differs(p->attention, yarn
				   ? temperature(p->factor, 1) : 1))
		scaling_put(l, &",attention_factor="[l->text[l->n - 1] == ':'],
		    p->attention);
	return true;
}

/* Layers with a window that has a base of its own have no other scaling. */
static bool check_unscaled(const struct config *c, const struct parts *p)
{
	return (!is(p, "yarn") && !p->near && !p->divisors) ||
	       c->row->layers == LAYERS_OLMO3 ||
	       fail_file(c->err, c->path, "it is not known whether the "
			 "sliding_attention layers of %.60s are scaled so",
			 c->type);
}

bool gguf_scaling(struct config *c, struct rotary_positions *r)
{
	struct parts p = { .pairs = (size_t)(r->dims / 2) };
	struct scaling_line line = {
		.room = LINE_ROOM + 2 * p.pairs * CONFIG_NUMBER,
	};

	if (!read_type(c, &p) || !read_factor(c, &p) || !read_lists(c, &p))
		return false;
	if (gguf_is_sliding(c) && (c->row->layers == LAYERS_OLMO3 ||
			      c->row->layers == LAYERS_OWN_BASE))
		return check_unscaled(c, &p);
	if (!read_original(c, &p) || !read_attention(c, &p) ||
	    !check_switches(c, &p))
		return false;
	line.text = table_alloc(c->owner, line.room, 1, c->err);
	if (!line.text || !write_scaling(c, &p, r->base, &line))
		return false;
	r->scaling = line.n ? line.text : NULL;
	return true;
}
