/* gguf_scaling.c: the scaling that GGUF keys and tensors of factors say. */
#include <cJSON.h>
#include <math.h>
#include <string.h>

#include "exact/yarn.h"
#include "model/key.h"
#include "model/rotary.h"

/* What the scaling of frequencies is made of. */
struct parts {
	const char *type;        /* "linear", "yarn", "none", "longrope" */
	double factor;           /* from the original context to the new */
	double attention;        /* factor of cosines and sines */
	double *divisors;        /* [pairs], of all lengths, or NULL */
	double *near, *far;      /* up to the original context, and beyond */
	size_t pairs;
};

/* The kind of scaling, "linear" where the file has none. */
static bool read_type(const struct config *c, struct parts *p)
{
	static const char *const types[] = {
		"none", "linear", "yarn", "longrope",
	};
	const cJSON *value = key_value(c, KEY_SCALING);

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
	const cJSON *value = key_value(c, KEY_FACTOR);

	p->factor = 1;
	if (!value || config_equals(value, "0"))
		return true;
	if (!config_agree(c, key_names(c, KEY_FACTOR)) ||
	    !key_number(c, KEY_FACTOR, &p->factor))
		return false;
	if (!is(p, "none") || !config_differs(p->factor, 1))
		return true;
	p->factor = 1;
	return config_note(c, "%s has no effect: rope.scaling.type is none",
			   value->string);
}

/* A list of a divisor for each pair; *list stays NULL if there is none. */
static bool read_list(const struct config *c, const char *name, size_t pairs,
		      double **list)
{
	const cJSON *all = cJSON_GetObjectItemCaseSensitive(c->root, name);
	double *x;

	if (!all)
		return true;
	if (cJSON_GetArraySize(all) != (int)pairs)
		return config_fail(c, all, "expected %zu values, one per "
				   "pair, got %d", pairs,
				   cJSON_GetArraySize(all));
	*list = x = table_alloc(c->owner, pairs, sizeof *x, c->err);
	for (const cJSON *o = all->child; x && o; o = o->next) {
		*x = o->valuedouble;
		if (!(*x >= 1e-3 && *x <= 1e9))
			return config_fail(c, all, "expected values from "
					   "0.001 to 1e9, got %g", *x);
		x++;
	}
	return *list;
}

static bool read_lists(const struct config *c, struct parts *p)
{
	static const char near[] = "rope_factors_short.weight";
	static const char far[] = "rope_factors_long.weight";
	static const char all[] = "rope_freqs.weight";

	if (!read_list(c, all, p->pairs, &p->divisors) ||
	    !read_list(c, near, p->pairs, &p->near) ||
	    !read_list(c, far, p->pairs, &p->far))
		return false;
	if (!p->near != !p->far)
		return fail_file(c->err, c->path, "%s: expected %s beside it",
				 p->near ? near : far, p->near ? far : near);
	if (p->near && p->divisors)
		return fail_file(c->err, c->path, "%s: expected either this or "
				 "%s and %s", all, far, near);
	if (is(p, "longrope") && !p->near)
		return fail_file(c->err, c->path, "rope.scaling.type longrope "
				 "needs the tensors %s and %s", far, near);
	return true;
}

/* The original context, which yarn and the long factors need. */
static bool read_original(struct config *c, const struct parts *p,
			  double *original)
{
	if (!is(p, "yarn") && !p->near)
		return true;
	if (key_value(c, KEY_ORIGINAL))
		return key_number(c, KEY_ORIGINAL, original);
	if (!key_value(c, KEY_CONTEXT))
		return key_missing(c, KEY_ORIGINAL);
	return key_number(c, KEY_CONTEXT, original) &&
	       config_note(c, "%.60s.%s not in the file: context_length %.0f",
			   c->type, keys[KEY_ORIGINAL].gguf, *original);
}

/* What YaRN multiplies cosines and sines by, before attn_factor. */
static bool read_temperature(struct config *c, const struct parts *p,
			     double *x)
{
	const cJSON *value = key_value(c, KEY_LOG_MULTIPLIER);
	double all = 0;

	*x = yarn_temperature(p->factor, 1);
	if (!key_number(c, KEY_LOG_MULTIPLIER, &all))
		return false;
	if (all > 0 && !c->row->reads)
		return config_fail(c, value, "llama.cpp does not read it for "
				   "%.60s, so its effect is unknown", c->type);
	if (!c->row->reads)
		return true;
	/* DeepSeek: the logits are multiplied by the temperature instead */
	if (key_is_own(c, KEY_HEAD) && !value)
		return key_missing(c, KEY_LOG_MULTIPLIER);
	*x = key_is_own(c, KEY_HEAD)
	     ? 1 : *x / yarn_temperature(p->factor, all);
	return true;
}

