/* rotary.c: rotary positions: the base, the head, the pairs and the layers. */
#include <cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/key.h"
#include "model/rotary.h"
#include "text/words.h"

/* What rotary positions are read from, besides c->rope. */
struct source {
	bool parameters;      /* that is rope_parameters */
	bool sliding;         /* layers with a window and a base of their own */
};

const char *rotary_name(const struct config *c)
{
	return c->type ? c->type : "the model";
}

/* The types of layers, "a, b or c", to choose from. */
static bool ask_layers(const struct config *c)
{
	enum { NAME_MOST = 60 };
	char names[LAYER_TYPES * (NAME_MOST + 2) + 1] = "";

	for (size_t i = 0, n = 0; i < c->layer_type_count; i++)
		n += (size_t)snprintf(names + n, sizeof names - n, "%s%.60s",
				      i ? ", " : "", c->layer_types[i]);
	return fail_file(c->err, c->path, "types of layers differ in their "
			 "positions: choose one of %s, as '%.150s:%.60s'",
			 names, c->path, c->layer_types[0]);
}

/* Whether a list of numbers has one. */
static bool has_number(const cJSON *list, long number)
{
	const cJSON *o = list ? list->child : NULL;

	while (o && !(cJSON_IsNumber(o) &&
		      !config_differs(o->valuedouble, (double)number)))
		o = o->next;
	return o;
}

/* Whether a block of nemotron-nas has no attention. */
static bool is_skipped(const struct config *c, long number)
{
	const cJSON *blocks = config_at(c->model, "block_configs");
	const cJSON *one = cJSON_IsArray(blocks)
			   ? cJSON_GetArrayItem(blocks, (int)number) : NULL;

	return cJSON_IsTrue(config_at(one, "attention.no_op")) ||
	       cJSON_IsTrue(config_at(one, "attention.replace_with_linear"));
}

/* Whether the one layer that was chosen does not rotate. */
static bool is_unrotated(const struct config *c)
{
	const cJSON *list = key_value(c, KEY_ROTATES);
	const long number = c->number ? strtol(c->number, NULL, 10) : -1;
	double every = 4;

	if (number < 0)
		return false;
	if (c->row->layers != LAYERS_LISTED)
		return has_number(key_value(c, KEY_CROSS), number) ||
		       is_skipped(c, number);
	if (cJSON_IsArray(list) && list->child)
		return config_equals(cJSON_GetArrayItem(list, (int)number),
				     "0");
	return key_number(c, KEY_ROTATES_EVERY, &every) &&
	       (number + 1) % (long)every == 0;
}

/* Note the layers that are of another kind than those that rotate. */
static bool note_others(struct config *c)
{
	const cJSON *cross = key_value(c, KEY_CROSS);
	const cJSON *blocks = config_at(c->model, "block_configs");
	int skipped = 0;

	for (int i = 0; i < cJSON_GetArraySize(blocks); i++)
		skipped += is_skipped(c, i);
	if (skipped && !config_note(c, "%d of %d layers have no attention "
				    "(block_configs)", skipped,
				    cJSON_GetArraySize(blocks)))
		return false;
	if (key_is_own(c, KEY_CROSS) && !cross)
		return config_note(c, "%s not in the file: layers of "
				   "cross-attention, of transformers' %s, do "
				   "not rotate", key_names(c, KEY_CROSS),
				   rotary_name(c));
	if (cross && !config_note(c, "layers of cross-attention do not rotate "
				  "(%s): %s", key_names(c, KEY_CROSS),
				  config_json(c, cross)))
		return false;
	return !c->row->indexer || !config_at(c->model, "index_topk") ||
	       config_note(c, "each query attends to the index_topk keys of "
			   "those that its mask lets it see which the indexer "
			   "chooses");
}

static bool has_positions(const struct config *c)
{
	if (!rotary_absent(c))
		return true;
	return fail_file(c->err, c->path, "the %.60s layers of %s have no "
			 "positions", c->layers, rotary_name(c));
}

/* Whether the layers that were chosen exist. */
static bool is_known(const struct config *c)
{
	bool known = false;

	for (size_t i = 0; i < c->layer_type_count; i++)
		known |= config_layers_are(c, c->layer_types[i]);
	return known;
}

bool rotary_has_attention(const struct config *c)
{
	static const char without[] = "linear_attention conv mamba mamba2 "
				      "recurrent linear moe mlp";

	return !c->layers || !text_has_word(without, c->layers, " ");
}

