/* head.c: the size of a head, where a file says it or its class. */
#include <cJSON.h>
#include <math.h>
#include <string.h>

#include "model/rotary.h"
#include "text/words.h"

enum { SIZE_MOST = 1 << 30 };

/* The number at keys, or the class's default, which is noted. */
static bool read_size(struct config *c, const char *keys, double initial,
		      double *x)
{
	const cJSON *value = config_at(c->model, keys);

	*x = initial;
	if (value)
		return config_agree(c, keys) &&
		       config_whole(c, value, 1, SIZE_MOST, x);
	return initial > 0 ? rotary_assume(c, keys, initial)
			   : rotary_missing(c, keys);
}

/* The head where hidden_size and the number of heads make it. */
static bool divide_head(struct config *c, double *head)
{
	const struct model *m = c->row;
	const char *keys = m->hidden_key ? m->hidden_key : "hidden_size";
	const cJSON *value = config_at(c->model, keys);
	double hidden, heads;

	if (!read_size(c, keys, m->hidden, &hidden) ||
	    !read_size(c, m->heads_key ? m->heads_key : "num_attention_heads",
		       m->heads, &heads))
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
			 "%.0f makes no %.0f heads", (int)strcspn(keys, "|"),
			 keys, hidden, heads);
}

/* A head_dim beside the key that the model reads must say the same. */
static bool check_other_head(const struct config *c, const char *keys,
			     double head)
{
	const cJSON *other = config_at(c->model, "head_dim");

	if (!other || text_has_word(keys, "head_dim", "|") ||
	    (cJSON_IsNumber(other) &&
	     !config_differs(other->valuedouble, head)))
		return true;
	return config_fail(c, other, "differs from %.*s %.0f, which %s reads",
			   (int)strcspn(keys, "|"), keys, head, rotary_name(c));
}

bool rotary_head(struct config *c, double *head)
{
	const struct model *m = c->row;
	const char *keys = config_layers_are(c, "full_attention") &&
			   m->layers == LAYERS_GLOBAL_HEAD ? "global_head_dim" :
			   m->head_key ? m->head_key : "head_dim";
	const cJSON *value = config_at(c->model, keys);

	if (value)
		return config_agree(c, keys) &&
		       config_whole(c, value, 2, HEAD_MOST, head) &&
		       (!m->head_key || check_other_head(c, keys, *head));
	if (!(m->head > 0))
		return divide_head(c, head);
	*head = m->head;
	if (m->head_key && !check_other_head(c, keys, *head))
		return false;
	if (m->layers == LAYERS_GLOBAL_HEAD &&
	    config_layers_are(c, "full_attention"))
		*head = m->global_head;
	return rotary_assume(c, keys, *head);
}
