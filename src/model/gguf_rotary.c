/* gguf_rotary.c: rotary positions as llama.cpp reads them from GGUF keys. */
#include <cJSON.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/rotary.h"

enum { SIZE_MOST = 1 << 30 };

bool gguf_is_sliding(const struct config *c)
{
	return config_layers_are(c, "sliding_attention");
}

static bool read_base(struct config *c, double *base)
{
	const cJSON *own = config_value(c, "rope.freq_base_swa");
	const cJSON *value = config_value(c, "rope.freq_base");

	if (gguf_is_sliding(c) && !own && c->row->local_base > 0) {
		*base = c->row->local_base;
		return rotary_assume(c, "rope.freq_base_swa", *base);
	}
	if (gguf_is_sliding(c) && own)
		value = own;
	*base = 1e4;
	return value ? config_number(c, value, 1e-300, base)
		     : rotary_assume(c, "rope.freq_base", *base);
}

/* The number of heads: of an array, that of the first layer. */
static bool read_heads(struct config *c, double *heads)
{
	static const char key[] = "attention.head_count";
	const cJSON *value = config_value(c, key);
	const cJSON *first = cJSON_IsArray(value) ? value->child : value;

	if (!value)
		return rotary_missing(c, key);
	if (!first || !cJSON_IsNumber(first))
		return config_fail(c, value, "expected a number, or one per "
				   "layer");
	*heads = first->valuedouble;
	if (!(*heads >= 1 && *heads <= SIZE_MOST && !(fmod(*heads, 1) > 0)))
		return config_fail(c, value, "expected an integer from 1 to %d "
				   "for the first layer, got %g", SIZE_MOST,
				   *heads);
	for (const cJSON *o = first; o && first != value; o = o->next)
		if (!cJSON_Compare(o, first, true))
			return config_note(c, "%.60s.%s differs between "
					   "layers: llama.cpp takes the head "
					   "size of the first", c->type, key);
	return true;
}

/* The head where embedding_length and the number of heads make it. */
static bool divide_head(struct config *c, double *head)
{
	static const char key[] = "embedding_length";
	const cJSON *value = config_value(c, key);
	double hidden, heads = 0;

	if (!value)
		return rotary_missing(c, key);
	if (!config_whole(c, value, 1, SIZE_MOST, &hidden) ||
	    !read_heads(c, &heads))
		return false;
	*head = hidden / heads;
	return (*head >= 2 && *head <= HEAD_MOST && !(fmod(*head, 1) > 0)) ||
	       config_fail(c, value, "expected 2 to %d dimensions for each of "
			   "%.0f heads, got %g", HEAD_MOST, heads, *head);
}

static bool read_head(struct config *c, double *head)
{
	const char *keys = c->row->head_key ? c->row->head_key :
			   gguf_is_sliding(c) ? "attention.key_length_swa|"
					   "attention.key_length"
					 : "attention.key_length";
	const cJSON *value = config_value(c, keys);

	if (value)
		return config_whole(c, value, 2, HEAD_MOST, head);
	return c->row->head_key ? rotary_missing(c, keys)
				: divide_head(c, head);
}

/* Whether the file says how large a head is. */
static bool has_head(const struct config *c)
{
	return config_value(c, "attention.key_length") ||
	       (config_value(c, "embedding_length") &&
		config_value(c, "attention.head_count"));
}

static bool read_dims(struct config *c, struct rotary_positions *r)
{
	static const char key[] = "rope.dimension_count";
	const cJSON *value = config_value(c, gguf_is_sliding(c)
					  ? "rope.dimension_count_swa|"
					    "rope.dimension_count" : key);

	if (value && !config_whole(c, value, 2, HEAD_MOST, &r->dims))
		return false;
	r->head = r->dims;
	if (value && !has_head(c)
	    ? !config_note(c, "the head size is not in the file: all of it is "
			   "assumed to rotate")
	    : !read_head(c, &r->head))
		return false;
	if (!value && !rotary_assume(c, key, r->dims = r->head))
		return false;
	if (r->dims > r->head || fmod(r->dims, 2) > 0)
		return fail_file(c->err, c->path, "expected an even number of "
				 "rotary dimensions up to the head size %g, "
				 "got %g", r->head, r->dims);
	if (c->row->partial > 0 && config_differs(r->dims, r->head))
		return config_fail(c, value, "expected the head size %g, as "
				   "llama.cpp does for %.60s, got %g", r->head,
				   c->type, r->dims);
	return true;
}

/* Note pairs that llama.cpp turns by a fourth position. */
static bool note_fourth(struct config *c, const double x[4], double pairs)
{
	double n = 0;

	for (size_t k = 0; (double)k < pairs; k++)
		n += !((double)k < 3 * x[k % 3]);
	if (!(n > 0))
		return true;
	return config_note(c, "llama.cpp turns %.0f of %.0f pairs by a fourth "
			   "position, 0 in text; here they turn by time, as in "
			   "transformers", n, pairs);
}

/* Pairs by time, row and column; the fourth number is of no axis. */
static bool read_sections(struct config *c, struct rotary_positions *r)
{
	const cJSON *list = c->row->sections
				    ? config_value(c, c->row->sections) : NULL;
	double x[4] = { 0 };
	int n = 0;

	if (!c->row->sections)
		return true;
	if (!list)
		return rotary_missing(c, c->row->sections);
	if (!cJSON_IsArray(list) || cJSON_GetArraySize(list) < 3 ||
	    cJSON_GetArraySize(list) > 4)
		return config_fail(c, list, "expected an array of 4 integers");
	for (const cJSON *o = list->child; o; o = o->next, n++) {
		x[n] = o->valuedouble;
		if (!cJSON_IsNumber(o) || !(x[n] >= 0 && x[n] <= HEAD_MOST) ||
		    fmod(x[n], 1) > 0)
			return config_fail(c, list, "expected an array of 4 "
					   "integers");
	}
	if (config_differs(x[0] + x[1] + x[2], r->dims / 2) || x[3] > 0)
		return config_fail(c, list, "expected a sum of %.0f pairs, and "
				   "none by a fourth position", r->dims / 2);
	r->alternate = c->row->alternate;
	r->sections = config_text(c, "%.0f,%.0f,%.0f", x[0], x[1], x[2]);
	return r->sections &&
	       (!r->alternate || note_fourth(c, x, r->dims / 2));
}

/* What else changes with positions. */
static bool add_notes(struct config *c)
{
	static const char key[] = "attention.temperature_scale";
	double scale;

	if (!config_find(c, key, 0, 0, &scale))
		return false;
	if (c->row->layers == LAYERS_LISTED &&
	    !config_note(c, "the last of every 4 layers has no positions"))
		return false;
	return !(scale > 0) ||
	       config_note(c, "queries are also multiplied by 1 + beta ln(1 + "
			   "floor(p / L)) (%.60s.%s)", c->type, key);
}

/* Whether types of layers that rotate differ in more than windows. */
static bool layers_differ(const struct config *c)
{
	return c->layer_type_count && c->row->layers != LAYERS_LINEAR &&
	       (c->row->layers != LAYERS_WINDOWS ||
		config_value(c, "rope.freq_base_swa|rope.dimension_count_swa|"
			     "attention.key_length_swa"));
}

bool gguf_rotary(struct config *c, struct rotary_positions *r)
{
	r->interleaved = c->row->interleaved;
	return rotary_chosen(c, layers_differ(c)) &&
	       read_base(c, &r->base) && read_dims(c, r) &&
	       read_sections(c, r) && gguf_scaling(c, r) && add_notes(c);
}
