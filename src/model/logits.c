/* logits.c: what a model does to logits besides adding positions. */
#include <cJSON.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "exact/yarn.h"
#include "model/key.h"
#include "model/logits.h"

/* Dimensions of a head before those that rotate, in classes of DeepSeek. */
static bool add_other_head(const struct config *c, double *size)
{
	const char *names = key_names(c, KEY_HEAD);
	double other = 0;

	if (c->row->tail)
		return config_find(c, "head_dim", *size, 1, size);
	if (c->gguf || !text_has_word(names, "qk_rope_head_dim", "|") ||
	    (!c->row->types && !config_at(c->model, "qk_rope_head_dim")))
		return true;
	if (!key_value(c, KEY_OTHER_HEAD))
		return key_missing(c, KEY_OTHER_HEAD);
	if (!key_number(c, KEY_OTHER_HEAD, &other))
		return false;
	*size += other;
	return true;
}

/*
 * DeepSeek's softmax: logits are multiplied by the square of YaRN's temperature
 * (modeling_deepseek.py, and class DeepseekV3Attention of transformers; ggml
 * has 0.1 m in its key).
 */
static bool read_yarn(const struct config *c, const struct rotary_positions *r,
		      double *factor)
{
	const bool of_class = c->row->reads &&
			      text_has_word(c->row->reads, "mscale_all_dim",
					    " ");
	double m = 0, x;

	*factor = 1;
	if (!of_class || !r->scale.kind || !strstr(r->scale.kind, "yarn"))
		return true;
	if (c->gguf ? !key_number(c, KEY_LOG_MULTIPLIER, &m)
		    : !key_number(c, KEY_MSCALE_ALL, &m))
		return false;
	x = yarn_temperature(r->scale.factor, c->gguf ? 10 * m : m);
	*factor = x * x;
	return true;
}

/* What the root is taken of: the whole head, or a number of the class. */
static bool read_root(struct config *c, const struct rotary_positions *r,
		      double *root)
{
	if (c->row->query_scalar > 0)
		return key_assume(c, KEY_QUERY_SCALAR, c->row->query_scalar,
				  root);
	*root = r->head;
	if (c->row->wide_blocks) {
		double blocks = 0, hidden = 0, heads = 1;

		if (!key_number(c, KEY_LAYERS, &blocks))
			return false;
		if (!key_number(c, KEY_HIDDEN, &hidden) ||
		    !key_number(c, KEY_HEADS, &heads))
			return false;
		if (hidden > 0 &&
		    !config_differs(blocks, c->row->wide_blocks))
			*root = hidden / heads;
	}
	if (c->gguf && key_is_own(c, KEY_HEAD))
		return config_find(c, "attention.key_length_mla|"
				   "attention.key_length", r->head, 1, root);
	return add_other_head(c, root);
}

bool logits_read(struct config *c, const struct rotary_positions *r,
		 struct logits *l)
{
	const struct model *m = c->row;

	*l = (struct logits){ .yarn = 1, .cap = m->softcap,
			      .sinks = m->sinks || (m->local_sinks &&
				config_layers_are(c, "sliding_attention")) };
	if (!key_number(c, KEY_SOFTCAP, &l->cap))
		return false;
	if (m->softcap > 0 && !key_value(c, KEY_SOFTCAP)) {
		if (config_is_null(c, key_names(c, KEY_SOFTCAP)))
			l->cap = 0;
		else if (!rotary_assume(c, key_names(c, KEY_SOFTCAP), l->cap))
			return false;
	}
	if (key_names(c, KEY_LOGIT_SCALE) && key_value(c, KEY_LOGIT_SCALE))
		return key_number(c, KEY_LOGIT_SCALE, &l->scale);
	if (m->logit_scale > 0) {
		l->scale = m->logit_scale;
		return !key_is_own(c, KEY_LOGIT_SCALE) ||
		       rotary_assume(c, key_names(c, KEY_LOGIT_SCALE),
				     l->scale);
	}
	if (!r)
		return true;
	if (!read_root(c, r, &l->root) || !read_yarn(c, r, &l->yarn))
		return false;
	l->scale = l->yarn / sqrt(l->root);
	return true;
}

const char *logits_words(const struct config *c, const struct logits *l)
{
	char x[CONFIG_NUMBER], cap[120] = "", yarn[60] = "";

	if (l->cap > 0)
		snprintf(cap, sizeof cap, ", then C tanh(x / C) with C = %s",
			 config_digits(l->cap, x));
	if (config_differs(l->yarn, 1))
		snprintf(yarn, sizeof yarn, " times %.7g (mscale_all_dim)",
			 l->yarn);
	return config_text(c, "q . k %s%s%s%s%s%s",
			   !(l->scale > 0) ? "/ sqrt(head size)" :
			   l->root > 0 ? "/ sqrt(" : "times ",
			   !(l->scale > 0) ? "" :
			   config_digits(l->root > 0 ? l->root : l->scale, x),
			   l->root > 0 ? ")" : "", yarn, cap,
			   l->sinks ? ", and a learned sink per head in the "
			   "softmax" : "");
}

bool logits_options(const struct config *c, const struct logits *l,
		    double head, struct assignments *a)
{
	if (l->sinks)
		return fail_file(c->err, c->path, "the softmax of %s has a "
				 "learned logit for each head, which is in its "
				 "weights: give attend the options that config "
				 "prints, and --sinks", rotary_name(c));
	if (l->scale > 0 && (!(l->root > 0) || config_differs(l->yarn, 1) ||
			     config_differs(l->root, head)))
		config_assign_number(c, a, "qk-scale", l->scale);
	if (l->cap > 0)
		config_assign_number(c, a, "softcap", l->cap);
	return true;
}