bool rotary_absent(const struct config *c)
{
	if (!c->layers)
		return false;
	return !rotary_has_attention(c) ||
	       (c->row->layers == LAYERS_SLIDING &&
		!config_layers_are(c, "sliding_attention")) ||
	       (c->row->layers == LAYERS_CHUNKED &&
		!config_layers_are(c, "chunked_attention"));
}

bool rotary_exists(const struct config *c)
{
	if (is_known(c))
		return true;
	if (c->layer_type_count)
		return fail_file(c->err, c->path, "no layers of type '%.60s', "
				 "but of %.60s%s%.60s", c->layers,
				 c->layer_types[0],
				 c->layer_type_count > 1 ? " and " : "",
				 c->layer_type_count > 1 ? c->layer_types[1]
							 : "");
	return fail_file(c->err, c->path, "no layers of type '%.60s': the "
			 "layers of %s are all alike", c->layers,
			 rotary_name(c));
}

/* Whether the layers that were chosen exist and rotate by positions. */
static bool check_chosen(const struct config *c)
{
	return rotary_exists(c) && has_positions(c);
}

/* Whether there is an object for each of several types of layers. */
static bool is_by_type(const cJSON *rope)
{
	return rope && cJSON_IsObject(rope->child);
}

/* Models whose sliding_attention layers not every reader scales. */
static bool check_scaled(const struct config *c)
{
	const bool by_type = is_by_type(c->rope);
	const bool scaled = c->rope && !by_type &&
			    config_at(c->rope, "factor");

	if (!scaled && !by_type && c->row->layers == LAYERS_OLMO3)
		return true;
	if (!c->layers)
		return ask_layers(c);
	if (scaled && config_layers_are(c, "sliding_attention"))
		return config_fail(c, c->rope, "versions of transformers "
				   "differ in whether sliding_attention layers "
				   "are scaled");
	return true;
}

/* The layers of Llama 4 that rotate are those of no_rope_layers. */
static bool check_chunks(const struct config *c)
{
	const cJSON *types = config_at(c->model, "layer_types");
	const cJSON *rotates = config_at(c->model, "no_rope_layers");
	const cJSON *t = types ? types->child : NULL;
	const cJSON *r = rotates ? rotates->child : NULL;

	for (; t && r; t = t->next, r = r->next)
		if (config_equals(t, "chunked_attention") !=
		    config_equals(r, "1"))
			return config_fail(c, rotates, "differs from "
					   "layer_types");
	return true;
}

bool rotary_chosen(const struct config *c, bool differ)
{
	if (differ && !c->layers)
		return ask_layers(c);
	if (is_unrotated(c))
		return fail_file(c->err, c->path, "layer %s of %s has no "
				 "positions", c->number, rotary_name(c));
	return !c->layers || check_chosen(c);
}

/* Whether the class reads the same values for all of its layers. */
static bool reads_one(const struct model *m)
{
	return m->layers == LAYERS_ALIKE || m->layers == LAYERS_LISTED ||
	       m->layers == LAYERS_WINDOWS || m->layers == LAYERS_LINEAR ||
	       m->layers == LAYERS_CONV;
}

static bool check_layers(const struct config *c)
{
	bool differ = is_by_type(c->rope);

	if (c->layers && !check_chosen(c))
		return false;
	if (differ && c->row->types && reads_one(c->row))
		return config_fail(c, c->rope->child, "%s has layers of "
				   "one kind, and reads no values by type",
				   rotary_name(c));
	switch (c->row->layers) {
	case LAYERS_CHUNKED:
		if (!check_chunks(c))
			return false;
		differ = true;
		break;
	case LAYERS_SLIDING:
	case LAYERS_OWN_BASE:
	case LAYERS_COMPRESSED:
	case LAYERS_GLOBAL_HEAD:
		differ = true;
		break;
	case LAYERS_OWN_BASE_BOTH:
	case LAYERS_OLMO3:
		return check_scaled(c);
	case LAYERS_ALIKE:
	case LAYERS_LISTED:
	case LAYERS_WINDOWS:
	case LAYERS_LINEAR:
	case LAYERS_CONV:
	case LAYERS_BY_TYPE:
	default:
		break;
	}
	return rotary_chosen(c, differ);
}

