/* gguf_rotary.c: rotary positions as llama.cpp reads them from GGUF keys. */
#include <cJSON.h>
#include <math.h>

#include "model/key.h"
#include "model/rotary.h"

bool gguf_is_sliding(const struct config *c)
{
	return config_layers_are(c, "sliding_attention");
}

/* The key of layers with a window, if the file has it and they were chosen. */
static enum key local(const struct config *c, enum key own, enum key k)
{
	return gguf_is_sliding(c) && key_value(c, own) ? own : k;
}

static bool read_base(struct config *c, double *base)
{
	const enum key k = local(c, KEY_LOCAL_BASE, KEY_BASE);

	if (gguf_is_sliding(c) && k == KEY_BASE && c->row->local_base > 0) {
		*base = c->row->local_base;
		return rotary_assume(c, keys[KEY_LOCAL_BASE].gguf, *base);
	}
	return key_assume(c, k, 1e4, base);
}

/* The head size where the file says it, by itself or by others. */
static bool read_head(struct config *c, bool dims, double *head)
{
	const enum key k = local(c, KEY_LOCAL_HEAD, KEY_HEAD);

	if (key_value(c, k))
		return key_number(c, k, head);
	if (key_is_own(c, k))
		return key_missing(c, k);
	if (dims && !(key_value(c, KEY_HIDDEN) && key_value(c, KEY_HEADS)))
		return config_note(c, "the head size is not in the file: all "
				   "of it is assumed to rotate");
	return rotary_divide_head(c, head);
}

static bool read_dims(struct config *c, struct rotary_positions *r)
{
	const enum key k = local(c, KEY_LOCAL_DIMS, KEY_DIMS);
	const cJSON *value = key_value(c, k);

	if (!key_number(c, k, &r->dims))
		return false;
	r->head = r->dims;
	if (!read_head(c, value, &r->head) ||
	    (!value && !rotary_assume(c, keys[KEY_DIMS].gguf,
				      r->dims = r->head)))
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
	const cJSON *list = key_value(c, KEY_SECTIONS);
	double x[4] = { 0 };
	int n = 0;

	if (!c->row->sections)
		return true;
	if (!list)
		return key_missing(c, KEY_SECTIONS);
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
	r->mrope = c->row->mrope;
	r->sections = config_text(c, "%.0f,%.0f,%.0f", x[0], x[1], x[2]);
	return r->sections &&
	       (!r->mrope || note_fourth(c, x, r->dims / 2));
}

/* What else changes with positions. */
static bool add_notes(struct config *c)
{
	double scale = 0;

	if (!key_number(c, KEY_QUERY_BETA, &scale))
		return false;
	if (c->row->layers == LAYERS_LISTED &&
	    !config_note(c, "the last of every 4 layers has no positions"))
		return false;
	return !(scale > 0) ||
	       config_note(c, "queries are also multiplied by 1 + beta ln(1 + "
			   "floor(p / L)) (%.60s.%s)", c->type,
			   keys[KEY_QUERY_BETA].gguf);
}

/* Whether types of layers that rotate differ in more than windows. */
static bool layers_differ(const struct config *c)
{
	return c->layer_type_count && c->row->layers != LAYERS_LINEAR &&
	       (c->row->layers != LAYERS_WINDOWS ||
		key_value(c, KEY_LOCAL_BASE) || key_value(c, KEY_LOCAL_DIMS) ||
		key_value(c, KEY_LOCAL_HEAD));
}

bool gguf_rotary(struct config *c, struct rotary_positions *r)
{
	r->interleaved = c->row->interleaved;
	return rotary_chosen(c, layers_differ(c)) &&
	       read_base(c, &r->base) && read_dims(c, r) &&
	       read_sections(c, r) && gguf_scaling(c, r) && add_notes(c);
}