/* The factor of cosines and sines. */
static bool read_attention(struct config *c, struct parts *p)
{
	double x = 1;

	p->attention = 1;
	if (!key_number(c, KEY_ATTENTION, &p->attention) ||
	    (is(p, "yarn") && !read_temperature(c, p, &x)))
		return false;
	p->attention *= x;
	return true;
}

/* Keys that switch parts of YaRN on or off, where they change something. */
static bool check_switches(const struct config *c, const struct parts *p)
{
	double mix = -1, more = -1;

	if (!key_number(c, KEY_EXTRAPOLATION, &mix) ||
	    !key_number(c, KEY_YARN_ATTENTION, &more))
		return false;
	if (mix >= 0 && config_differs(mix, is(p, "yarn")))
		return config_fail(c, key_value(c, KEY_EXTRAPOLATION),
				   "expected %d, as rope.scaling.type %s has "
				   "it, got %g", is(p, "yarn"), p->type, mix);
	return more < 0 || !config_differs(more, 1) ||
	       config_fail(c, key_value(c, KEY_YARN_ATTENTION), "versions of "
			   "llama.cpp differ in whether they read it");
}

/* A bound of YaRN's ramp: the file's, or llama.cpp's. */
static bool read_bound(struct config *c, enum key k, double initial,
		       double *x)
{
	return key_assume(c, k, initial, x) &&
	       (*x > 0 || config_fail(c, key_value(c, k), "expected at least "
				      "1e-6, got %g", *x));
}

/* The pair, a fraction, that rotates so often within the original context. */
static double pair_of(const struct rotary_positions *r, double rotations)
{
	return yarn_pair(r->dims / 2, r->base, r->scale.original, rotations);
}

static bool read_yarn(struct config *c, const struct parts *p,
		      struct rotary_positions *r)
{
	struct rotary_scaling *s = &r->scale;

	if (p->near)
		return fail_file(c->err, c->path, "rope_factors_short.weight: "
				 "no such factors are known beside YaRN");
	if (!read_bound(c, KEY_FAST, c->row->fast > 0 ? c->row->fast : 32,
			&s->fast) ||
	    !read_bound(c, KEY_SLOW, 1, &s->slow))
		return false;
	if (r->base > 1 && fmax(floor(pair_of(r, s->fast)), 0) >
	    fmin(ceil(pair_of(r, s->slow)), r->dims - 1))
		return fail_file(c->err, c->path, "YaRN's ramp between "
				 "frequencies is empty: llama.cpp and "
				 "transformers differ");
	s->kind = "yarn";
	s->factor = p->factor;
	s->near = p->divisors;
	return true;
}

/* Multiply a list. */
static const double *times(double *list, size_t n, double factor)
{
	for (size_t i = 0; list && i < n; i++)
		list[i] *= factor;
	return list;
}

/* Scalings other than YaRN; what changes nothing is none. */
static void join(const struct parts *p, struct rotary_scaling *s)
{
	if (p->near || p->divisors) {
		s->kind = "longrope";
		s->factor = p->near ? 1 : 0;
		s->near = times(p->near ? p->near : p->divisors, p->pairs,
				p->factor);
		s->far = times(p->far, p->pairs, p->factor);
	} else if (config_differs(p->factor, 1)) {
		s->kind = "linear";
		s->factor = p->factor;
	} else if (config_differs(p->attention, 1)) {
		s->kind = "none";
	}
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
	struct rotary_scaling *s = &r->scale;

	if (!read_type(c, &p) || !read_factor(c, &p) || !read_lists(c, &p))
		return false;
	if (gguf_is_sliding(c) && (c->row->layers == LAYERS_OLMO3 ||
				   c->row->layers == LAYERS_OWN_BASE))
		return check_unscaled(c, &p);
	if (!read_original(c, &p, &s->original) || !read_attention(c, &p) ||
	    !check_switches(c, &p))
		return false;
	if (!is(&p, "yarn"))
		join(&p, s);
	else if (!read_yarn(c, &p, r))
		return false;
	if (config_differs(p.attention, is(&p, "yarn")
			   ? yarn_temperature(p.factor, 1) : 1))
		s->attention = p.attention;
	return scaling_write(c, r);
}