/* Note the layers without positions: those of a list, or every n-th. */
static bool note_listed(struct config *c)
{
	const cJSON *list = config_at(c->model, "no_rope_layers");
	const cJSON *interval = config_at(c->model, "no_rope_layer_interval");
	char names[200] = "";
	size_t n = 0, layer = 0;
	bool more = false;
	double every = 4;

	if (list && !cJSON_IsArray(list))
		return config_fail(c, list, "expected an array");
	if (interval && !config_whole(c, interval, 1, 1e6, &every))
		return false;
	if (!list)
		return config_note(c, "no_rope_layers not in the file: the "
				   "last of every %.0f layers has no positions",
				   every);
	for (const cJSON *o = list->child; o; o = o->next, layer++) {
		if (!config_number(c, o, 0, &every))
			return false;
		more |= !(every > 0) && n >= sizeof names - 24;
		if (!(every > 0) && !more)
			n += (size_t)snprintf(names + n, sizeof names - n,
					      "%s%zu", n ? ", " : "", layer);
	}
	if (!n)
		return true;
	return config_note(c, "layers without positions (no_rope_layers): "
			   "%s%s", names, more ? ", ..." : "");
}

/* rope_scaling beside rope_parameters must say the same. */
static bool check_both(const struct config *c, const cJSON *scaling,
		       const cJSON *parameters)
{
	if (!scaling || !parameters ||
	    cJSON_Compare(scaling, parameters, true))
		return true;
	return config_fail(c, scaling, "expected the same as rope_parameters: "
			   "transformers 4 reads this one alone, transformers "
			   "5 both");
}

static bool check_object(const struct config *c, const cJSON *value)
{
	if (value && !cJSON_IsObject(value))
		return config_fail(c, value, "expected an object");
	return true;
}

/* Find the object of the layers. */
static bool find_source(struct config *c, struct source *from)
{
	const cJSON *scaling = config_at(c->model, "rope_scaling");
	const cJSON *parameters = config_at(c->model, "rope_parameters");

	if (!check_object(c, scaling) || !check_object(c, parameters) ||
	    !check_both(c, scaling, parameters))
		return false;
	c->rope = parameters ? parameters : scaling;
	from->parameters = parameters;
	if (c->rope && !c->rope->child)
		c->rope = NULL;
	if (!check_layers(c))
		return false;
	from->sliding = c->row->local_base > 0 &&
			config_layers_are(c, "sliding_attention");
	if (is_by_type(c->rope) && c->row->layers == LAYERS_COMPRESSED)
		c->rope = config_at(c->rope, from->sliding ? "main"
							   : "compress");
	else if (is_by_type(c->rope))
		c->rope = config_at(c->rope, c->layers);
	else if (from->sliding)
		c->rope = NULL;
	return true;
}

/* A base in the code may be multiplied by a number of the file. */
static bool multiply_base(const struct config *c, double *base)
{
	double ratio = 1;

	if (!key_number(c, KEY_RATIO, &ratio))
		return false;
	*base *= ratio;
	return true;
}

/* The base of a file without one. */
static bool assume_base(struct config *c, const struct source *from,
			const char *key, double *base)
{
	const struct model *m = c->row;
	char four[CONFIG_NUMBER], five[CONFIG_NUMBER];
	const double other = from->sliding ? m->local_base4 : m->base4;

	*base = from->sliding ? m->local_base : m->base;
	if (!from->sliding && config_is_null(c, key))
		return fail_file(c->err, c->path, "%.*s is null: expected a "
				 "number, as transformers 4 does not take its "
				 "default then", (int)strcspn(key, "|"), key);
	if (!(*base > 0))
		return rotary_missing(c, key);
	if (from->sliding && config_is_null(c, key))
		return fail_file(c->err, c->path, "%s is null: transformers 4 "
				 "takes the base of the other layers, "
				 "transformers 5 %g", key, *base);
	if (m->fixed)
		return multiply_base(c, base);
	if (other > 0)
		return fail_file(c->err, c->path, "%s is missing, and versions "
				 "of transformers assume different values: %s "
				 "in 4, %s in 5", key,
				 config_digits(other, four),
				 config_digits(*base, five));
	return rotary_assume(c, key, *base);
}

/*
 * What transformers 4 makes of a base that it does not find: in
 * rope_parameters, which are of transformers 5, or in rope_scaling.
 */
static bool check_unread(struct config *c, const struct source *from,
			 const cJSON *inside, double base)
{
	const struct model *m = c->row;
	const double other = from->sliding ? m->local_base :
			     m->base4 > 0  ? m->base4 :
			     m->base > 0   ? m->base : 10000;
	char text[CONFIG_NUMBER];

	if (!config_differs(other, base) || c->newer)
		return true;
	if (!from->parameters)
		return config_fail(c, inside, "transformers 4 does not read "
				   "it in rope_scaling and takes %s",
				   config_digits(other, text));
	return config_note(c, "rope_theta is in rope_parameters: transformers "
			   "4 does not read it there and would take %s",
			   config_digits(other, text));
}

