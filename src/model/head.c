/* head.c: the size of a head, where a file says it or its class. */
#include <cJSON.h>
#include <math.h>
#include <string.h>

#include "model/key.h"
#include "model/rotary.h"

/* A size of the file, or the class's default, which is noted. */
static bool read_size(struct config *c, enum key k, double initial, double *x)
{
	if (key_value(c, k))
		return config_agree(c, key_names(c, k)) &&
		       key_number(c, k, x);
	return initial > 0 ? key_assume(c, k, initial, x) : key_missing(c, k);
}

/* The heads of a GGUF file: of an array, those of the first layer. */
static bool read_heads_of_layers(struct config *c, const cJSON *list,
				 double *heads)
{
	const cJSON *first = list->child;

	if (!first || !cJSON_IsNumber(first))
		return config_fail(c, list, "expected a number, or one per "
				   "layer");
	*heads = first->valuedouble;
	if (!(*heads >= 1 && *heads <= keys[KEY_HEADS].most &&
	      !(fmod(*heads, 1) > 0)))
		return config_fail(c, list, "expected an integer from 1 to "
				   "%.0f for the first layer, got %g",
				   keys[KEY_HEADS].most, *heads);
	for (const cJSON *o = first; o; o = o->next)
		if (!cJSON_Compare(o, first, true))
			return config_note(c, "%.60s.%s differs between "
					   "layers: llama.cpp takes the head "
					   "size of the first", c->type,
					   keys[KEY_HEADS].gguf);
	return true;
}

static bool read_heads(struct config *c, double *heads)
{
	const cJSON *value = key_value(c, KEY_HEADS);

	return c->gguf && cJSON_IsArray(value)
		       ? read_heads_of_layers(c, value, heads)
		       : read_size(c, KEY_HEADS, c->row->heads, heads);
}

bool rotary_divide_head(struct config *c, double *head)
{
	const struct model *m = c->row;
	const cJSON *value = key_value(c, KEY_HIDDEN);
	double hidden = 0, heads = 1;

	if (!read_size(c, KEY_HIDDEN, m->hidden, &hidden) ||
	    !read_heads(c, &heads))
		return false;
	hidden *= m->wide > 0 ? m->wide : 1;
	*head = hidden / heads;
	if (*head >= 2 && *head <= HEAD_MOST && !(fmod(*head, 1) > 0))
		return true;
	if (value)
		return config_fail(c, value, "expected 2 to %d dimensions for "
				   "each of %.0f heads, got %g", HEAD_MOST,
				   heads, *head);
	return fail_file(c->err, c->path, "%.*s is missing, and its default "
			 "%.0f makes no %.0f heads",
			 (int)strcspn(key_names(c, KEY_HIDDEN), "|"),
			 key_names(c, KEY_HIDDEN), hidden, heads);
}

/* A head_dim beside the key that the model reads must say the same. */
static bool check_other_head(const struct config *c, double head)
{
	const char *names = key_names(c, KEY_HEAD);
	const cJSON *other = config_at(c->model, "head_dim");

	if (!key_is_own(c, KEY_HEAD) || !other || c->row->tail ||
	    c->row->lone ||
	    text_has_word(names, "head_dim", "|") ||
	    (cJSON_IsNumber(other) &&
	     !config_differs(other->valuedouble, head)))
		return true;
	return config_fail(c, other, "differs from %.*s %.0f, which %s reads",
			   (int)strcspn(names, "|"), names, head,
			   rotary_name(c));
}

bool rotary_head(struct config *c, double *head)
{
	const struct model *m = c->row;
	const bool global = m->layers == LAYERS_GLOBAL_HEAD &&
			    config_layers_are(c, "full_attention");
	const enum key k = global ? KEY_GLOBAL_HEAD : KEY_HEAD;

	if (key_value(c, k))
		return config_agree(c, key_names(c, k)) &&
		       key_number(c, k, head) && check_other_head(c, *head);
	if (!(m->head > 0))
		return rotary_divide_head(c, head);
	return check_other_head(c, m->head) &&
	       key_assume(c, k, global ? m->global_head : m->head, head);
}