/*
 * A base at the top of a file without rope_parameters, of a class of
 * transformers 5 that has defaults for all of these: it takes them whole.
 */
static bool check_dropped(const struct config *c, const struct source *from,
			  const cJSON *outside, double base)
{
	const struct model *m = c->row;
	const double five = from->sliding ? m->local_base : m->base;

	if (c->rope || !config_differs(base, five) || !m->types ||
	    !(m->drops || (m->layers == LAYERS_OLMO3 &&
			   config_layers_are(c, "sliding_attention"))))
		return true;
	if (key_is_own(c, KEY_BASE))
		return config_fail(c, outside, "versions of transformers "
				   "differ in whether they read it; all read "
				   "%.*s", (int)strcspn(m->key[KEY_BASE], "|"),
				   m->key[KEY_BASE]);
	return config_fail(c, outside, c->newer
			   ? "without rope_parameters, transformers takes the "
			     "default of the class in its place"
			   : "transformers 4 reads it, transformers 5 takes "
			     "the default of the class in its place");
}

/* The base of one layer in a list; fails where it is 0: no rotation. */
static bool read_listed_base(const struct config *c, const cJSON *list,
			     double *base)
{
	const cJSON *one;

	if (!cJSON_IsArray(list))
		return config_fail(c, list, "expected an array");
	if (!c->number)
		return config_fail(c, list, "layers differ in the bases of "
				   "this list, and those of 0 do not rotate: "
				   "choose one by its number, as '%.150s:0'",
				   c->path);
	one = cJSON_GetArrayItem(list, (int)strtol(c->number, NULL, 10));
	if (!one)
		return config_fail(c, list, "expected a number for layer %s",
				   c->number);
	if (!config_number(c, one, 0, base))
		return false;
	return *base > 0 || fail_file(c->err, c->path, "layer %s has no "
				      "positions: its base is 0", c->number);
}

static bool read_base(struct config *c, const struct source *from,
		      double *base)
{
	const cJSON *list = key_value(c, KEY_BASES);
	const struct model *m = c->row;
	const char *key = key_names(c, from->sliding &&
				    key_is_own(c, KEY_LOCAL_BASE)
				    ? KEY_LOCAL_BASE : KEY_BASE);
	/* No default stands in for null here */
	const cJSON *inside =
		cJSON_GetObjectItemCaseSensitive(c->rope, "rope_theta");
	const cJSON *outside = config_at(c->model, key);
	double other;

	if (list)
		return read_listed_base(c, list, base);
	if (!inside && !outside)
		return assume_base(c, from, key, base);
	if ((outside && !config_agree(c, key)) ||
	    !config_number(c, inside ? inside : outside, 1e-300, base) ||
	    (inside && outside && !config_number(c, outside, 1e-300, &other)))
		return false;
	/* By type, the class reads the inner one alone */
	if (inside && outside && config_differs(*base, other) &&
	    !(c->newer && m->layers == LAYERS_BY_TYPE))
		return config_fail(c, outside, "differs from rope_theta in %s",
				   c->rope->string);
	if (m->fixed && (key_is_own(c, KEY_RATIO) ||
			 config_differs(*base, m->base)))
		return config_fail(c, inside ? inside : outside, "%s does not "
				   "read it: its code has the base %g",
				   rotary_name(c), m->base);
	if (inside && !outside)
		return check_unread(c, from, inside, *base);
	return inside || strcmp(outside->string, "rope_theta") != 0 ||
	       check_dropped(c, from, outside, *base);
}

/* The share of the head that rotates. */
static bool read_part(struct config *c, const struct source *from,
		      double *part)
{
	const struct model *m = c->row;
	const char *key = key_names(c, KEY_PARTIAL);
	const cJSON *inside = c->rope ? config_at(c->rope,
						     "partial_rotary_factor")
					 : NULL;
	const cJSON *outside = m->partial > 0 ? config_at(c->model, key)
					      : NULL;
	const cJSON *value = inside ? inside : outside;
	double other;

	*part = m->partial > 0 && !from->sliding ? m->partial : 1;
	/* It is the share that the head has of head_dim */
	if (m->tail)
		return true;
	if (!value && *part < 1)
		return rotary_assume(c, key, *part);
	if (!value)
		return true;
	if (!config_number(c, value, 1e-6, part) ||
	    (outside && (!config_agree(c, key) ||
			 !config_number(c, outside, 1e-6, &other))))
		return false;
	if (inside && outside && config_differs(*part, other))
		return config_fail(c, outside, "differs from the one in %s",
				   c->rope->string);
	if (*part > 1)
		return config_fail(c, value, "expected at most 1, got %g",
				   *part);
	if (!(m->partial > 0) && config_differs(*part, 1))
		return config_fail(c, value, "%s does not read it, so its "
				   "effect is unknown", rotary_name(c));
	return true;
}

static bool read_dims(struct config *c, const struct source *from,
		      struct rotary_positions *r)
{
	const struct model *m = c->row;
	const cJSON *dims = key_value(c, KEY_DIMS);
	bool noted = true;
	double part;

	if (!rotary_head(c, &r->head) || !read_part(c, from, &part))
		return false;
	r->dims = floor(r->head * part);
	/* Gemma 4 counts pairs */
	if (c->rope && config_equals(config_at(c->rope, "rope_type|type"),
					"proportional"))
		r->dims = 2 * floor(r->head * part / 2);
	if (dims) {
		if (!key_number(c, KEY_DIMS, &r->dims))
			return false;
		if (r->dims > r->head)
			return config_fail(c, dims, "expected at most the head "
					   "size %g, got %g", r->head, r->dims);
	} else if (m->dim > 0) {
		noted = key_assume(c, KEY_DIMS, m->dim, &r->dims);
	}
	if (r->dims < 2 || r->dims > r->head || fmod(r->dims, 2) > 0)
		return fail_file(c->err, c->path, "expected an even number of "
				 "rotary dimensions up to the head size %g, "
				 "got %g", r->head, r->dims);
	return noted;
}

static bool read_pairs(struct config *c, struct rotary_positions *r)
{
	r->interleaved = c->row->interleaved;
	r->reversed = c->row->reversed;
	return key_flag(c, KEY_PAIRS, &r->interleaved) &&
	       (c->row->types ||
		config_note(c, "model_type not in the file: pairs k and k + "
			    "R/2 are assumed, as in Llama"));
}

/* Whether the file has a value of the condition's key, if only null. */
static bool has_key(const struct config *c, const char *condition)
{
	char names[64];

	snprintf(names, sizeof names, "%.*s", (int)strcspn(condition, "!="),
		 condition);
	return config_value(c, names) || strstr(condition, "=null");
}

/* Files that the row refuses: "key=value: reason; key!=value: reason". */
static bool check_refused(const struct config *c)
{
	for (const char *at = c->row->refuse; at; at = strchr(at, ';')) {
		char condition[64];
		const char *reason;

		at += strspn(at, "; ");
		reason = strstr(at, ": ");
		snprintf(condition, sizeof condition, "%.*s",
			 (int)(reason - at), at);
		if (has_key(c, condition) && config_is(c, condition))
			return fail_file(c->err, c->path, "%.*s: %.*s",
					 (int)strcspn(at, "|!="), at,
					 (int)strcspn(reason + 2, ";"),
					 reason + 2);
	}
	return true;
}

bool rotary_read(struct config *c, struct rotary_positions *r)
{
	struct source from = { 0 };

	*r = (struct rotary_positions){ 0 };
	if (!c->gguf && config_at(c->model, "dual_chunk_attention_config") &&
	    !config_note(c, "vLLM turns positions beyond chunks otherwise "
			 "(dual_chunk_attention_config); these are those of "
			 "transformers"))
		return false;
	if (c->gguf)
		return check_refused(c) && gguf_rotary(c, r);
	if ((c->row->note && !config_note(c, "%s", c->row->note)) ||
	    (!c->gguf && !note_others(c)))
		return false;
	return check_refused(c) && find_source(c, &from) &&
	       (c->row->layers != LAYERS_LISTED || note_listed(c)) &&
	       read_base(c, &from, &r->base) && read_dims(c, &from, r) &&
	       read_pairs(c, r) && rotary_scaling(c, r);
}

void rotary_options(const struct config *c, const struct rotary_positions *r,
		    struct assignments *a)
{
	config_assign_number(c, a, "dim", r->head);
	if (r->dims < r->head)
		config_assign_number(c, a, "rotary-dim", r->dims);
	config_assign_number(c, a, "base", r->base);
	config_assign(a, "pairs", r->interleaved ? "interleaved" : NULL);
	config_assign(a, "sections", r->sections);
	config_assign(a, "mrope", r->mrope);
	config_assign(a, "scaling", r->scaling);
	config_assign(a, "reversed", r->reversed ? "" : NULL);
}
